/** How far two raters agree on the same things. */

/** A pair of ratings: what people said, and what the judge said. */
export interface RatingPair {
  readonly expected: string;
  readonly actual: string;
}

/** Figures of agreement. */
export interface Agreement {
  readonly count: number;
  /** Share of equal ratings, in [0, 1]. */
  readonly accuracy: number;
  /** Cohen's kappa (Cohen 1960): agreement beyond chance, in [-1, 1]; null where one of the raters only ever gave one and the same rating as the other. */
  readonly kappa: number | null;
  /** How often which rating of people met which of the judge. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Compares ratings; undefined for none. */
export function agreementOf(pairs: readonly RatingPair[]): Agreement | undefined {
  if (pairs.length === 0) return undefined;
  const words = [...new Set(pairs.flatMap(({ expected, actual }) => [expected, actual]))].sort();
  const share = (of: (pair: RatingPair) => boolean): number => pairs.filter(of).length / pairs.length;
  const accuracy = share(({ expected, actual }) => expected === actual);
  const chance = words.reduce((sum, word) => sum + share(({ expected }) => expected === word) * share(({ actual }) => actual === word), 0);
  const confusion = Object.fromEntries(words.map((expected) => [expected, Object.fromEntries(words.map((actual) => [actual, pairs.filter((pair) => pair.expected === expected && pair.actual === actual).length]))]));
  return { count: pairs.length, accuracy, kappa: chance === 1 ? null : (accuracy - chance) / (1 - chance), confusion };
}
