import type { JsonObject } from '../../evalset/types';
import { findJson } from '../../judge/json-answer';
import { makePrompt, type Prompt } from '../../judge/prompts';
import { askSamples, type Sample } from '../../judge/sampling';
import { isSettled, quorum, tally, winner } from '../../judge/votes';
import { expectedTurns, missingTurn } from '../turns';
import { expectsText } from '../text';
import type { InvocationScore, MetricContext } from '../types';
import { responseText, messageText } from './evidence';
import { eachTurn, failureOf, judgedMetric, judgeFor, meanOfTurns, notJudged, plannedTurns, problemsOf, reportOf, scored, unjudged } from './judged-metric';
import { parseResponseValidity } from './label-parse';
import type { ShufflingCriterion } from './options';

/** What one sample says. */
interface MatchVerdict {
  /** 1 valid, 0 invalid. */
  readonly score: number;
  readonly reasoning?: string | undefined;
}

const schema: JsonObject = {
  type: 'object',
  properties: { reasoning: { type: 'string' }, is_the_agent_response_valid: { type: 'string', enum: ['valid', 'invalid'] } },
  required: ['reasoning', 'is_the_agent_response_valid'],
};

/** `final_response_match_v2`: a judge compares each final response with its reference; the score is the share of valid ones. */
export const finalResponseMatchV2 = judgedMetric<ShufflingCriterion>({
  name: 'final_response_match_v2',
  description: 'Share of final responses that a judge finds valid, given the reference.',
  criterion: 'LlmAsAJudgeCriterion',
  needs: ['expected'],
  plannedCalls: ({ judgeModelOptions }, evalCase) => plannedTurns(evalCase) * judgeModelOptions.numSamples,
  async evaluate(input, context) {
    const client = judgeFor(context, 'final_response_match_v2');
    const expected = expectedTurns(input, 'final_response_match_v2');
    const prompts: Prompt[] = [];
    const versions: (string | undefined)[] = [];
    const { criterion, threshold } = input;
    const { judgeModelOptions, includeIntermediateResponsesInFinal: withIntermediate } = criterion;
    const judgeTurn = async (index: number): Promise<InvocationScore> => {
      const [turn, reference] = [input.actual[index], expected[index]];
      if (turn === undefined || reference === undefined) throw new RangeError(`There is no turn ${index}.`);
      const missing = missingTurn(turn);
      if (missing !== undefined) return missing;
      if (!context.profile.missingReferenceIsEmptyText && !expectsText(reference.finalResponse)) return notJudged('no_expectation', 'No expectation: the case has no reference response for this turn.');
      const user = { name: 'user', text: messageText(reference.userContent, context.profile) ?? 'none' };
      const compared = [
        { name: 'response', text: responseText(turn, withIntermediate, context.profile) ?? '' },
        { name: 'reference', text: responseText(reference, withIntermediate, context.profile) ?? '' },
      ];
      const promptOf = (sample: number): string => {
        const prompt = makePrompt('final-response-match', [user, ...(isSwapped(criterion, sample) ? compared.toReversed() : compared)]);
        prompts.push(prompt);
        return prompt.text;
      };
      const samples = await askSamples(client, { ...questionOf(promptOf, criterion, context), parse: (text) => parseMatch(text, context.profile.name === 'default') }, context.signal);
      versions.push(...samples.map((sample) => (sample.kind === 'error' ? undefined : sample.modelVersion)));
      return turnScore(samples, judgeModelOptions.numSamples, threshold, context);
    };
    const perInvocation = await eachTurn(input.actual.length, judgeModelOptions.parallelismLimit, judgeTurn);
    return { ...meanOfTurns(perInvocation, input, context), perInvocation, judge: reportOf(client, criterion, prompts, versions) };
  },
});

/** Judges favour places: with a seed every other sample has the reference first. */
function isSwapped({ shuffleSeed }: ShufflingCriterion, sample: number): boolean {
  return shuffleSeed !== undefined && (Math.abs(shuffleSeed) + sample) % 2 === 1;
}

function questionOf(promptOf: (sample: number) => string, { judgeModelOptions, earlyStop }: ShufflingCriterion, { profile }: MetricContext): Omit<Parameters<typeof askSamples<MatchVerdict>>[1], 'parse'> {
  const { numSamples, judgeModelConfig, parallelismLimit } = judgeModelOptions;
  return {
    request: (sample) => ({ prompt: promptOf(sample), config: judgeModelConfig, ...(profile.name === 'default' ? { schema } : {}) }),
    samples: numSamples,
    ...(earlyStop ? { decided: (samples: readonly Sample<MatchVerdict>[]) => settled(samples, numSamples) } : {}),
    plain: profile.name === 'google-adk',
    parallel: parallelismLimit,
  };
}

function settled(samples: readonly Sample<MatchVerdict>[], count: number): boolean {
  const answers = answersOf(samples);
  return answers.length >= quorum(count) && isSettled(answers.map(({ score }) => score), count - samples.length);
}

function answersOf(samples: readonly Sample<MatchVerdict>[]): readonly MatchVerdict[] {
  return samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
}

/**
 * One judge answer of this metric: JSON, or free text with the verdict's key.
 *
 * @param anyCase  words in any case count
 */
function parseMatch(text: string, anyCase: boolean): MatchVerdict | undefined {
  const found = findJson(text, ({ is_the_agent_response_valid: valid, reasoning }) => {
    const word = typeof valid === 'boolean' ? String(valid) : typeof valid === 'string' ? valid : '';
    const verdict = parseResponseValidity(`"is_the_agent_response_valid": "${word.trim()}"}`, anyCase);
    return verdict === undefined ? undefined : { score: verdict === 'valid' ? 1 : 0, reasoning: typeof reasoning === 'string' ? reasoning : undefined };
  });
  if (found !== undefined) return found;
  const verdict = parseResponseValidity(text, anyCase);
  return verdict === undefined ? undefined : { score: verdict === 'valid' ? 1 : 0 };
}

function turnScore(samples: readonly Sample<MatchVerdict>[], count: number, threshold: number | null, { profile }: MetricContext): InvocationScore {
  const answers = answersOf(samples);
  const problems = problemsOf(samples);
  const judgment = { samples: samples.length, answered: answers.length, votes: [tally(answers.map(({ score }) => score))], ...(problems.length === 0 ? {} : { problems }) };
  // google-adk lets one sample that was not answered void the turn, and any number of unreadable ones pass.
  const broken = profile.name === 'google-adk' ? samples.some(({ kind }) => kind === 'error') || answers.length === 0 : answers.length < quorum(count);
  if (broken) return unjudged(failureOf(samples), answers.length === 0 ? (problems[0] ?? 'the judge gave no verdict') : `${answers.length} of ${count} samples were answered, fewer than half: ${problems[0] ?? ''}`, judgment);
  const won = winner(answers);
  const score = won?.score ?? 0;
  return scored(score, threshold, profile, { judgment, ...(score === 1 || won?.reasoning === undefined ? {} : { explanation: [`judge: ${won.reasoning}`] }) });
}
