/** Runs a judge over examples that people have labelled. */
import type { Invocation, Rubric } from '../evalset/types';
import type { JudgeSource } from '../judge/types';
import type { UsageByRole } from '../judge/usage';
import { evaluateMetric, makeMetric } from '../metrics/registry';
import type { MetricScore } from '../metrics/types';
import { readDocument } from '../support/document';
import { JestAdkError, refusal, toErrorInfo, type Problem } from '../support/errors';
import { agreementOf, type Agreement } from '../support/agreement';
import { defaultProfile } from '../support/profile';
import { Models } from './judges';
import type { Host } from './types';

/** A file of labelled examples. */
export interface LabelledFile {
  readonly metric: string;
  /** Of the metric; a threshold is not needed. */
  readonly criterion: Readonly<Record<string, unknown>>;
  readonly examples: readonly LabelledExample[];
}

/** One example: a turn, and what people say of it. */
export interface LabelledExample {
  readonly id: string;
  readonly user: string;
  readonly response: string;
  readonly reference?: string;
  /** `valid`/`invalid`, `yes`/`no`, `safe`/`unsafe`: for metrics with one verdict a turn. */
  readonly label?: string;
  /** `yes` or `no` by rubric id: for metrics with rubrics. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What came of a check. */
export interface JudgeCheck {
  readonly metric: string;
  readonly model: string;
  readonly agreement: Agreement | undefined;
  /** Verdicts on which samples disagreed, and their share of all. */
  readonly flips: number;
  readonly flipRate: number;
  /** Verdicts that differ from the label. */
  readonly differences: readonly { readonly id: string; readonly rubricId?: string; readonly expected: string; readonly actual: string; readonly why?: string }[];
  /** Examples that the judge gave no verdict on. */
  readonly unanswered: readonly { readonly id: string; readonly reason: string }[];
  readonly usage: UsageByRole | undefined;
}

const positive: ReadonlySet<string> = new Set(['valid', 'yes', 'safe', 'true', '1']);
const negative: ReadonlySet<string> = new Set(['invalid', 'no', 'unsafe', 'false', '0']);

/**
 * Reads a file of labelled examples (JSON or TOML).
 *
 * @throws {JestAdkError} `bad_labels` with every problem
 */
export function readLabelled(file: string): LabelledFile {
  const { value } = readDocument(file) as { readonly value: unknown };
  const problems: Problem[] = [];
  const problem = (path: readonly (string | number)[], message: string): void => void problems.push({ code: 'bad_labels', file, path: [...path], message });
  const raw = (typeof value === 'object' && value !== null ? value : {}) as Partial<LabelledFile>;
  if (typeof raw.metric !== 'string') problem(['metric'], 'The name of a judged metric is missing.');
  if (!Array.isArray(raw.examples) || raw.examples.length === 0) problem(['examples'], 'There are no examples.');
  for (const [at, example] of (Array.isArray(raw.examples) ? (raw.examples as readonly Partial<LabelledExample>[]) : []).entries()) {
    for (const name of ['user', 'response'] as const) if (typeof example[name] !== 'string') problem(['examples', at, name], `The example has no ${name}.`);
    const labels = example.labels === undefined ? [example.label] : Object.values(example.labels);
    if (labels.some((label) => label === undefined || !isLabel(label))) problem(['examples', at], 'The label must be one of valid, invalid, yes, no, safe, unsafe; with rubrics, "labels" has one for each id.');
  }
  if (problems.length > 0) throw new JestAdkError('bad_labels', problems);
  return { metric: raw.metric ?? '', criterion: raw.criterion ?? {}, examples: (raw.examples ?? []).map((example, at) => ({ ...example, id: String((example as Partial<LabelledExample>).id ?? at + 1) })) };
}

function isLabel(label: string): boolean {
  return positive.has(label.toLowerCase()) || negative.has(label.toLowerCase());
}

/** Asks the judge about every example. @throws {JestAdkError} for a metric without a judge, and as `resolveModel` */
export async function checkJudge({ metric, criterion, examples }: LabelledFile, judge: JudgeSource | undefined, host: Host, signal: AbortSignal): Promise<JudgeCheck> {
  const made = makeMetric({ metricName: metric, criterion: { threshold: 0.5, early_stop: false, ...criterion } }, defaultProfile);
  const need = made.prepared === undefined ? undefined : made.metric.judgeOf?.(made.prepared);
  if (need === undefined) throw refusal('no_judge', `${metric} asks no judge.`, 'Name a judged metric, e.g. final_response_match_v2.');
  const models = new Models({}, host);
  const client = await models.client(judge ?? need.judgeModel, 'judge', metric);
  const scores = await Promise.all(examples.map((example) => evaluateMetric({ ...made, judge: client }, { actual: [turnOf(example)], expected: [turnOf({ ...example, response: example.reference ?? '' })], scenario: null }, { profile: defaultProfile, signal, warn: () => undefined }).catch((thrown: unknown): MetricScore => ({ score: null, status: 'error', reason: toErrorInfo(thrown).message, perInvocation: [] }))));
  return summary(metric, client.model.name, examples, scores, models.ledger.report());
}

function turnOf({ user, response }: Pick<LabelledExample, 'user' | 'response'>): Invocation {
  return { invocationId: '', userContent: { role: 'user', parts: [{ text: user }] }, finalResponse: { role: 'model', parts: [{ text: response }] }, creationTimestamp: 0, rubrics: [] as readonly Rubric[] };
}

interface Verdict {
  readonly id: string;
  readonly rubricId?: string;
  readonly expected: string;
  readonly actual: string;
  readonly why?: string;
}

function summary(metric: string, model: string, examples: readonly LabelledExample[], scores: readonly MetricScore[], usage: UsageByRole | undefined): JudgeCheck {
  const verdicts = examples.flatMap((example, at) => verdictsOn(example, scores[at] as MetricScore));
  const unanswered = examples.flatMap(({ id }, at) => (verdictsOn(examples[at] as LabelledExample, scores[at] as MetricScore).length > 0 ? [] : [{ id, reason: scores[at]?.reason ?? 'no verdict' }]));
  const votes = scores.flatMap(({ perInvocation }) => perInvocation.flatMap(({ judgment }) => judgment?.votes ?? []));
  const flips = votes.filter(({ agreement }) => agreement !== null && agreement < 1).length;
  return { metric, model, agreement: agreementOf(verdicts), flips, flipRate: votes.length === 0 ? 0 : flips / votes.length, differences: verdicts.filter(({ expected, actual }) => expected !== actual), unanswered, usage };
}

function verdictsOn({ id, label, labels }: LabelledExample, { perInvocation }: MetricScore): readonly Verdict[] {
  const turn = perInvocation[0];
  if (labels !== undefined) {
    return Object.entries(labels).flatMap(([rubricId, expected]) => {
      const found = turn?.details?.rubricScores?.find((one) => one.rubricId === rubricId);
      return typeof found?.score === 'number' ? [{ id, rubricId, expected: wordOf(expected), actual: found.score === 1 ? 'yes' : 'no', ...(found.rationale ? { why: found.rationale } : {}) }] : [];
    });
  }
  if (label === undefined || turn?.score === null || turn?.score === undefined) return [];
  return [{ id, expected: wordOf(label), actual: turn.score >= 0.5 ? 'yes' : 'no', ...(turn.explanation === undefined ? {} : { why: turn.explanation.join('; ') }) }];
}

function wordOf(label: string): string {
  return positive.has(label.toLowerCase()) ? 'yes' : 'no';
}
