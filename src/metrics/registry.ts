import type { Criterion } from '../config/types';
import { JestAdkError, refusal, toErrorInfo, type ErrorInfo, type Problem } from '../support/errors';
import { didYouMean } from '../support/nearest';
import type { Profile } from '../support/profile';
import { artifactMatch } from './artifact-match';
import { budgetMetrics } from './budgets';
import { directionOf } from './custom-result';
import { finalSessionStateMatch } from './final-session-state';
import type { ModelClient } from '../judge/client';
import type { VertexService } from '../judge/vertex';
import { inferenceCallCount } from './inference-call-count';
import { invocationDuration } from './invocation-duration';
import { finalResponseMatchV2 } from './judged/final-response-match';
import { hallucinationsV1 } from './judged/hallucinations';
import { rubricMetrics } from './judged/rubrics';
import { serviceMetrics } from './judged/service-metrics';
import { perTurnUserSimulatorQualityV1 } from './judged/user-quality';
import { responseContains } from './response-contains';
import { responseExactMatch } from './response-exact-match';
import { responseJsonEquality } from './response-json-equality';
import { responseMatchScore } from './response-match';
import { responseRegex } from './response-regex';
import { tokenUsageMetric } from './token-usage';
import { toolCallCount } from './tool-call-count';
import { toolTrajectoryAvgScore } from './tool-trajectory';
import type { Metric, MetricContext, MetricInput, MetricScore } from './types';

/** Metrics that run on every case of every set without being named, in this order. */
const always: readonly Metric[] = [toolCallCount, inferenceCallCount, tokenUsageMetric, invocationDuration];

/** Metrics that ask a judge, or a service. */
const judged: readonly Metric[] = [finalResponseMatchV2, ...rubricMetrics, hallucinationsV1, ...serviceMetrics, perTurnUserSimulatorQualityV1];

/** Metrics of the reference: the only ones under google-adk. */
const reference: readonly Metric[] = [toolTrajectoryAvgScore, responseMatchScore, ...always, ...judged];

/** Every metric that can be named in a config. A new metric is one file and one entry here. */
const builtIn: ReadonlyMap<string, Metric> = new Map(
  [
    ...reference,
    responseExactMatch,
    responseContains,
    responseRegex,
    responseJsonEquality,
    finalSessionStateMatch as Metric,
    artifactMatch as Metric,
    ...budgetMetrics,
  ].map((metric) => [metric.name, metric]),
);

/** A metric as configured (ADK's `EvalMetric`). The criterion's threshold wins over the metric's own. */
export interface MetricSpec {
  readonly metricName: string;
  readonly threshold?: number | null;
  readonly criterion?: Criterion | null;
}

/** A metric that is ready to score. `error`: it could not be made, which only the google-adk profile lets pass until it runs. */
export interface MadeMetric {
  readonly metric: Metric;
  /** As configured, for the results; null when there is none. */
  readonly criterion: Criterion | null;
  readonly threshold: number | null;
  /** The criterion as the metric read it, for `Metric.evaluate`. */
  readonly prepared?: Criterion;
  readonly error?: ErrorInfo;
  /** The model, or the service, that judges; the plan finds it. */
  readonly judge?: ModelClient;
  readonly vertex?: VertexService;
}

/** Metrics given by the user, by name. One may replace a built-in metric. */
export type CustomMetrics = ReadonlyMap<string, Metric>;

/** Names that a config may use, sorted. */
export function metricNames(custom?: CustomMetrics): string[] {
  return [...new Set([...builtIn.keys(), ...(custom?.keys() ?? [])])].filter((name) => builtIn.get(name)?.neverJudged !== true).sort();
}

/**
 * Makes one metric and checks its criterion.
 *
 * @throws {JestAdkError} `unknown_metric`, `threshold_refused`, `no_threshold` or `bad_criterion`; problem paths are relative to the metric
 */
export function makeMetric(spec: MetricSpec, profile: Profile, custom?: CustomMetrics): MadeMetric {
  const metric = custom?.get(spec.metricName) ?? builtIn.get(spec.metricName);
  if (metric === undefined) throw unknownMetric(spec.metricName, custom);
  if (profile.name === 'google-adk' && builtIn.get(spec.metricName) === metric && !reference.includes(metric)) {
    throw refusal('unknown_metric', `google-adk has no metric ${JSON.stringify(spec.metricName)}.`, 'Leave the compatibility option out to use it.');
  }
  const criterion = spec.criterion ?? null;
  if (metric.neverJudged === true) {
    if (criterion === null && (spec.threshold ?? null) === null) return { metric, criterion, threshold: null };
    const hint = 'It is recorded for every case. To set a budget, name turn_tokens, turn_tool_calls, turn_model_calls, turn_latency_ms or their total_ forms.';
    throw refusal('threshold_refused', `${metric.name} is informational and takes no threshold or criterion.`, hint);
  }
  const given = criterion === null ? spec.threshold : criterion.threshold;
  const threshold = given === undefined && profile.criteriaCheckedLate && metric === custom?.get(spec.metricName) ? null : given; // google-adk leaves it to the metric
  if (threshold === undefined || (threshold === null && given === null && (criterion === null || profile.criteriaCheckedLate))) {
    throw refusal('no_threshold', `${metric.name} has no threshold.`);
  }
  const prepared = readCriterion(metric, criterion, threshold, profile);
  return { metric: builtIn.get(metric.name) === metric ? metric : withDirection(metric, criterion, profile), criterion, threshold, prepared };
}

