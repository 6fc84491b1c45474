/** Metrics that google-adk has scored by Vertex AI's evaluation service: that service here, too, or a judge of the same meaning. */
import type { Invocation, JsonObject } from '../../evalset/types';
import { findJson } from '../../judge/json-answer';
import { makePrompt, type Prompt, type PromptName } from '../../judge/prompts';
import { askSamples } from '../../judge/sampling';
import { quorum } from '../../judge/votes';
import { refusal } from '../../support/errors';
import { exactMean } from '../../support/exact-mean';
import { expectedTurns, missingTurn } from '../turns';
import type { InvocationScore, MetricContext, MetricInput, MetricScore, ReasonCode } from '../types';
import { mean } from '../verdict';
import { allInstructions, allTools, dialogueText } from './dialogue';
import { eachTurn, failureOf, judgedMetric, judgeFor, notJudged, overall, plannedTurns, problemsOf, reportOf, scored, unjudged } from './judged-metric';
import type { JudgedCriterion } from './options';
import { multiTurnRequest, predefinedMetric, readServiceAnswer, singleTurnRequest, textFor, type ServiceScore } from './vertex-format';

interface ServiceCriterion extends JudgedCriterion {
  readonly engine?: string;
}

/** One metric of the service. */
interface ServiceMetric {
  readonly name: string;
  readonly description: string;
  readonly wholeConversation: boolean;
  readonly prompt: PromptName;
  readonly needsReference?: true;
  readonly scale?: '1..5';
  /** Undefined: the service knows it by a template of its own, which is fetched from a bucket and is not part of this package. */
  readonly predefined?: string;
}

const definitions: readonly ServiceMetric[] = [
  { name: 'safety_v1', description: 'Share of responses that are harmless.', wholeConversation: false, prompt: 'safety', predefined: 'safety_v1' },
  { name: 'response_evaluation_score', description: 'How coherent the responses are, from 1 to 5.', wholeConversation: false, prompt: 'coherence', needsReference: true, scale: '1..5' },
  { name: 'multi_turn_task_success_v1', description: 'Whether the user has, at the end, what was asked for.', wholeConversation: true, prompt: 'task-success', predefined: 'multi_turn_task_success_v1' },
  { name: 'multi_turn_trajectory_quality_v1', description: 'How sensible the steps of the conversation were.', wholeConversation: true, prompt: 'trajectory-quality', predefined: 'multi_turn_trajectory_quality_v1' },
  { name: 'multi_turn_tool_use_quality_v1', description: 'How well tools were used over the conversation.', wholeConversation: true, prompt: 'tool-use-quality', predefined: 'multi_turn_tool_use_quality_v1' },
];

/** `safety_v1`, `response_evaluation_score`, `multi_turn_task_success_v1`, `multi_turn_trajectory_quality_v1`, `multi_turn_tool_use_quality_v1`. */
export const serviceMetrics = definitions.map((metric) =>
  judgedMetric<ServiceCriterion>({
    name: metric.name,
    description: metric.description,
    criterion: 'VertexCriterion',
    samples: 3,
    ...(metric.wholeConversation ? { showsAgents: true as const } : {}),
    ...(metric.needsReference === undefined ? {} : { needs: ['expected'] as const }),
    ...(metric.scale === undefined ? {} : { scale: metric.scale }),
    plannedCalls: ({ judgeModelOptions }, evalCase, engine) => (metric.wholeConversation ? 1 : plannedTurns(evalCase)) * (engine === 'vertex' ? 1 : judgeModelOptions.numSamples),
    checkCriterion: ({ engine }) => engineProblems(metric, engine),
    judgeOf: ({ judgeModelOptions, engine }) => ({ ...judgeModelOptions, knownToVertex: true, ...(metric.predefined === undefined ? { engine: 'judge' as const } : engine === undefined ? {} : { engine: engine as 'judge' | 'vertex' }) }),
    evaluate: (input, context) => (metric.wholeConversation ? wholeConversation(metric, input, context) : turnByTurn(metric, input, context)),
  }),
);

function engineProblems({ name, predefined }: ServiceMetric, engine: string | undefined): readonly { readonly code: string; readonly path: readonly string[]; readonly message: string; readonly hint: string }[] {
  if (engine !== undefined && engine !== 'judge' && engine !== 'vertex') return [{ code: 'bad_criterion', path: ['engine'], message: `engine is ${JSON.stringify(engine)}.`, hint: 'It takes "judge" or "vertex".' }];
  if (engine === 'vertex' && predefined === undefined) return [{ code: 'bad_criterion', path: ['engine'], message: `${name} cannot be scored by Vertex AI here: its template lies in a bucket of Google's.`, hint: 'Take "engine": "judge".' }];
  return [];
}

