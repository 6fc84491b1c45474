import type { CaseResult, EvaluationResult, EvalSetResult, MetricResult, MetricSummary, TrialResult } from '../src/results/model';
import { hintFor, refuseUnknown, type MatcherContext, type MatcherResult } from './support/context';

/** Bounds of `toHaveMetricScore`; at least one of them. */
export interface ScoreBounds {
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Scored {
  readonly label: string;
  readonly metrics: readonly (MetricSummary | MetricResult)[];
}

/** A score this far beyond a bound still counts, as thresholds do. */
const tolerance = 1e-9;

/** Looks at the score of one metric, in every case of a result. */
export function toHaveMetricScore(this: MatcherContext, received: unknown, metricName: string, bounds: ScoreBounds): MatcherResult {
  const hint = hintFor(this, 'toHaveMetricScore', 'result', JSON.stringify(metricName), describe(bounds));
  const refuse = (what: string): Error => new Error(`${hint}\n\n${what}`);
  refuseUnknown(hint, bounds ?? {}, ['atLeast', 'atMost']);
  const given = Object.values(bounds ?? {}).filter((bound) => bound !== undefined);
  const { atLeast = -Infinity, atMost = Infinity } = bounds ?? {};
  if (given.length === 0 || !given.every(Number.isFinite)) throw refuse('The second argument must be { atLeast: number }, { atMost: number } or both.');
  const scored = scoresOf(received);
  if (scored === undefined || scored.length === 0) throw refuse('The received value must be a result with cases: of an evaluation, an eval set, a case or a trial.');
  const found = scored.map(({ label, metrics }) => {
    const metric = metrics.find((one) => one.metricName === metricName);
    if (metric === undefined) throw refuse(`${label}: no metric ${JSON.stringify(metricName)} was scored. Scored were: ${metrics.map((one) => one.metricName).join(', ') || 'none'}.`);
    if (metric.score === null) throw refuse(`${label}: ${metricName} has no score (${metric.status}${metric.reason === undefined ? '' : `: ${metric.reason}`}).`);
    return { label, score: metric.score, holds: metric.score >= atLeast - tolerance && metric.score <= atMost + tolerance };
  });
  const isNot = this.isNot === true;
  return {
    pass: isNot ? found.some(({ holds }) => holds) : found.every(({ holds }) => holds),
    message: () => [hint, '', ...found.filter(({ holds }) => holds === isNot).map(({ label, score }) => `  ✗ ${label}  ${metricName}  ${figure(score)}, needs ${isNot ? 'not ' : ''}${describe(bounds)}`)].join('\n'),
  };
}

function scoresOf(value: unknown): readonly Scored[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { sets, cases, metrics } = value as Partial<EvaluationResult & EvalSetResult & CaseResult>;
  if (Array.isArray(sets)) return (sets as EvalSetResult[]).flatMap((set) => scoresOf(set) ?? []);
  if (Array.isArray(cases)) return (cases as CaseResult[]).flatMap((one) => scoresOf(one) ?? []);
  if (!Array.isArray(metrics)) return undefined;
  const { evalSetId, evalId, trial } = value as Partial<CaseResult & TrialResult>;
  return [{ label: evalSetId === undefined ? `${trial?.evalId}, trial ${(trial?.trial ?? 0) + 1}` : `${evalSetId} › ${evalId}`, metrics }];
}

function describe({ atLeast, atMost }: ScoreBounds = {}): string {
  return [atLeast === undefined ? '' : `at least ${atLeast}`, atMost === undefined ? '' : `at most ${atMost}`].filter((text) => text !== '').join(' and ');
}

function figure(score: number): string {
  return Number.isInteger(score) ? score.toFixed(2) : String(Number(score.toPrecision(6)));
}
