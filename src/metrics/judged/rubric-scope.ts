/** Which rubrics a turn is judged by. */
import type { Invocation, Rubric } from '../../evalset/types';

/** The rubrics of a turn, or why there is no list. */
export type RubricScope =
  | { readonly rubrics: readonly Rubric[]; readonly dropped: readonly string[] }
  | { readonly error: 'rubrics_required' | 'duplicate_rubric_id'; readonly rubricId: string | null };

/**
 * Rubrics of the criterion, whatever their type, then those of the turn (its case's among them) that have the metric's type.
 *
 * @param type  `FINAL_RESPONSE_QUALITY`, `TOOL_USE_QUALITY` or `TRAJECTORY_QUALITY`
 * @returns `dropped`: ids of the turn's rubrics without any type, which no metric uses
 */
export function rubricsOfTurn(ofCriterion: readonly Rubric[], turn: Pick<Invocation, 'rubrics'>, type: string): RubricScope {
  const own = turn.rubrics ?? [];
  const rubrics = [...ofCriterion, ...own.filter((rubric) => rubric.type === type)];
  const seen = new Set<string>();
  for (const { rubricId } of rubrics) {
    if (seen.has(rubricId)) return { error: 'duplicate_rubric_id', rubricId };
    seen.add(rubricId);
  }
  if (rubrics.length === 0) return { error: 'rubrics_required', rubricId: null };
  return { rubrics, dropped: own.filter((rubric) => rubric.type === undefined).map(({ rubricId }) => rubricId) };
}

/** Rubrics in another order for each sample, the same for the same seed; without a seed as they are. (Fisher and Yates, over a linear congruential generator.) */
export function shuffled<T>(items: readonly T[], seed: number | undefined, sample: number): readonly T[] {
  if (seed === undefined) return items;
  const order = [...items];
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(sample + 1, 0x85ebca6b)) >>> 0;
  for (let last = order.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
