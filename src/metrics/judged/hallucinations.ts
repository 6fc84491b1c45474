import type { EvalCase, JsonObject } from '../../evalset/types';
import type { ModelClient } from '../../judge/client';
import { makePrompt, type Prompt } from '../../judge/prompts';
import { askSamples, type Sample } from '../../judge/sampling';
import { isSettled, quorum, winner } from '../../judge/votes';
import { exactMean } from '../../support/exact-mean';
import { missingTurn } from '../turns';
import type { InvocationScore, Judgment, MetricContext, MetricInput, ReasonCode } from '../types';
import { checkedTexts, type CheckedText } from './hallucination-context';
import { labelScore, labelWords, parseLabelBlocks, parseLabels, parseSentences, type SentenceLabel } from './hallucination-parse';
import { eachTurn, failureOf, judgedMetric, judgeFor, meanOfTurns, notJudged, plannedTurns, problemsOf, reportOf, scored, unjudged } from './judged-metric';
import type { JudgedCriterion } from './options';

interface HallucinationsCriterion extends JudgedCriterion {
  readonly evaluateIntermediateNlResponses: boolean;
  readonly minCoverage: number;
  /** Who splits texts into sentences: we, by the rules of the language (Unicode UAX #29), or the judge. */
  readonly segmenter?: string;
}

const segmenters = ['local', 'judge'];

/** `hallucinations_v1`: share of the sentences that follow from what the agent knew, by text, turn and case. */
export const hallucinationsV1 = judgedMetric<HallucinationsCriterion>({
  name: 'hallucinations_v1',
  showsAgents: true,
  description: 'Share of sentences that a judge finds supported by what the agent knew.',
  criterion: 'HallucinationsCriterion',
  samples: 1,
  plannedCalls: (criterion, evalCase) => plannedTurns(evalCase) * callsPerText(criterion, evalCase),
  checkCriterion: ({ segmenter }) => (segmenter === undefined || segmenters.includes(segmenter) ? [] : [{ code: 'bad_criterion', path: ['segmenter'], message: `segmenter is ${JSON.stringify(segmenter)}.`, hint: 'It takes "local" or "judge".' }]),
  async evaluate(input, context) {
    const client = judgeFor(context, 'hallucinations_v1');
    const prompts: Prompt[] = [];
    const versions: (string | undefined)[] = [];
    const asking: Asking = { input, context, client, prompts, versions };
    const perInvocation = await eachTurn(input.actual.length, input.criterion.judgeModelOptions.parallelismLimit, (index) => judgeTurn(asking, index));
    return { ...meanOfTurns(perInvocation, input, context), perInvocation, judge: reportOf(client, input.criterion, prompts, versions) };
  },
});

function callsPerText({ segmenter, judgeModelOptions }: HallucinationsCriterion, _evalCase: EvalCase): number {
  return segmenter === 'judge' ? 1 + judgeModelOptions.numSamples : judgeModelOptions.numSamples;
}

interface Asking {
  readonly input: MetricInput<HallucinationsCriterion>;
  readonly context: MetricContext;
  readonly client: ModelClient;
  readonly prompts: Prompt[];
  readonly versions: (string | undefined)[];
}

/** One text, judged: its score, or why it has none. */
interface TextScore {
  readonly score: number | null;
  readonly problem?: string;
  readonly explanation: readonly string[];
  readonly judgment?: Judgment;
  readonly code?: ReasonCode;
}

async function judgeTurn(asking: Asking, index: number): Promise<InvocationScore> {
  const { input, context } = asking;
  const { profile } = context;
  const turn = input.actual[index];
  if (turn === undefined) throw new RangeError(`There is no turn ${index}.`);
  const missing = missingTurn(turn);
  if (missing !== undefined) return missing;
  const texts = checkedTexts({ turn, earlier: input.actual.slice(0, index) }, input.criterion.evaluateIntermediateNlResponses, profile);
  if (texts.length === 0) return { ...notJudged('no_response', 'the agent said nothing in this turn'), details: { rubricScores: [] } };
  const one = (at: number): Promise<TextScore> => judgeText(asking, texts[at] as CheckedText);
  const scores = await eachTurn(texts.length, input.criterion.judgeModelOptions.parallelismLimit, one);
  const problems = [...new Set(scores.flatMap(({ problem }) => (problem === undefined ? [] : [problem])))];
  const score = exactMean(scores.flatMap((text) => (text.score === null ? [] : [text.score])));
  const judgment = joined(scores);
  const details = { rubricScores: [] };
  if (score === null && problems.length === 0 && profile.name !== 'google-adk') return { ...notJudged('no_response', 'there is no sentence to check'), details };
  // google-adk leaves out texts that could not be judged; a mean over the others would look like a verdict.
  if (score === null || (problems.length > 0 && profile.name !== 'google-adk')) return { ...unjudged(scores.find(({ code }) => code !== undefined)?.code ?? 'no_verdict', problems[0] ?? 'no sentence was judged', judgment), details };
  const explanation = scores.flatMap((text) => text.explanation);
  return scored(score, input.threshold, profile, { details, judgment, ...(explanation.length === 0 ? {} : { explanation }) });
}

