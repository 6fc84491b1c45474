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

/**
 * Agreement of several raters beyond chance (Fleiss 1971).
 *
 * @param table  a row for each thing that was rated, with how many raters chose each category; all rows have the same number of ratings, at least 2
 * @returns in [-1, 1]; null where everybody always chose one and the same category
 */
export function fleissKappa(table: readonly (readonly number[])[]): number | null {
  const raters = (table[0] ?? []).reduce((sum, count) => sum + count, 0);
  const categories = (table[0] ?? []).map((_, at) => table.reduce((sum, row) => sum + (row[at] ?? 0), 0) / (table.length * raters));
  const chance = categories.reduce((sum, share) => sum + share ** 2, 0);
  const observed = table.reduce((sum, row) => sum + (row.reduce((squares, count) => squares + count ** 2, 0) - raters) / (raters * (raters - 1)), 0) / table.length;
  return table.length === 0 || raters < 2 || chance === 1 ? null : (observed - chance) / (1 - chance);
}
