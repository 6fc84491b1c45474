/** Makes one verdict of several samples. Pure figures: thresholds are the metrics' business. */

/** Sides of a vote; an abstention was answered and takes no side. */
export interface Tally {
  readonly yes: number;
  readonly no: number;
  readonly abstained: number;
  /** Share of the larger side among yes and no, in [0.5, 1]; null without either. */
  readonly agreement: number | null;
}

/** Counts scores: 1 is a yes, any other figure a no, null an abstention. */
export function tally(scores: readonly (number | null)[]): Tally {
  const yes = scores.filter((score) => score === 1).length;
  const abstained = scores.filter((score) => score === null).length;
  const no = scores.length - yes - abstained;
  return { yes, no, abstained, agreement: yes + no === 0 ? null : Math.max(yes, no) / (yes + no) };
}

/**
 * The entry that speaks for all: the first yes when there are more of them than of the others, else the first no; the first abstention when there is nothing else.
 *
 * @returns undefined for no entries
 */
export function winner<T extends { readonly score: number | null }>(entries: readonly T[]): T | undefined {
  const { yes, no } = tally(entries.map(({ score }) => score));
  if (yes + no === 0) return entries[0];
  return yes > no ? entries.find(({ score }) => score === 1) : entries.find(({ score }) => score !== null && score !== 1);
}

/** Whether the outcome stands whatever the samples that were not asked yet would say: a tie is a no. */
export function isSettled(scores: readonly (number | null)[], remaining: number): boolean {
  const { yes, no } = tally(scores);
  return yes > no + remaining || no >= yes + remaining;
}

/** Samples that must have been answered for a vote to count: more than half. */
export function quorum(samples: number): number {
  return Math.floor(samples / 2) + 1;
}