function joined(scores: readonly TextScore[]): Judgment {
  const judgments = scores.flatMap(({ judgment }) => (judgment === undefined ? [] : [judgment]));
  const problems = [...new Set(judgments.flatMap((one) => one.problems ?? []))];
  const coverages = judgments.flatMap(({ coverage }) => (coverage === undefined ? [] : [coverage]));
  return {
    samples: judgments.reduce((sum, one) => sum + one.samples, 0),
    answered: judgments.reduce((sum, one) => sum + one.answered, 0),
    ...(coverages.length === 0 ? {} : { coverage: Math.min(...coverages) }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

async function judgeText(asking: Asking, { text, context: known }: CheckedText): Promise<TextScore> {
  const { context, input } = asking;
  const reference = context.profile.name === 'google-adk';
  const sentences = reference || input.criterion.segmenter === 'judge' ? await sentencesByJudge(asking, text) : { list: localSentences(text) };
  if ('problem' in sentences) return { score: null, problem: sentences.problem, code: sentences.code, explanation: [] };
  // Nothing is stated in "👍".
  if (sentences.list.length === 0) return { score: null, explanation: [] };
  const prompt = makePrompt('hallucination-labels', [...known, { name: 'sentences', text: sentences.list.map((sentence, at) => `${at + 1}. ${JSON.stringify(sentence)}`).join('\n') }], { count: sentences.list.length });
  asking.prompts.push(prompt);
  const { numSamples, judgeModelConfig, parallelismLimit } = input.criterion.judgeModelOptions;
  const count = sentences.list.length;
  // google-adk asks once, whatever num_samples says.
  const asked = reference ? 1 : numSamples;
  const samples = await askSamples<readonly SentenceLabel[]>(
    asking.client,
    {
      request: () => ({ prompt: prompt.text, config: judgeModelConfig, ...(reference ? {} : { schema: labelSchema(count) }) }),
      samples: asked,
      parse: (answer) => parseLabels(answer, count) ?? numbered(parseLabelBlocks(answer), sentences.list, reference),
      missing: (labels) => missingNumbers(labels, count).map(String),
      merge: (first, second) => [...first, ...second.filter(({ id }) => !first.some((known_) => known_.id === id))],
      ...(input.criterion.earlyStop ? { decided: (done) => allSettled(done, count, asked) } : {}),
      plain: reference,
      parallel: parallelismLimit,
    },
    context.signal,
  );
  asking.versions.push(...samples.map((sample) => (sample.kind === 'error' ? undefined : sample.modelVersion)));
  return textScore(samples, { sentences: sentences.list, asked, reference, minCoverage: input.criterion.minCoverage });
}

/** Sentences of a text: by line, so that items of a list stay apart, and by the rules of Unicode's text segmentation. */
function localSentences(text: string): readonly string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return text.split(/\r?\n/).flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)));
}

async function sentencesByJudge(asking: Asking, text: string): Promise<{ readonly list: readonly string[] } | { readonly problem: string; readonly code: ReasonCode }> {
  const prompt = makePrompt('hallucination-sentences', [{ name: 'text', text }]);
  asking.prompts.push(prompt);
  const reference = asking.context.profile.name === 'google-adk';
  const parse = (answer: string): readonly string[] | undefined => {
    const list = parseSentences(answer);
    return list.length === 0 ? undefined : list;
  };
  const config = asking.input.criterion.judgeModelOptions.judgeModelConfig;
  const [sample] = await askSamples<readonly string[]>(asking.client, { request: () => ({ prompt: prompt.text, config }), samples: 1, parse, plain: reference }, asking.context.signal);
  if (sample?.kind === 'answer') return { list: sample.value };
  return { problem: sample === undefined ? 'no sentences' : (problemsOf([sample])[0] ?? 'no sentences'), code: failureOf(sample === undefined ? [] : [sample]) };
}

