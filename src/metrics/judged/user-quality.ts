import type { ConversationScenario, Invocation, JsonObject } from '../../evalset/types';
import { findJson } from '../../judge/json-answer';
import { makePrompt, type Prompt } from '../../judge/prompts';
import { askSamples, type Sample } from '../../judge/sampling';
import { isSettled, quorum, tally, winner } from '../../judge/votes';
import { JestAdkError, refusal } from '../../support/errors';
import type { Profile } from '../../support/profile';
import type { InvocationScore, MetricContext, MetricInput, MetricScore } from '../types';
import { messageText } from './evidence';
import { eachTurn, failureOf, judgedMetric, judgeFor, notJudged, problemsOf, reportOf, scored, unjudged } from './judged-metric';
import { parseTurnValidity } from './label-parse';
import type { JudgedCriterion } from './options';
import { trimmed } from './spaces';

interface UserSimulatorCriterion extends JudgedCriterion {
  /** How the simulated user ends the conversation. */
  readonly stopSignal: string;
}

interface TurnVerdict {
  readonly score: number;
  readonly failed: readonly string[];
}

/** Id of the turn that stands for the end of the conversation, where that was wrong. As in google-adk. */
const stopSignalTurnId = 'stop_signal_proxy_invocation';

const schema: JsonObject = {
  type: 'object',
  properties: {
    criteria: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, passed: { type: 'boolean' }, reason: { type: 'string' } }, required: ['name', 'passed'] } },
    is_valid: { type: 'boolean' },
  },
  required: ['criteria', 'is_valid'],
};

/** `per_turn_user_simulator_quality_v1`: share of the simulated user's messages that fit the plan and the persona. */
export const perTurnUserSimulatorQualityV1 = judgedMetric<UserSimulatorCriterion>({
  name: 'per_turn_user_simulator_quality_v1',
  description: "Share of the simulated user's messages that a judge finds in keeping with plan and persona.",
  criterion: 'LlmBackedUserSimulatorCriterion',
  needs: ['scenario'],
  plannedCalls: ({ judgeModelOptions }) => 3 * judgeModelOptions.numSamples,
  evaluate,
});

async function evaluate(input: MetricInput<UserSimulatorCriterion>, context: MetricContext): Promise<MetricScore> {
  const { scenario, actual, criterion, threshold } = input;
  const { profile } = context;
  const client = judgeFor(context, 'per_turn_user_simulator_quality_v1');
  if (scenario === null && profile.name !== 'google-adk') return { ...notJudged('unsupported_case', 'the conversation is written, not simulated'), perInvocation: [] };
  if (scenario === null) throw refusal('needs_scenario', 'per_turn_user_simulator_quality_v1 judges a simulated user, and this case has none.', 'Leave the metric out for written conversations.');
  if (actual.length === 0) throw refusal('no_response', 'The simulated user said nothing.');
  const reference = profile.name === 'google-adk';
  const prompts: Prompt[] = [];
  const versions: (string | undefined)[] = [];
  const judgeMessage = async (message: string, before: readonly Invocation[]): Promise<InvocationScore> => {
    const prompt = makePrompt('user-turn', sectionsOf(scenario, message, before, profile), { stopSignal: criterion.stopSignal, persona: scenario.userPersona !== undefined });
    prompts.push(prompt);
    const samples = await ask(prompt, input, context);
    versions.push(...samples.map((sample) => (sample.kind === 'error' ? undefined : sample.modelVersion)));
    return turnScore(samples, criterion.judgeModelOptions.numSamples, threshold, profile);
  };
  const later = await eachTurn(actual.length - 1, reference ? 1 : criterion.judgeModelOptions.parallelismLimit, (index) => judgeMessage(messageText(actual[index + 1]?.userContent, profile) ?? '', actual.slice(0, index + 1)));
  const turns = [firstTurn(scenario, actual[0] as Invocation, threshold, profile), ...later];
  const ending = await judgeEnding(input, profile, () => judgeMessage(criterion.stopSignal, actual));
  const perInvocation = ending === undefined ? turns : [...turns.slice(0, -1), ending];
  return { ...caseScore(perInvocation, threshold, profile), perInvocation, ...(ending === undefined ? {} : { replacedTurnId: stopSignalTurnId }), judge: reportOf(client, criterion, prompts, versions) };
}

/** The last turn's result where the conversation ended in the wrong place; google-adk goes by the status, and judges every end. */
async function judgeEnding(input: MetricInput<UserSimulatorCriterion>, profile: Profile, judgeStop: () => Promise<InvocationScore>): Promise<InvocationScore | undefined> {
  if (profile.name === 'google-adk') {
    const ending = await judgeStop();
    return ending.status === 'failed' ? ending : undefined;
  }
  // A limit or an error ended the run, not the simulated user.
  if (input.trial !== undefined && input.trial.endReason !== 'stop_signal') return undefined;
  const ending = await judgeStop();
  return ending.score === 0 ? { ...ending, reason: 'the simulated user ended the conversation too early or too late' } : undefined;
}

