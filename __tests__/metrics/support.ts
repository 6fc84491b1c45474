import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Criterion } from '../../src/config/types';
import { invocationFromJson } from '../../src/evalset/parts';
import type { FunctionCall, Invocation } from '../../src/evalset/types';
import type { ActualInvocation, ObservedToolCall } from '../../src/inference/types';
import { evalMetricFromJson } from '../../src/metrics/eval-metric';
import { evaluateMetric, makeMetric, type CustomMetrics } from '../../src/metrics/registry';
import type { MetricContext, MetricInput, MetricScore } from '../../src/metrics/types';
import { JestAdkError } from '../../src/support/errors';
import { parseJson } from '../../src/support/json';
import { defaultProfile, googleAdkProfile, type Profile } from '../../src/support/profile';

/** Cases of one golden file. */
export function golden<I, E>(subject: string): { name: string; input: I; expected: E }[] {
  const file = join(__dirname, '../fixtures/golden/core', `${subject}.json`);
  return (parseJson(readFileSync(file, 'utf8')) as { cases: { name: string; input: I; expected: E }[] }).cases;
}

/** An expected turn: what is said, what is called. */
export function turn(text?: string, toolUses: readonly FunctionCall[] = []): Invocation {
  return {
    invocationId: '',
    userContent: { parts: [{ text: 'q' }], role: 'user' },
    ...(text === undefined ? {} : { finalResponse: { parts: [{ text }], role: 'model' } }),
    intermediateData: { toolUses, toolResponses: [], intermediateResponses: [] },
    creationTimestamp: 0,
  };
}

/** An observed turn; calls without a group stand in events of their own. */
export function observed(text: string | undefined, calls: readonly Partial<ObservedToolCall>[] = [], more: Partial<ActualInvocation> = {}): ActualInvocation {
  return {
    ...turn(text),
    outcome: text === undefined && calls.length === 0 ? 'unanswered' : 'answered',
    responses: text === undefined ? [] : [{ author: 'root', content: { parts: [{ text }], role: 'model' } }],
    toolCalls: calls.map((call, index) => ({ name: 'tool', author: 'root', group: index, ...call })),
    usageByModel: [],
    latencyMs: 10,
    pendingTools: [],
    ...more,
  };
}

export interface Scored extends MetricScore {
  readonly warnings: readonly string[];
}

/** Makes a metric and scores one trial with it. */
export async function score(
  metricName: string,
  criterion: Criterion,
  input: Pick<MetricInput, 'actual' | 'expected'> & Partial<MetricInput>,
  options: { profile?: Profile; custom?: CustomMetrics; selection?: MetricContext['selection'] } = {},
): Promise<Scored> {
  const profile = options.profile ?? defaultProfile;
  const warnings: string[] = [];
  const made = makeMetric({ metricName, criterion }, profile, options.custom);
  const context: MetricContext = {
    profile,
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
    ...(options.selection === undefined ? {} : { selection: options.selection }),
  };
  return { ...(await evaluateMetric(made, { scenario: null, ...input }, context)), warnings };
}

export const python = googleAdkProfile;

/** A turn of a golden file. */
export const invocationOf = (json: unknown): Invocation => invocationFromJson(json, googleAdkProfile);

export interface GoldenMetricInput {
  readonly metric: unknown;
  readonly actual: readonly unknown[];
  readonly expected?: readonly unknown[] | null;
}

/** Runs a golden case of one metric under google-adk: scores and statuses, or `raises`. */
export async function runGolden({ metric, actual, expected }: GoldenMetricInput): Promise<{ score?: MetricScore; raises?: JestAdkError }> {
  try {
    const made = makeMetric(evalMetricFromJson(metric, googleAdkProfile), googleAdkProfile);
    const context = { profile: googleAdkProfile, signal: new AbortController().signal, warn: () => undefined };
    const input = { actual: actual.map(invocationOf), expected: expected?.map(invocationOf) ?? null, scenario: null };
    return { score: await evaluateMetric(made, input, context) };
  } catch (error) {
    if (error instanceof JestAdkError) return { raises: error };
    throw error;
  }
}

/** ADK's name of a status. */
export const adkStatus = (status: string): string => status.toUpperCase();
