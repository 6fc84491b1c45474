/** From the trials of a case to its outcome, under a pass policy. */
import { writtenTurns } from '../evalset/turns';
import type { EvalCase } from '../evalset/types';
import type { CaseFailure, CaseResult, EvalSetResult, MetricResult, MetricSummary, Outcome, PassPolicy, TrialResult } from '../results/model';
import type { ErrorInfo } from '../support/errors';
import type { Profile } from '../support/profile';
import { missed } from './figures';
import { withStability } from './stability';
import { meanFailures, pooledTrial, poolMetrics, summaryFailure, type Directions } from './runs';

/** What a metric that had nothing to judge does to its case. */
export type OnNotEvaluated = 'fail' | 'warn' | 'ignore';

/** What a verdict on one case needs. */
export interface CaseVerdictInput {
  readonly evalSetId: string;
  readonly evalCase: EvalCase;
  /** In order of trial number. */
  readonly trials: readonly TrialResult[];
  readonly passPolicy: PassPolicy;
  readonly profile: Profile;
  readonly directions?: Directions;
  /** What a metric without a verdict does to the case; left out: judged ones fail it, unless the case is none of theirs. */
  readonly onNotEvaluated?: OnNotEvaluated | undefined;
  /** Names of the metrics that ask a judge. */
  readonly judged?: ReadonlySet<string>;
  readonly place?: CaseResult['place'];
}

/**
 * Result of one case.
 *
 * An error in any trial makes the case an error: neither a pass nor a failure, whatever the other trials say.
 * A case in which nothing was judged is an error as well, unless the profile lets it pass.
 */
export function caseVerdict(input: CaseVerdictInput): CaseResult {
  const { evalSetId, evalCase, trials, profile } = input;
  const pooled = trials.map(pooledTrial);
  const metrics = withStability(poolMetrics(pooled, profile, input.directions), trials);
  const errors = trialErrors(trials);
  const verdict = input.passPolicy === 'mean' ? meanFailures(pooled, metrics, profile) : policyFailures(trials, metrics, input.passPolicy, profile);
  const unjudged = errors.length === 0 && verdict.length === 0 ? unjudgedFailures(metrics, profile) : [];
  const silent = verdict.length > 0 || unjudged.length > 0 ? silentFailures(input, metrics).filter(({ metricName }) => ![...verdict, ...unjudged].some((one) => one.metricName === metricName)) : silentFailures(input, metrics);
  // What broke off is told once, by the error itself: not as a policy unmet, nor as a metric that had nothing to score.
  const counted = errors.length === 0 ? verdict : verdict.filter((failure) => failure.kind !== 'policy' && failure.kind !== 'metric_error');
  const failures = [...errors, ...counted, ...unjudged, ...silent];
  const isError = trials.some((trial) => trial.status === 'error') || failures.some((failure) => failure.kind === 'metric_error') || unjudged.length + silent.length > 0;
  const error = trials.find((trial) => trial.error !== undefined)?.error;
  return {
    evalSetId,
    evalId: evalCase.evalId,
    outcome: isError ? 'error' : failures.length > 0 ? 'failed' : 'passed',
    flaky: new Set(trials.map((trial) => trial.status)).size > 1,
    trials,
    metrics,
    failures,
    expected: writtenTurns(evalCase) ?? null,
    ...(error === undefined ? {} : { error }),
    ...(input.place === undefined ? {} : { place: input.place }),
  };
}

/** Result of a case that could not be run at all: its reason, and no trials. */
export function erroredCase(evalSetId: string, evalCase: EvalCase, error: ErrorInfo, place?: CaseResult['place']): CaseResult {
  return {
    evalSetId,
    evalId: evalCase.evalId,
    outcome: 'error',
    flaky: false,
    trials: [],
    metrics: [],
    failures: [{ kind: 'inference_error', message: error.message }],
    expected: writtenTurns(evalCase) ?? null,
    error,
    ...(place === undefined ? {} : { place }),
  };
}

/** Outcome of several cases, or of several sets: an error outweighs a failure, and nothing at all is an error. */
export function overallOutcome(parts: readonly (CaseResult | EvalSetResult)[]): Outcome {
  if (parts.length === 0 || parts.some((part) => part.outcome === 'error')) return 'error';
  return parts.some((part) => part.outcome === 'failed') ? 'failed' : 'passed';
}

/** The pass policy as printed. */
export function policyName(policy: PassPolicy): string {
  return typeof policy === 'string' ? policy : `pass rate ${policy.passRate}`;
}