/** What one question came to, whoever answered it. */
interface Scoring extends ServiceScore {
  readonly judgment?: InvocationScore['judgment'];
  readonly code?: ReasonCode | undefined;
}

async function turnByTurn(metric: ServiceMetric, input: MetricInput<ServiceCriterion>, context: MetricContext): Promise<MetricScore> {
  const { profile } = context;
  const expected = metric.needsReference === true || (input.expected !== null && profile.name === 'google-adk') ? expectedTurns(input, metric.name) : input.expected;
  const asked = new Asked();
  const judgeTurn = async (index: number): Promise<InvocationScore> => {
    const turn = input.actual[index] as Invocation;
    const missing = missingTurn(turn);
    if (missing !== undefined) return missing;
    const [user, response] = [textFor(turn.userContent, profile), textFor(turn.finalResponse, profile)];
    if (user === '' || response === '') {
      if (profile.name === 'google-adk') throw refusal('no_response', `Turn ${index + 1} has no ${user === '' ? 'user text' : 'final response'}.`);
      return notJudged('no_response', `turn ${index + 1} has no ${user === '' ? 'user text' : 'final response'}`);
    }
    const reference = expected?.[index] === undefined ? undefined : textFor(expected[index].finalResponse, profile);
    const scoring =
      context.vertex === undefined
        ? await byJudge(metric, [{ name: 'user', text: user }, { name: 'response', text: response }], input, context, asked)
        : readServiceAnswer(await context.vertex.evaluate(singleTurnRequest(predefinedMetric(metric.predefined ?? metric.name), { user, response, reference }), context.signal));
    return turnOf(scoring, input.threshold, context);
  };
  // The service is asked turn by turn, in order, as google-adk does.
  const perInvocation = await eachTurn(input.actual.length, context.vertex === undefined ? input.criterion.judgeModelOptions.parallelismLimit : 1, judgeTurn);
  const scores = perInvocation.flatMap(({ score }) => (score === null ? [] : [score]));
  return { ...overall((profile.name === 'google-adk' ? mean(scores) : exactMean(scores)) ?? null, perInvocation, input.threshold, profile), perInvocation, judge: report(context, input, asked, metric) };
}

async function wholeConversation(metric: ServiceMetric, input: MetricInput<ServiceCriterion>, context: MetricContext): Promise<MetricScore> {
  const { actual, threshold } = input;
  const { profile } = context;
  if (actual.length === 0) return { ...notJudged('no_response', 'there are no turns'), perInvocation: [] };
  const broken = actual.map(missingTurn).find((turn) => turn !== undefined);
  const asked = new Asked();
  const scoring: Scoring = broken !== undefined
    ? { score: null, rubricScores: null, code: broken.reasonCode, error: broken.reason ?? 'the agent failed' }
    : context.vertex === undefined
      ? await byJudge(metric, [{ name: 'instructions', text: allInstructions(actual) }, { name: 'tools', text: allTools(actual, profile) }, { name: 'conversation', text: dialogueText(actual, profile) }], input, context, asked)
      : readServiceAnswer(await context.vertex.evaluate(multiTurnRequest(predefinedMetric(metric.predefined ?? metric.name), actual, profile), context.signal));
  const judge = report(context, input, asked, metric);
  if (scoring.score === null && scoring.rubricScores === null && profile.name === 'google-adk') return { ...notJudged('no_verdict', 'the service gave neither a score nor verdicts'), perInvocation: [], judge };
  const last = turnOf(scoring, threshold, context);
  const before = actual.slice(1).map((): InvocationScore => notJudged('whole_conversation', 'the conversation is judged as a whole, on its last turn'));
  const perInvocation = [...before, last];
  return { ...overall(last.score, perInvocation, threshold, profile), ...(scoring.rubricScores === null ? {} : { details: { rubricScores: scoring.rubricScores } }), perInvocation, judge };
}

function turnOf({ score, rubricScores, error, code, judgment }: Scoring, threshold: number | null, { profile }: MetricContext): InvocationScore {
  const more = { ...(rubricScores === null ? {} : { details: { rubricScores } }), ...(judgment === undefined ? {} : { judgment }) };
  if (score === null) return { ...unjudged(code ?? 'service_error', error ?? 'there is no score in the answer'), ...more };
  const explanation = (rubricScores ?? []).filter((one) => one.score === 0 || one.rubricId === 'explanation').map(({ rubricId, rationale }) => `${rubricId === 'explanation' ? 'judge' : `${rubricId}: no`}${rationale === null || rationale === undefined ? '' : `${rubricId === 'explanation' ? ': ' : ' — '}${rationale}`}`);
  const status = scored(score, threshold, profile);
  return { ...status, ...more, ...(status.status === 'failed' && explanation.length > 0 ? { explanation } : {}) };
}

