/** All trials of one case together: pooled means, and the verdict of google-adk's `AgentEvaluator`. Source: google-adk 2.13 `agent_evaluator.py`. */
import type { MetricStatus, ReasonCode } from '../metrics/types';
import type { CaseFailure, MetricSummary, TrialResult } from '../results/model';
import type { Profile } from '../support/profile';
import { exactMean } from '../support/exact-mean';
import { missed } from './figures';

/** One metric of one turn. */
export interface PooledRow {
  readonly metricName: string;
  /** The criterion's threshold, else the metric's own; null when there is neither. */
  readonly threshold: number | null;
  readonly score: number | null;
  readonly status: MetricStatus;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
}

/** One trial as far as pooling looks at it. `rows` in order of turns, then metrics. */
export interface PooledTrial {
  readonly status: TrialResult['status'];
  readonly rows: readonly PooledRow[];
  /** Why the agent could not be asked. */
  readonly error?: string;
}

/** Directions that metrics declare; those not named are inferred from their own verdicts. */
export type Directions = ReadonlyMap<string, 'max' | 'min'>;

/** Turn results of a trial; a metric without a per-turn view contributes its overall score as one row. */
export function pooledTrial(trial: TrialResult): PooledTrial {
  const rows: PooledRow[] = [];
  const turns = Math.max(1, ...trial.metrics.map((metric) => metric.perInvocation.length));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const metric of trial.metrics) {
      const overallOnly = turn === 0 && metric.perInvocation.length === 0 && (metric.score !== null || metric.status === 'error');
      const one = overallOnly ? metric : metric.perInvocation[turn];
      if (one === undefined) continue;
      const { reason, reasonCode } = one.reason === undefined ? metric : one;
      const row = { metricName: metric.metricName, threshold: metric.criterion?.threshold ?? metric.threshold, score: one.score, status: one.status };
      rows.push(reason === undefined ? row : { ...row, reason, ...(reasonCode === undefined ? {} : { reasonCode }) });
    }
  }
  return trial.error === undefined ? { status: trial.status, rows } : { status: trial.status, rows, error: trial.error.message };
}

/** Pools every metric over all turns of all trials, in order of first appearance. */
export function poolMetrics(trials: readonly PooledTrial[], profile: Profile, directions: Directions = new Map()): readonly MetricSummary[] {
  const byName = new Map<string, PooledRow[]>();
  for (const row of trials.flatMap((trial) => trial.rows)) {
    const rows = byName.get(row.metricName);
    if (rows === undefined) byName.set(row.metricName, [row]);
    else rows.push(row);
  }
  return [...byName].map(([name, rows]) => poolMetric(name, rows, profile, directions.get(name)));
}

function poolMetric(metricName: string, rows: readonly PooledRow[], profile: Profile, declared: 'max' | 'min' | undefined): MetricSummary {
  const score = exactMean(rows.flatMap((row) => (row.score === null ? [] : [row.score])));
  const first = rows[0];
  const threshold = first?.threshold ?? null;
  const direction = declared ?? inferDirection(rows, threshold, profile);
  const as = (status: MetricStatus, because?: PooledRow): MetricSummary => {
    const summary = { metricName, threshold: status === 'informational' ? null : threshold, direction, score, status, rows: rows.length };
    if (because?.reason === undefined) return summary;
    return { ...summary, ...(because.reasonCode === undefined ? {} : { reasonCode: because.reasonCode }), reason: because.reason };
  };
  const failed = profile.unevaluatedPasses ? undefined : rows.find((row) => row.status === 'error');
  if (failed !== undefined) return as('error', failed);
  if (threshold === null || first?.status === 'informational') return as('informational');
  if (score === null) return as('not_evaluated', rows.find((row) => row.reason !== undefined && row.reasonCode !== 'whole_conversation') ?? rows.find((row) => row.reason !== undefined));
  return as(reaches(score, threshold, direction, profile) ? 'passed' : 'failed');
}

/** Whether a score is on the passing side of its threshold, within the profile's tolerance. */
function reaches(score: number, threshold: number, direction: 'max' | 'min', profile: Profile): boolean {
  return direction === 'max' ? score >= threshold - profile.thresholdTolerance : score <= threshold + profile.thresholdTolerance;
}

/** `min` when every verdict off the threshold says that lower passes; anything mixed or silent means higher is better. */
function inferDirection(rows: readonly PooledRow[], threshold: number | null, profile: Profile): 'max' | 'min' {
  if (threshold === null) return 'max';
  const isOff = (score: number | null): score is number => score !== null && Math.abs(score - threshold) > profile.thresholdTolerance;
  const verdicts = rows.flatMap(({ score, status }) => (isOff(score) && (status === 'passed' || status === 'failed') ? [score > threshold === (status === 'passed')] : []));
  return verdicts.length > 0 && !verdicts.includes(true) ? 'min' : 'max';
}

/**
 * What `AgentEvaluator` reports for a case: metrics first, then trials that failed without any metric result.
 * Empty means passed.
 */
export function meanFailures(trials: readonly PooledTrial[], summaries: readonly MetricSummary[], profile: Profile): readonly CaseFailure[] {
  const failures = summaries.flatMap((summary) => summaryFailure(summary, profile));
  const lost = trials.filter((trial) => trial.status === 'failed' && trial.rows.length === 0);
  if (lost.length === 0) return failures;
  const why = lost.find((trial) => trial.error !== undefined)?.error;
  const message = `${lost.length} of ${trials.length} trials failed without any metric result${why === undefined ? '' : `: ${why}`}`;
  return [...failures, { kind: 'trials_without_results', failed: lost.length, total: trials.length, message }];
}

/** The failure that one pooled metric amounts to, if any. */
export function summaryFailure(summary: MetricSummary, profile: Profile): readonly CaseFailure[] {
  const { metricName, score, threshold, reason } = summary;
  const because = reason === undefined ? '' : `: ${reason}`;
  switch (summary.status) {
    case 'failed':
      return [{ kind: 'below_threshold', metricName, score, threshold, message: missed(score, threshold, summary.direction) }];
    case 'error':
      return [{ kind: 'metric_error', metricName, score, threshold, message: `could not be evaluated${because}` }];
    case 'not_evaluated':
      return profile.nothingToJudgeFails ? [{ kind: 'not_evaluated', metricName, threshold, message: `not evaluated${because}` }] : [];
    default:
      return [];
  }
}