/** Labels in free text repeat their sentence; where they do so exactly they get its number. Under google-adk they count as they come. */
function numbered(labels: readonly SentenceLabel[], sentences: readonly string[], asTheyCome: boolean): readonly SentenceLabel[] | undefined {
  if (labels.length === 0) return undefined;
  if (asTheyCome) return labels;
  const found = labels.flatMap((label): readonly SentenceLabel[] => {
    const at = sentences.findIndex((sentence) => sentence.trim() === label.sentence);
    return at === -1 || labelScore(label.label) === null ? [] : [{ ...label, id: at + 1 }];
  });
  return found.length === 0 ? undefined : found;
}

function missingNumbers(labels: readonly SentenceLabel[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1).filter((number) => !labels.some(({ id }) => id === number));
}

function labelSchema(count: number): JsonObject {
  const text = { type: ['string', 'null'] };
  const label = { type: 'object', properties: { id: { type: 'integer', minimum: 1, maximum: count }, label: { type: 'string', enum: [...labelWords] }, rationale: { type: 'string' }, supporting_excerpt: text, contradicting_excerpt: text }, required: ['id', 'label', 'rationale'] };
  return { type: 'object', properties: { labels: { type: 'array', items: label } }, required: ['labels'] };
}

function answersOf(samples: readonly Sample<readonly SentenceLabel[]>[]): readonly (readonly SentenceLabel[])[] {
  return samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
}

function allSettled(samples: readonly Sample<readonly SentenceLabel[]>[], count: number, asked: number): boolean {
  const answers = answersOf(samples);
  if (answers.length < quorum(asked)) return false;
  return Array.from({ length: count }, (_, at) => answers.flatMap((labels) => labels.filter(({ id }) => id === at + 1).map(({ label }) => labelScore(label)))).every((scores) => isSettled(scores, asked - samples.length));
}

interface TextVote {
  readonly sentences: readonly string[];
  readonly asked: number;
  readonly reference: boolean;
  readonly minCoverage: number;
}

function textScore(samples: readonly Sample<readonly SentenceLabel[]>[], { sentences, asked, reference, minCoverage }: TextVote): TextScore {
  const answers = answersOf(samples);
  const problems = problemsOf(samples);
  if (answers.length < (reference ? 1 : quorum(asked))) return { score: null, problem: problems[0] ?? 'the judge gave no labels', code: failureOf(samples), explanation: [], judgment: { samples: samples.length, answered: answers.length, problems } };
  if (reference) {
    const labels = answers[0] ?? [];
    const score = scoreOfLabels(labels);
    return { score, explanation: [], ...(score === null ? { problem: 'the judge gave no labels', code: 'no_verdict' as const } : {}), judgment: { samples: 1, answered: 1 } };
  }
  const won = sentences.map((_, at) => winner(answers.flatMap((labels) => labels.filter(({ id }) => id === at + 1).map((label) => ({ ...label, score: labelScore(label.label) })))));
  const open = won.flatMap((one, at) => (one === undefined ? [at + 1] : []));
  const coverage = sentences.length === 0 ? 1 : 1 - open.length / sentences.length;
  const judgment: Judgment = { samples: samples.length, answered: answers.length, coverage, ...(open.length === 0 ? {} : { unanswered: open.map(String) }), ...(problems.length === 0 ? {} : { problems }) };
  if (coverage < minCoverage) return { score: null, problem: `no label for ${open.length} of ${sentences.length} sentences`, code: 'coverage', explanation: [], judgment };
  const explanation = won.flatMap((one, at) => (one === undefined || one.score !== 0 ? [] : [`${one.label}: ${JSON.stringify(sentences[at])}${one.rationale === undefined ? '' : ` (judge: ${one.rationale})`}`]));
  return { score: exactMean(won.flatMap((one) => (one?.score === null || one === undefined ? [] : [one.score]))) , explanation, judgment };
}

/** Share of the labels that are fine among those that are labels; null when none is. */
export function scoreOfLabels(labels: readonly SentenceLabel[]): number | null {
  return exactMean(labels.flatMap(({ label }) => labelScore(label) ?? []));
}
