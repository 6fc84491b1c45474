/** Mean of doubles, computed as a fraction and rounded once, as Python's `statistics.mean` does: three times 0.7 is 0.7. */

/** A finite double as `mantissa * 2^exponent`, exactly. */
function split(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const sign = bits >> 63n === 1n ? -1n : 1n;
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: sign * fraction, exponent: -1074 }
    : { mantissa: sign * (fraction | 0x10000000000000n), exponent: biased - 1075 };
}

/** `mantissa * 2^exponent` where the mantissa has at most 53 bits; in steps, since 2^exponent alone may leave the range. */
function scale(mantissa: number, exponent: number): number {
  let value = mantissa;
  let rest = exponent;
  while (rest < 0) {
    const step = Math.min(-rest, 1000);
    value /= 2 ** step;
    rest += step;
  }
  while (rest > 0) {
    const step = Math.min(rest, 1000);
    value *= 2 ** step;
    rest -= step;
  }
  return value;
}

function divideRounded(numerator: bigint, denominator: bigint, exponent: number): number {
  const negative = numerator < 0n;
  const size = negative ? -numerator : numerator;
  // 70 bits of quotient and a sticky bit are enough for Number() to round to nearest, ties to even.
  const shift = 70 - (size.toString(2).length - denominator.toString(2).length);
  const dividend = shift > 0 ? size << BigInt(shift) : size;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const quotient = dividend / divisor;
  const sticky = dividend % divisor === 0n ? 0n : 1n;
  const rounded = scale(Number((quotient << 1n) | sticky), exponent - shift - 1);
  return negative ? -rounded : rounded;
}

/**
 * Exact mean of numbers.
 *
 * @param values  doubles; with an infinity or NaN among them the plain floating-point mean is returned
 * @returns the double nearest to the true mean; null without values
 */
export function exactMean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  if (!values.every(Number.isFinite)) return values.reduce((sum, value) => sum + value, 0) / values.length;
  const first = values[0] as number;
  if (values.every((value) => value === first)) return first + 0;
  const parts = values.map(split);
  const lowest = Math.min(...parts.map((part) => part.exponent));
  let sum = 0n;
  for (const part of parts) sum += part.mantissa << BigInt(part.exponent - lowest);
  return sum === 0n ? 0 : divideRounded(sum, BigInt(values.length), lowest);
}