function firstTurn({ startingPrompt }: ConversationScenario, { userContent }: Invocation, threshold: number | null, profile: Profile): InvocationScore {
  const text = messageText(userContent, profile);
  if (text === undefined) return notJudged('no_response', 'the first message has no text');
  return scored(trimmed(text) === trimmed(startingPrompt) ? 1 : 0, threshold, profile);
}

function sectionsOf({ conversationPlan, userPersona }: ConversationScenario, message: string, before: readonly Invocation[], profile: Profile): { readonly name: string; readonly text: string }[] {
  const history = before.flatMap((turn) => [`user: ${messageText(turn.userContent, profile) ?? ''}`, `agent: ${messageText(turn.finalResponse, profile) ?? ''}`]).join('\n');
  const persona = userPersona?.behaviors.flatMap(({ name, violationRubrics }) => violationRubrics.map((rubric) => `${name}: ${rubric}`)).join('\n');
  return [{ name: 'plan', text: conversationPlan }, { name: 'history', text: history }, ...(persona === undefined ? [] : [{ name: 'persona', text: persona }]), { name: 'message', text: message }];
}

async function ask(prompt: Prompt, { criterion }: MetricInput<UserSimulatorCriterion>, context: MetricContext): Promise<readonly Sample<TurnVerdict>[]> {
  const { numSamples, judgeModelConfig, parallelismLimit } = criterion.judgeModelOptions;
  const reference = context.profile.name === 'google-adk';
  const samples = await askSamples<TurnVerdict>(
    judgeFor(context, 'per_turn_user_simulator_quality_v1'),
    {
      request: () => ({ prompt: prompt.text, config: judgeModelConfig, ...(reference ? {} : { schema }) }),
      samples: numSamples,
      parse: parseTurnVerdict,
      ...(criterion.earlyStop ? { decided: (done) => settled(done, numSamples) } : {}),
      plain: reference,
      parallel: reference ? 1 : parallelismLimit,
    },
    context.signal,
  );
  const thrown = samples.find((sample) => sample.kind === 'error' && sample.error.code !== 'model_silent');
  // google-adk lets a judge that throws end the metric.
  if (reference && thrown?.kind === 'error') throw new JestAdkError(thrown.error.code, [thrown.error]);
  return samples;
}

/** One judge answer of this metric. */
function parseTurnVerdict(text: string): TurnVerdict | undefined {
  const found = findJson(text, ({ is_valid: valid, criteria }) => {
    const word = typeof valid === 'boolean' ? (valid ? 'valid' : 'invalid') : typeof valid === 'string' ? parseTurnValidity(`"is_valid": "${valid}"}`) : undefined;
    if (word === undefined) return undefined;
    const failed = (Array.isArray(criteria) ? (criteria as unknown[]) : []).flatMap((entry) => {
      const { name, passed, reason } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
      return passed === false && typeof name === 'string' ? [`${name}${typeof reason === 'string' ? `: ${reason}` : ''}`] : [];
    });
    return { score: word === 'valid' ? 1 : 0, failed };
  });
  if (found !== undefined) return found;
  const verdict = parseTurnValidity(text);
  return verdict === undefined ? undefined : { score: verdict === 'valid' ? 1 : 0, failed: [] };
}

function answersOf(samples: readonly Sample<TurnVerdict>[]): readonly TurnVerdict[] {
  return samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
}

function settled(samples: readonly Sample<TurnVerdict>[], count: number): boolean {
  const scores = answersOf(samples).map(({ score }) => score);
  return scores.length >= quorum(count) && isSettled(scores, count - samples.length);
}

function turnScore(samples: readonly Sample<TurnVerdict>[], count: number, threshold: number | null, profile: Profile): InvocationScore {
  const answers = answersOf(samples);
  const problems = problemsOf(samples);
  const judgment = { samples: samples.length, answered: answers.length, votes: [tally(answers.map(({ score }) => score))], ...(problems.length === 0 ? {} : { problems }) };
  if (answers.length < (profile.name === 'google-adk' ? 1 : quorum(count))) return unjudged(failureOf(samples), problems[0] ?? 'the judge gave no verdict', judgment);
  const won = winner(answers);
  return scored(won?.score ?? 0, threshold, profile, { judgment, ...(won === undefined || won.score === 1 || won.failed.length === 0 ? {} : { explanation: won.failed.map((line) => `judge: ${line}`) }) });
}

/** Sum of the scores of turns that passed over the number of all turns: in google-adk also of those without a verdict, which are an error otherwise. */
function caseScore(turns: readonly InvocationScore[], threshold: number | null, profile: Profile): Pick<MetricScore, 'score' | 'status' | 'reasonCode' | 'reason' | 'error'> {
  const broken = turns.find(({ status }) => status === 'error');
  if (broken !== undefined && profile.name !== 'google-adk') {
    const message = broken.reason ?? 'a message was not judged';
    const reasonCode = broken.reasonCode ?? 'judge_error';
    return { score: null, status: 'error', reasonCode, reason: message, error: { code: reasonCode, message } };
  }
  const counted = profile.name === 'google-adk' ? turns : turns.filter(({ score }) => score !== null);
  const sum = turns.reduce((total, { score, status }) => total + (profile.name !== 'google-adk' || status === 'passed' ? (score ?? 0) : 0), 0);
  return scored(sum / counted.length, threshold, profile);
}
