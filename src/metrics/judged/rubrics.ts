/** The three metrics that judge by rubrics: yes-or-no properties of a response, of the use of tools, or of a whole conversation. */
import { writtenTurns } from '../../evalset/turns';
import type { EvalCase, Invocation, JsonObject, Rubric } from '../../evalset/types';
import type { PromptName } from '../../judge/prompts';
import type { Section } from '../../judge/sections';
import { makePrompt, type Prompt } from '../../judge/prompts';
import { askSamples } from '../../judge/sampling';
import { isSettled, quorum } from '../../judge/votes';
import { JestAdkError, type Problem } from '../../support/errors';
import type { Profile } from '../../support/profile';
import { missingTurn } from '../turns';
import type { InvocationScore, MetricContext, MetricInput, MetricScore } from '../types';
import { allInstructions, allTools, dialogueText } from './dialogue';
import { declarationsText, groundingText, instructionsOf, messageText, responseText, toolStepsText } from './evidence';
import { eachTurn, judgedMetric, judgeFor, notJudged, plannedTurns, reportOf } from './judged-metric';
import type { RubricCriterion } from './options';
import { parseVerdictLines, parseVerdicts, verdictWords, type RubricVerdict } from './rubric-parse';
import { caseScore, voteOnTurn, type RubricSample } from './rubric-score';
import { rubricsOfTurn, shuffled } from './rubric-scope';

/** One of the three. */
interface RubricMetric {
  readonly name: string;
  readonly description: string;
  /** Type of the rubrics of cases and turns that belong to it. */
  readonly type: string;
  readonly prompt: PromptName;
  /** Only the last turn is judged, with everything before it. */
  readonly wholeConversation: boolean;
  sections(turns: readonly Invocation[], index: number, criterion: RubricCriterion, profile: Profile): readonly Section[];
}

const finalResponse: RubricMetric = {
  name: 'rubric_based_final_response_quality_v1',
  description: 'Share of rubrics that a judge finds fulfilled by the final responses.',
  type: 'FINAL_RESPONSE_QUALITY',
  prompt: 'rubrics-final-response',
  wholeConversation: false,
  sections(turns, index, { includeIntermediateResponsesInFinal: withIntermediate }, profile) {
    const turn = turns[index] as Invocation;
    const grounding = groundingText(turn, profile);
    return [
      { name: 'instructions', text: instructionsOf(turn, profile) ?? 'The instructions of the agent are not known.' },
      { name: 'tool-declarations', text: declarationsText(turn) },
      { name: 'user', text: messageText(turn.userContent, profile) ?? '' },
      { name: 'tool-calls', text: toolStepsText(turn, profile) },
      ...(grounding === undefined ? [] : [{ name: 'grounding', text: grounding }]),
      { name: 'response', text: responseText(turn, withIntermediate, profile) ?? '' },
    ];
  },
};

const toolUse: RubricMetric = {
  name: 'rubric_based_tool_use_quality_v1',
  description: 'Share of rubrics that a judge finds fulfilled by the use of tools.',
  type: 'TOOL_USE_QUALITY',
  prompt: 'rubrics-tool-use',
  wholeConversation: false,
  sections(turns, index, _criterion, profile) {
    const turn = turns[index] as Invocation;
    return [
      { name: 'tool-declarations', text: declarationsText(turn) },
      { name: 'user', text: messageText(turn.userContent, profile) ?? '' },
      { name: 'tool-calls', text: toolStepsText(turn, profile) },
    ];
  },
};

const trajectory: RubricMetric = {
  name: 'rubric_based_multi_turn_trajectory_quality_v1',
  description: 'Share of rubrics that a judge finds fulfilled by the whole conversation.',
  type: 'TRAJECTORY_QUALITY',
  prompt: 'rubrics-trajectory',
  wholeConversation: true,
  sections: (turns, _index, _criterion, profile) => [
    { name: 'instructions', text: allInstructions(turns) },
    { name: 'tools', text: allTools(turns, profile) },
    { name: 'conversation', text: dialogueText(turns, profile) },
  ],
};

