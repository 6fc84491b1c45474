/** Where time comes from; tests hand in one that they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from some start; never goes back. */
  elapsed(): number;
  /** Calls back once after that many milliseconds; keeps the process alive until then. Returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that timers know; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longestDelay));
    return () => clearTimeout(timer);
  },
};