/** A custom metric may be given its direction by the criterion, where google-adk reads over it. */
function withDirection(metric: Metric, criterion: Criterion | null, profile: Profile): Metric {
  const direction = directionOf(metric.info, criterion, profile);
  if (direction === (metric.info.direction ?? 'max')) return metric;
  // A metric of the user's may be an instance of a class, so it is not spread.
  return Object.create(metric, { info: { value: { ...metric.info, direction }, enumerable: true } }) as Metric;
}

function readCriterion(metric: Metric, criterion: Criterion | null, threshold: number | null, profile: Profile): Criterion {
  const { criterion: read, problems } = metric.readCriterion(criterion ?? { threshold }, profile);
  const errors = problems.filter((item) => item.severity !== 'warning');
  if (errors.length > 0) throw new JestAdkError('bad_criterion', errors);
  return read;
}

/** What the metrics of ours say of their own fields in a criterion that is refused for another reason; nothing for other names. */
export function criterionChecker(profile: Profile): (metricName: string, criterion: Criterion) => readonly Problem[] {
  return (metricName, criterion) => (builtIn.get(metricName)?.readCriterion(criterion, profile).problems ?? []).filter((item) => item.severity !== 'warning');
}

/** Like `makeMetric`, but a metric that cannot be made is kept with its `error`: as google-adk, which finds out while running. */
export function makeMetricLate(spec: MetricSpec, profile: Profile, custom?: CustomMetrics): MadeMetric {
  try {
    return makeMetric(spec, profile, custom);
  } catch (error) {
    const criterion = spec.criterion ?? null;
    return { metric: unmade(spec.metricName), criterion, threshold: criterion?.threshold ?? spec.threshold ?? null, error: toErrorInfo(error) };
  }
}

/**
 * Makes the metrics of a config: its criteria in order, then the informational ones that are not named. Every problem at once, with paths from
 * the top of the config; under google-adk a metric that cannot be made is kept with its `error` instead.
 */
export function makeMetrics(criteria: ReadonlyMap<string, Criterion>, profile: Profile, custom?: CustomMetrics): { readonly metrics: MadeMetric[]; readonly problems: Problem[] } {
  const made: MadeMetric[] = [];
  const problems: Problem[] = [];
  for (const [metricName, criterion] of criteria) {
    const spec = { metricName, threshold: criterion.threshold, criterion };
    try {
      made.push(profile.criteriaCheckedLate ? makeMetricLate(spec, profile, custom) : makeMetric(spec, profile, custom));
    } catch (error) {
      if (!(error instanceof JestAdkError)) throw error;
      problems.push(...error.problems.map((item) => ({ ...item, path: ['criteria', metricName, ...(item.path ?? [])] })));
    }
  }
  for (const metric of always) {
    if (!criteria.has(metric.name)) made.push({ metric: custom?.get(metric.name) ?? metric, criterion: null, threshold: null });
  }
  return { metrics: made, problems };
}

/**
 * Runs a made metric on one trial.
 *
 * @throws {JestAdkError} the reason why it was not made or its criterion cannot be read; whatever a metric throws
 */
export async function evaluateMetric(made: MadeMetric, input: Omit<MetricInput, 'criterion' | 'threshold'>, context: MetricContext): Promise<MetricScore> {
  if (made.error !== undefined) throw refusal(made.error.code, made.error.message);
  const criterion = made.prepared ?? readCriterion(made.metric, made.criterion, made.threshold, context.profile);
  const { judge, vertex } = made;
  const withJudge = judge === undefined && vertex === undefined ? context : { ...context, ...(judge === undefined ? {} : { judge }), ...(vertex === undefined ? {} : { vertex }) };
  return made.metric.evaluate({ ...input, criterion, threshold: made.threshold }, withJudge);
}

/** Stands in the list for a metric that could not be made. */
function unmade(name: string): Metric {
  return {
    name,
    info: { metricName: name, metricValueInfo: {} },
    needs: [],
    readCriterion: (criterion) => ({ criterion, problems: [] }),
    evaluate: () => ({ score: null, status: 'not_evaluated', reasonCode: 'config', reason: `${name} could not be made.`, perInvocation: [] }),
  };
}

function unknownMetric(name: string, custom: CustomMetrics | undefined): JestAdkError {
  const supported = `Supported: ${metricNames(custom).join(', ')}.`;
  return refusal('unknown_metric', `Unknown metric ${JSON.stringify(name)}.`, [didYouMean(name, metricNames(custom)), supported].filter(Boolean).join(' '));
}