/** `rubric_based_final_response_quality_v1`, `rubric_based_tool_use_quality_v1`, `rubric_based_multi_turn_trajectory_quality_v1`. */
export const rubricMetrics = [finalResponse, toolUse, trajectory].map((metric) =>
  judgedMetric<RubricCriterion>({
    name: metric.name,
    showsAgents: true,
    rubricType: metric.type,
    description: metric.description,
    criterion: 'RubricsBasedCriterion',
    plannedCalls: (criterion, evalCase) => plannedRubricCalls(metric, criterion, evalCase),
    checkCases: (criterion, evalCases, profile) => missingRubrics(metric, criterion, evalCases, profile),
    evaluate: (input, context) => evaluateRubrics(metric, input, context),
  }),
);

function plannedRubricCalls({ type, wholeConversation }: RubricMetric, { rubrics, judgeModelOptions }: RubricCriterion, evalCase: EvalCase): number {
  if (wholeConversation) return judgeModelOptions.numSamples;
  const everywhere = rubrics.length > 0 || (evalCase.rubrics ?? []).some((rubric) => rubric.type === type);
  const turns = everywhere ? plannedTurns(evalCase) : (writtenTurns(evalCase) ?? []).filter((turn) => turn.rubrics?.some((rubric) => rubric.type === type) === true).length;
  return turns * judgeModelOptions.numSamples;
}

/** A metric without a single rubric could only be "not evaluated" everywhere; and an id that stands twice makes verdicts ambiguous. */
function missingRubrics({ name, type }: RubricMetric, { rubrics }: RubricCriterion, evalCases: readonly EvalCase[], profile: Profile): readonly Problem[] {
  if (profile.criteriaCheckedLate) return [];
  const ids = rubrics.map(({ rubricId }) => rubricId);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const problems: Problem[] = twice.map((id) => ({ code: 'duplicate_rubric', path: ['rubrics'], message: `The rubric id ${JSON.stringify(id)} stands twice.`, hint: 'Give every rubric an id of its own.' }));
  const ofCases = new Set(evalCases.flatMap((one) => [...(one.rubrics ?? []), ...(writtenTurns(one) ?? []).flatMap((turn) => turn.rubrics ?? [])]).filter((rubric) => rubric.type === type).map(({ rubricId }) => rubricId));
  problems.push(...ids.filter((id) => ofCases.has(id)).map((id): Problem => ({ code: 'duplicate_rubric', path: ['rubrics'], message: `The rubric id ${JSON.stringify(id)} stands in the criterion and in a case or turn.`, hint: 'Give every rubric an id of its own.' })));
  const hasType = (list: readonly Rubric[] | undefined): boolean => list?.some((rubric) => rubric.type === type) ?? false;
  const some = evalCases.some((one) => hasType(one.rubrics) || (writtenTurns(one)?.some((turn) => hasType(turn.rubrics)) ?? false));
  if (rubrics.length === 0 && !some && evalCases.length > 0) {
    problems.push({ code: 'rubrics_required', path: ['rubrics'], message: `${name} has no rubrics: neither the criterion nor any case or turn gives one.`, hint: `Add "rubrics" to the criterion, or give rubrics of cases and turns the type "${type}".` });
  }
  return problems;
}

function schemaFor(rubrics: readonly Rubric[]): JsonObject {
  const ids = rubrics.map(({ rubricId }) => rubricId);
  const verdict = { type: 'object', properties: { id: { type: 'string', enum: ids }, rationale: { type: 'string' }, verdict: { type: 'string', enum: [...verdictWords] } }, required: ['id', 'rationale', 'verdict'] };
  return { type: 'object', properties: { verdicts: { type: 'array', items: verdict } }, required: ['verdicts'] };
}

