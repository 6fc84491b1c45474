import type { EvalSetResult, TrialResult } from './model';

/** Whether the agent answered to the end, so that there was something to score. */
export function isScored({ trial }: TrialResult): boolean {
  return trial.error === undefined;
}

/** Whether any trial of a set was scored. */
export function hasScored(result: EvalSetResult): boolean {
  return result.cases.some((each) => each.trials.some(isScored));
}
