import type { CaseResult, EvaluationResult } from '../../results/model';

/** What a case means for the exit code. */
export type Verdict = 'passed' | 'failed' | 'error' | 'not_run';

/** Failures that are verdicts: somebody judged, or had nothing to judge. */
const verdicts: ReadonlySet<string> = new Set(['below_threshold', 'not_evaluated', 'trials_without_results', 'policy']);

/**
 * A case without a judged metric has not passed, and nothing went wrong with it: also when a metric of the user's declined to judge. A case that was cut off because the evaluation was ended is no
 * verdict and no error of its own.
 */
export function verdictOf(result: CaseResult): Verdict {
  if (result.outcome !== 'error') return result.outcome;
  const cutOff = result.trials.filter((trial) => trial.trial.endReason === 'aborted').length;
  const broken = result.trials.some((trial) => trial.status === 'error' && trial.trial.endReason !== 'aborted');
  if (cutOff > 0 && !broken) return 'not_run';
  const silent = new Set(result.metrics.filter(({ status }) => status === 'not_evaluated').map(({ metricName }) => metricName));
  return result.failures.every(({ kind, metricName }) => verdicts.has(kind) || (kind === 'metric_error' && metricName !== undefined && silent.has(metricName))) ? 'failed' : 'error';
}

/**
 * 0: every case passed. 1: a case did not, and nothing went wrong. 2: something did, or nothing ran; it wins over 1.
 *
 * @param endedEarly  the rest was left out on purpose, after a case that did not pass
 */
export function exitCodeOf(result: EvaluationResult, endedEarly = false): 0 | 1 | 2 {
  const found = result.sets.flatMap((set) => set.cases).map(verdictOf);
  if (found.length === 0 || found.includes('error') || result.sets.some((set) => set.error !== undefined)) return 2;
  if (found.includes('not_run') && !endedEarly) return 2;
  return found.every((verdict) => verdict === 'passed') ? 0 : 1;
}
