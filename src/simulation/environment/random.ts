/**
 * Numbers as CPython's `random.Random(seed)` draws them, so that a seeded config does the same in both languages.
 * Source: Matsumoto and Nishimura, "Mersenne Twister" (1998), with `init_by_array` and 53-bit doubles as in their reference implementation.
 */
const size = 624;
const middle = 397;

/** A generator of doubles in [0, 1). */
export class PythonRandom {
  private readonly state = new Uint32Array(size);
  private index = size;

  /** @param seed  a whole number; its sign does not count, as in CPython */
  constructor(seed: number | bigint) {
    const key: number[] = [];
    for (let rest = seed < 0 ? -BigInt(seed) : BigInt(seed); rest > 0n; rest >>= 32n) key.push(Number(rest & 0xffffffffn));
    this.seedBy(key.length === 0 ? [0] : key);
  }

  /** The next number. */
  random(): number {
    const high = this.next() >>> 5;
    const low = this.next() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  private seedBy(key: readonly number[]): void {
    const { state } = this;
    state[0] = 19650218;
    for (let at = 1; at < size; at += 1) state[at] = mixed(state, at, 1812433253) + at;
    let at = 1;
    let from = 0;
    for (let round = Math.max(size, key.length); round > 0; round -= 1) {
      state[at] = (word(state, at) ^ mixed(state, at, 1664525)) + (key[from] ?? 0) + from;
      [at, from] = [wrapped(state, at + 1), (from + 1) % key.length];
    }
    for (let round = size - 1; round > 0; round -= 1) {
      state[at] = (word(state, at) ^ mixed(state, at, 1566083941)) - at;
      at = wrapped(state, at + 1);
    }
    state[0] = 0x80000000;
  }

  private next(): number {
    if (this.index >= size) this.twist();
    let value = word(this.state, this.index);
    this.index += 1;
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9d2c5680;
    value ^= (value << 15) & 0xefc60000;
    return (value ^ (value >>> 18)) >>> 0;
  }

  private twist(): void {
    const { state } = this;
    for (let at = 0; at < size; at += 1) {
      const joined = (word(state, at) & 0x80000000) | (word(state, (at + 1) % size) & 0x7fffffff);
      state[at] = word(state, (at + middle) % size) ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    }
    this.index = 0;
  }
}

function word(state: Uint32Array, at: number): number {
  return state[at] ?? 0;
}

/** The word before, mixed and multiplied modulo 2^32. */
function mixed(state: Uint32Array, at: number, factor: number): number {
  const before = word(state, at - 1);
  return Math.imul(before ^ (before >>> 30), factor);
}

/** Past the end the last word is carried to the front. */
function wrapped(state: Uint32Array, at: number): number {
  if (at < size) return at;
  state[0] = word(state, size - 1);
  return 1;
}