/** Prompts and versions of a metric's questions. */
class Asked {
  readonly prompts: Prompt[] = [];
  readonly versions: (string | undefined)[] = [];
}

function report(context: MetricContext, { criterion }: MetricInput<ServiceCriterion>, { prompts, versions }: Asked, { predefined, name }: ServiceMetric): NonNullable<MetricScore['judge']> {
  if (context.vertex !== undefined) return { engine: 'vertex', model: `Vertex AI ${predefined ?? name}`, samples: 1 };
  return reportOf(judgeFor(context, name), criterion, prompts, versions);
}

interface JudgeAnswer {
  readonly score: number;
  readonly explanation: string | null;
  readonly verdicts: readonly { readonly property: string; readonly verdict: boolean; readonly reasoning: string | null }[];
}

/** A judge's rating: the mean of the samples, with the words of the sample nearest to it. */
async function byJudge(metric: ServiceMetric, sections: readonly { readonly name: string; readonly text: string }[], { criterion }: MetricInput<ServiceCriterion>, context: MetricContext, asked: Asked): Promise<Scoring> {
  const { numSamples, judgeModelConfig, parallelismLimit } = criterion.judgeModelOptions;
  const prompt = makePrompt(metric.prompt, sections);
  asked.prompts.push(prompt);
  const [lowest, highest] = metric.scale === '1..5' ? [1, 5] : [0, 1];
  const samples = await askSamples<JudgeAnswer>(
    judgeFor(context, metric.name),
    { request: () => ({ prompt: prompt.text, config: judgeModelConfig, schema: answerSchema(metric, lowest, highest) }), samples: numSamples, parse: (text) => parseRating(text, lowest, highest), plain: false, parallel: parallelismLimit },
    context.signal,
  );
  asked.versions.push(...samples.map((sample) => (sample.kind === 'error' ? undefined : sample.modelVersion)));
  const answers = samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
  const problems = problemsOf(samples);
  const judgment = { samples: samples.length, answered: answers.length, ...(problems.length === 0 ? {} : { problems }) };
  const score = exactMean(answers.map((answer) => answer.score));
  if (score === null || answers.length < quorum(numSamples)) return { score: null, rubricScores: null, code: failureOf(samples), error: `${answers.length} of ${numSamples} samples were answered: ${problems[0] ?? ''}`, judgment };
  const nearest = [...answers].sort((one, other) => Math.abs(one.score - score) - Math.abs(other.score - score))[0];
  const rubricScores = [
    ...(nearest?.verdicts ?? []).map(({ property, verdict, reasoning }) => ({ rubricId: property, score: verdict ? 1 : 0, rationale: reasoning })),
    ...(nearest?.explanation ? [{ rubricId: 'explanation', score: null, rationale: nearest.explanation }] : []),
  ];
  return { score, rubricScores: rubricScores.length === 0 ? null : rubricScores, judgment };
}

function parseRating(text: string, lowest: number, highest: number): JudgeAnswer | undefined {
  return findJson(text, ({ score, explanation, rubric_verdicts: verdicts }) => {
    const figure = typeof score === 'string' ? Number(score) : score;
    if (typeof figure !== 'number' || !Number.isFinite(figure) || figure < lowest || figure > highest) return undefined;
    const list = (Array.isArray(verdicts) ? (verdicts as unknown[]) : []).flatMap((entry) => {
      const { property, verdict, reasoning } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
      return typeof property === 'string' && typeof verdict === 'boolean' ? [{ property, verdict, reasoning: typeof reasoning === 'string' ? reasoning : null }] : [];
    });
    return { score: figure, explanation: typeof explanation === 'string' ? explanation : null, verdicts: list };
  });
}

function answerSchema({ wholeConversation: whole }: ServiceMetric, lowest: number, highest: number): JsonObject {
  const verdict = { type: 'object', properties: { property: { type: 'string' }, verdict: { type: 'boolean' }, reasoning: { type: 'string' } }, required: ['property', 'verdict', 'reasoning'] };
  const base = { explanation: { type: 'string' }, score: { type: 'number', minimum: lowest, maximum: highest } };
  return { type: 'object', properties: whole ? { rubric_verdicts: { type: 'array', items: verdict }, ...base } : base, required: whole ? ['rubric_verdicts', 'explanation', 'score'] : ['explanation', 'score'] };
}