async function evaluateRubrics(metric: RubricMetric, input: MetricInput<RubricCriterion>, context: MetricContext): Promise<MetricScore> {
  const { criterion, actual } = input;
  const { profile } = context;
  const client = judgeFor(context, metric.name);
  const first = metric.wholeConversation ? Math.max(0, actual.length - 1) : 0;
  const scopes = actual.slice(first).map((turn) => rubricsOfTurn(criterion.rubrics, turn, metric.type));
  for (const scope of scopes) if ('error' in scope && (scope.error === 'duplicate_rubric_id' || profile.name === 'google-adk')) throw scopeError(metric, scope.error, scope.rubricId);
  const prompts: Prompt[] = [];
  const versions: (string | undefined)[] = [];
  const judged = await eachTurn(scopes.length, criterion.judgeModelOptions.parallelismLimit, async (offset): Promise<InvocationScore> => {
    const index = first + offset;
    const scope = scopes[offset];
    const missing = missingTurn(actual[index] as Invocation);
    if (missing !== undefined) return missing;
    if (scope === undefined || 'error' in scope) return notJudged('rubrics_required', 'this turn has no rubric');
    const { samples, asked } = await askRubrics(metric, { scope: scope.rubrics, index, input, context, client });
    prompts.push(...asked);
    versions.push(...samples.map((sample) => (sample.kind === 'error' ? undefined : sample.modelVersion)));
    return voteOnTurn(samples, scope.rubrics, { criterion, threshold: input.threshold, profile });
  });
  const before = Array.from({ length: first }, (): InvocationScore => notJudged('whole_conversation', 'the conversation is judged as a whole, on its last turn'));
  return { ...caseScore([...before, ...judged], input.threshold, profile), judge: reportOf(client, criterion, prompts, versions) };
}

interface Asking {
  readonly scope: readonly Rubric[];
  readonly index: number;
  readonly input: MetricInput<RubricCriterion>;
  readonly context: MetricContext;
  readonly client: ReturnType<typeof judgeFor>;
}

async function askRubrics(metric: RubricMetric, { scope, index, input, context, client }: Asking): Promise<{ readonly samples: readonly RubricSample[]; readonly asked: readonly Prompt[] }> {
  const { criterion, actual } = input;
  const { profile, signal } = context;
  const { numSamples, judgeModelConfig, parallelismLimit } = criterion.judgeModelOptions;
  const evidence = metric.sections(actual, index, criterion, profile);
  const schema = schemaFor(scope);
  const asked: Prompt[] = [];
  const promptOf = (rubrics: readonly Rubric[]): string => {
    const named = rubrics.map((rubric, at) => ({ section: `rubric-${at + 1}`, id: rubric.rubricId, text: rubric.rubricContent.textProperty ?? '' }));
    const prompt = makePrompt(metric.prompt, [...evidence, ...named.map(({ section, text }) => ({ name: section, text }))], { rubrics: named });
    asked.push(prompt);
    return prompt.text;
  };
  const samples = await askSamples<readonly RubricVerdict[]>(
    client,
    {
      request: (sample) => ({ prompt: promptOf(shuffled(scope, criterion.shuffleSeed, sample)), config: judgeModelConfig, ...(profile.name === 'default' ? { schema } : {}) }),
      samples: numSamples,
      parse: (text) => parseVerdicts(text, scope) ?? parseVerdictLines(text, scope),
      missing: (verdicts) => scope.map(({ rubricId }) => rubricId).filter((id) => !verdicts.some(({ rubricId }) => rubricId === id)),
      merge: (one, other) => [...one, ...other.filter(({ rubricId }) => !one.some((known) => known.rubricId === rubricId))],
      ...(criterion.earlyStop ? { decided: (done) => everyRubricSettled(done, scope, numSamples) } : {}),
      plain: profile.name === 'google-adk',
      parallel: parallelismLimit,
    },
    signal,
  );
  return { samples, asked };
}

function everyRubricSettled(samples: readonly RubricSample[], scope: readonly Rubric[], count: number): boolean {
  const answers = samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
  if (answers.length < quorum(count)) return false;
  return scope.every(({ rubricId }) => isSettled(answers.flatMap((verdicts) => verdicts.filter((one) => one.rubricId === rubricId).map(({ score }) => score)), count - samples.length));
}

function scopeError({ name, type }: RubricMetric, error: 'rubrics_required' | 'duplicate_rubric_id', rubricId: string | null): JestAdkError {
  const message = error === 'duplicate_rubric_id' ? `${name} finds the rubric id ${JSON.stringify(rubricId)} in the criterion and in the case or its turns.` : `${name} has no rubrics for a turn.`;
  return new JestAdkError(error, [{ code: error, message, hint: error === 'duplicate_rubric_id' ? 'Give every rubric an id of its own.' : `Rubrics of cases and turns need the type "${type}".` }]);
}
