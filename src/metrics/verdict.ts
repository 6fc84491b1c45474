import type { MetricInfo } from '../config/types';
import type { Profile } from '../support/profile';
import type { MetricStatus } from './types';

/** Higher is better, or a cost whose threshold is a budget. */
export type Direction = NonNullable<MetricInfo['direction']>;

/**
 * Verdict on a score. A score within the profile's tolerance of the threshold passes; no threshold means that the score is only recorded.
 * There is no range check: a threshold of 0 always passes, one of 1.5 never does.
 */
export function judge(score: number, threshold: number | null, profile: Pick<Profile, 'thresholdTolerance'>, direction: Direction = 'max'): MetricStatus {
  if (threshold === null) return 'informational';
  const distance = direction === 'max' ? score - threshold : threshold - score;
  return distance >= -profile.thresholdTolerance ? 'passed' : 'failed';
}

/** Sum from the first to the last, divided by the count: the order of the reference, whose rounding shows. Undefined for no numbers. */
export function mean(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined;
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
