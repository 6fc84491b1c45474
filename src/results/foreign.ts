import type { MetricStatus } from '../metrics/types';
import type { AdkCaseResult, AdkSetResult } from './adk-model';
import { expectedOf } from './entries';
import { schemaVersion, type CaseFailure, type CaseResult, type EvalSetResult, type MetricResult, type MetricSummary, type Outcome, type TrialResult } from './model';

/** A set that google-adk saved. It says nothing of runs, policy or config: those are filled in as its command line has them. */
export function foreignSet(adk: AdkSetResult, cases: readonly CaseResult[]): EvalSetResult {
  const trials = cases.flatMap((each) => each.trials);
  const startedAt = Math.min(...trials.map(({ trial }) => trial.startedAt), adk.creationTimestamp * 1000);
  return {
    schemaVersion,
    evalSetId: adk.evalSetId,
    appName: trials.find(({ trial }) => trial.ids.appName !== '')?.trial.ids.appName ?? appNameFromId(adk),
    outcome: worst(cases.map((each) => each.outcome)),
    cases,
    numRuns: Math.max(1, ...cases.map((each) => each.trials.length)),
    passPolicy: 'all',
    compatibility: 'google-adk',
    config: { reason: 'unknown' },
    warnings: [],
    startedAt,
    durationMs: Math.max(0, adk.creationTimestamp * 1000 - startedAt),
  };
}

/** A case that google-adk saved: it passes when every run of it did. */
export function foreignCase(evalSetId: string, evalId: string, entries: readonly AdkCaseResult[], trials: readonly TrialResult[]): CaseResult {
  const metrics = summaries(trials);
  const outcome = worst(trials.map(({ status }) => (status === 'not_evaluated' ? 'error' : status)));
  return {
    evalSetId,
    evalId,
    outcome,
    flaky: new Set(trials.map(({ status }) => status)).size > 1,
    trials,
    metrics,
    failures: outcome === 'passed' ? [] : failures(metrics),
    expected: expectedOf(entries),
  };
}

/** Names are `<app>_<set>_<time>`, and both may contain `_`: the id of the set tells where the app's name ends. */
function appNameFromId({ evalSetResultId, evalSetId }: AdkSetResult): string {
  const end = evalSetResultId.lastIndexOf(`_${evalSetId}_`);
  return end > 0 ? evalSetResultId.slice(0, end) : '';
}

function worst(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.length === 0 || outcomes.includes('error')) return 'error';
  return outcomes.includes('failed') ? 'failed' : 'passed';
}

const statusesFromWorst: readonly MetricStatus[] = ['error', 'failed', 'not_evaluated', 'passed', 'informational'];

function summaries(trials: readonly TrialResult[]): MetricSummary[] {
  const byName = new Map<string, MetricResult[]>();
  for (const metric of trials.flatMap((each) => each.metrics)) byName.set(metric.metricName, [...(byName.get(metric.metricName) ?? []), metric]);
  return [...byName].map(([metricName, results]) => {
    const scores = results.flatMap(({ score }) => score ?? []);
    return {
      metricName,
      threshold: results[0]?.threshold ?? null,
      direction: 'max',
      score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
      status: statusesFromWorst.find((status) => results.some((result) => result.status === status)) ?? 'not_evaluated',
      rows: results.reduce((rows, result) => rows + result.perInvocation.length, 0),
    };
  });
}

function failures(metrics: readonly MetricSummary[]): CaseFailure[] {
  const missed = metrics.filter(({ status }) => status === 'failed' || status === 'not_evaluated');
  if (missed.length === 0) return [{ kind: 'trials_without_results', message: 'The file holds no score for this case.' }];
  return missed.map(({ metricName, score, threshold, status }): CaseFailure =>
    status === 'failed'
      ? { kind: 'below_threshold', metricName, score, threshold, message: `${metricName} ${score}, needs ${threshold}` }
      : { kind: 'not_evaluated', metricName, score, threshold, message: `${metricName} was not evaluated` });
}