/** Number of trials, out of `total`, that must pass under a policy that counts trials. */
function requiredPasses(policy: Exclude<PassPolicy, 'mean'>, total: number): number {
  if (policy === 'all') return total;
  if (policy === 'any') return 1;
  if (policy === 'majority') return Math.floor(total / 2) + 1;
  return Math.ceil(policy.passRate * total - 1e-9);
}

function trialErrors(trials: readonly TrialResult[]): readonly CaseFailure[] {
  const byMessage = new Map<string, CaseFailure & { trialNumbers: number[] }>();
  trials.forEach((trial, index) => {
    if (trial.status !== 'error') return;
    const metricsFailed = trial.trial.error === undefined ? trial.metrics.filter((metric) => metric.status === 'error') : [];
    const found: CaseFailure[] = metricsFailed.map((metric) => ({
      kind: 'metric_error',
      metricName: metric.metricName,
      message: metric.error?.message ?? metric.reason ?? 'could not be evaluated',
    }));
    if (found.length === 0) found.push({ kind: trial.trial.error === undefined ? 'metric_error' : 'inference_error', message: trial.error?.message ?? 'error' });
    for (const failure of found) {
      const key = `${failure.kind}\n${failure.metricName ?? ''}\n${failure.message}`;
      const known = byMessage.get(key);
      if (known === undefined) byMessage.set(key, { ...failure, trialNumbers: [index + 1] });
      else known.trialNumbers.push(index + 1);
    }
  });
  return [...byMessage.values()].map(({ trialNumbers, ...failure }) => ({
    ...failure,
    failed: trialNumbers.length,
    total: trials.length,
    message: trialNumbers.length === trials.length ? failure.message : `${failure.message} (${inTrials(trialNumbers, trials.length)})`,
  }));
}

function inTrials(numbers: readonly number[], total: number): string {
  return `trial${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')} of ${total}`;
}

function unjudgedFailures(metrics: readonly MetricSummary[], profile: Profile): readonly CaseFailure[] {
  if (profile.unjudgedPasses || metrics.some((metric) => metric.status === 'passed' || metric.status === 'failed')) return [];
  const reasons = metrics.filter((metric) => metric.status === 'not_evaluated');
  if (reasons.length === 0) return [{ kind: 'not_evaluated', message: 'no metric judged this case' }];
  return reasons.map((metric) => ({
    kind: 'not_evaluated',
    metricName: metric.metricName,
    threshold: metric.threshold,
    message: `nothing to judge: ${metric.reason ?? 'no reason given'}`,
  }));
}

/** A metric that should have said something and did not must not go unseen beside others that passed. */
function silentFailures({ onNotEvaluated, judged, profile }: CaseVerdictInput, metrics: readonly MetricSummary[]): readonly CaseFailure[] {
  if (profile.unjudgedPasses) return [];
  return metrics.flatMap(({ metricName, status, threshold, reason, reasonCode }): readonly CaseFailure[] => {
    const fails = onNotEvaluated === undefined ? judged?.has(metricName) === true && reasonCode !== 'no_expectation' && reasonCode !== 'unsupported_case' : onNotEvaluated === 'fail';
    return status === 'not_evaluated' && fails ? [{ kind: 'not_evaluated', metricName, threshold, message: `not evaluated: ${reason ?? 'no reason given'}` }] : [];
  });
}

function policyFailures(trials: readonly TrialResult[], metrics: readonly MetricSummary[], policy: Exclude<PassPolicy, 'mean'>, profile: Profile): readonly CaseFailure[] {
  const passed = trials.filter((trial) => trial.status === 'passed').length;
  const needed = requiredPasses(policy, trials.length);
  if (passed >= needed && trials.length > 0) return [];
  const byMetric = metrics.flatMap((summary) => {
    const found = trials.flatMap((trial, index) => failedIn(trial, summary.metricName).map((metric) => ({ metric, number: index + 1 })));
    const worst = found[0];
    if (worst === undefined) return summary.status === 'failed' ? [] : summaryFailure(summary, profile);
    const where = trials.length === 1 ? '' : ` (${inTrials(found.map((one) => one.number), trials.length)})`;
    const { metricName, score, threshold } = worst.metric;
    return [{ kind: 'below_threshold' as const, metricName, score, threshold, message: `${missed(score, threshold, summary.direction)}${where}` }];
  });
  const message = `${passed} of ${trials.length} trials passed, the policy "${policyName(policy)}" needs ${needed}`;
  return [...byMetric, { kind: 'policy', failed: trials.length - passed, total: trials.length, message }];
}

function failedIn(trial: TrialResult, metricName: string): readonly MetricResult[] {
  return trial.metrics.filter((metric) => metric.metricName === metricName && metric.status === 'failed');
}
