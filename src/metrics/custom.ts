import type { Criterion, MetricInfo } from '../config/types';
import type { ConversationScenario, Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { abortReason } from '../support/abort-reason';
import { JestAdkError, refusal, toErrorInfo } from '../support/errors';
import { CriterionFields } from './criterion-fields';
import { readMetricResult } from './custom-result';
import type { Metric, MetricContext, MetricInput } from './types';

/** What a custom metric is told about itself (ADK's `EvalMetric`). Under google-adk `threshold` is null and the criterion has it. */
export interface CustomMetricSpec {
  readonly metricName: string;
  readonly threshold: number | null;
  readonly criterion: Criterion;
}

/** Score of one turn, as a custom metric gives it. Without a status the threshold decides. */
export interface CustomTurnResult {
  readonly score?: number | null;
  readonly evalStatus?: string | number;
  readonly reason?: string;
}

/**
 * What a custom metric may return: a number, a score with a reason, or ADK's `EvaluationResult`. A status is a name (`PASSED`, `failed`) or
 * ADK's number, and is taken as it is; without one the threshold decides.
 */
export type CustomMetricResult =
  | number
  | { readonly score: number | null; readonly reason?: string }
  | {
      readonly overallScore?: number | null;
      readonly overallEvalStatus?: string | number;
      readonly perInvocationResults?: readonly CustomTurnResult[];
      readonly reason?: string;
    };

/** A metric of the user's own. It gets copies, and may be async. `expected` is null for a conversation scenario. */
export type CustomMetricFunction = (
  metric: CustomMetricSpec,
  actual: readonly (Invocation | ActualInvocation)[],
  expected: readonly Invocation[] | null,
  scenario: ConversationScenario | null,
) => CustomMetricResult | Promise<CustomMetricResult>;

/**
 * Makes a metric of a function.
 *
 * @param name  the name in the criteria
 * @param fn  called once per trial; what it throws makes the metric an error
 * @param info  range and direction; `direction: 'min'`, here or in the criterion, turns the threshold into a budget
 */
export function customMetric(name: string, fn: CustomMetricFunction | ((...args: never[]) => unknown), info: MetricInfo = { metricName: name, metricValueInfo: {} }): Metric {
  return {
    name,
    info: { ...info, metricName: name },
    needs: [],
    readCriterion(raw, profile) {
      // Other keys are the function's own, so a misspelt one cannot be told from them.
      const fields = new CriterionFields(raw, [], profile);
      if (profile.name === 'default') fields.choice('direction', ['max', 'min'] as const);
      return { criterion: raw, problems: fields.problems };
    },
    evaluate: async (input, context) => readMetricResult(await call(name, fn as CustomMetricFunction, input, context), { name, info, input, context }),
  };
}

async function call(name: string, fn: CustomMetricFunction, input: MetricInput, context: MetricContext): Promise<unknown> {
  const spec: CustomMetricSpec = {
    metricName: name,
    threshold: context.profile.name === 'google-adk' ? null : input.threshold,
    criterion: copy(input.criterion),
  };
  const run = async (): Promise<unknown> => fn(spec, copy(input.actual), copy(input.expected), copy(input.scenario));
  try {
    return await untilAborted(run(), context.signal);
  } catch (thrown) {
    if (thrown === aborted && isTimeout(context.signal.reason)) throw context.signal.reason;
    if (thrown === aborted) throw refusal('metric_aborted', `${name} was still running when the evaluation was aborted${abortReason(context.signal.reason)}.`);
    const { message } = toErrorInfo(thrown);
    throw new JestAdkError('custom_metric_failed', [{ code: 'custom_metric_failed', message: `${name} threw: ${message}` }], { cause: thrown });
  }
}

const aborted = Symbol('aborted');

function isTimeout(reason: unknown): reason is JestAdkError {
  return reason instanceof JestAdkError && reason.code === 'metric_timeout';
}

/** A function may ignore the signal, so it is left behind. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(aborted);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/** A deep copy of plain data; what is no plain object or list (a matcher in expected arguments) stays what it is. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item as unknown)])) as T;
}


/** Whether an object is no instance of a class, in any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
