/** What all judged metrics have in common. */
import { writtenTurns } from '../../evalset/turns';
import type { EvalCase } from '../../evalset/types';
import type { ModelClient } from '../../judge/client';
import type { Prompt } from '../../judge/prompts';
import type { Sample } from '../../judge/sampling';
import { refusal } from '../../support/errors';
import { exactMean } from '../../support/exact-mean';
import type { Profile } from '../../support/profile';
import type { InvocationScore, JudgeReport, Metric, MetricContext, MetricInput, MetricScore, ReasonCode } from '../types';
import { judge as verdict } from '../verdict';
import { readJudgedCriterion, type CriterionModel, type JudgedCriterion } from './options';

/** What one judged metric is made of. */
export interface JudgedMetric<C extends JudgedCriterion> {
  readonly name: string;
  readonly description: string;
  readonly criterion: CriterionModel;
  /** Beside the judge. */
  readonly needs?: Metric['needs'];
  /** Highest score; 1 unless given, and the lowest is 0 (1 with 5). */
  readonly scale?: '0..1' | '1..5';
  /** Samples of each question where the criterion does not say; 5 unless given. */
  readonly samples?: number;
  readonly showsAgents?: true;
  readonly rubricType?: string;
  plannedCalls(criterion: C, evalCase: EvalCase, engine: 'judge' | 'vertex'): number;
  checkCriterion?(criterion: C): ReturnType<Metric['readCriterion']>['problems'];
  checkCases?: NonNullable<Metric<C>['checkCases']>;
  judgeOf?: NonNullable<Metric<C>['judgeOf']>;
  evaluate: Metric<C>['evaluate'];
}

/** Makes a metric that asks a judge. */
export function judgedMetric<C extends JudgedCriterion>(definition: JudgedMetric<C>): Metric {
  const { name, description, criterion: model, needs = [], scale = '0..1' } = definition;
  const metric: Metric<C> = {
    name,
    info: { metricName: name, description, metricValueInfo: { interval: { minValue: scale === '1..5' ? 1 : 0, maxValue: scale === '1..5' ? 5 : 1, openAtMin: false, openAtMax: false } } },
    needs: [...needs, 'judge'],
    readCriterion: (raw, profile) => {
      const { criterion, problems } = readJudgedCriterion<C>(model, raw, profile, definition.samples);
      return { criterion, problems: problems.length > 0 ? problems : (definition.checkCriterion?.(criterion) ?? []) };
    },
    judgeOf: definition.judgeOf ?? (({ judgeModelOptions }) => judgeModelOptions),
    plannedCalls: (criterion, evalCase, engine) => definition.plannedCalls(criterion, evalCase, engine),
    ...(definition.rubricType === undefined ? {} : { rubricType: definition.rubricType }),
    ...(definition.showsAgents === undefined ? {} : { showsAgents: true }),
    ...(definition.checkCases === undefined ? {} : { checkCases: definition.checkCases }),
    evaluate: (input, context) => definition.evaluate(input, context),
  };
  return metric;
}

/** Turns of a case that are known before it is run; a scenario is taken for the three that it has at least, being asked, answered and ended. */
export function plannedTurns(evalCase: EvalCase): number {
  return evalCase.conversationScenario === undefined ? (writtenTurns(evalCase)?.length ?? 0) : 3;
}

/** The judge of a metric. @throws {JestAdkError} `no_judge`: the plan has made none */
export function judgeFor(context: MetricContext, metric: string): ModelClient {
  if (context.judge === undefined) throw refusal('no_judge', `${metric} has no judge.`, 'Name one in judge_model_options, or give the option "judge".');
  return context.judge;
}

/** Who judged, for the result. */
export function reportOf(client: ModelClient, { judgeModelOptions }: JudgedCriterion, prompts: readonly Prompt[], versions: readonly (string | undefined)[]): JudgeReport {
  const named = [...new Set(versions.filter((version) => version !== undefined))];
  return {
    engine: 'judge',
    model: client.model.name,
    ...(named.length === 0 ? {} : { modelVersions: named }),
    prompts: [...new Set(prompts.map(({ version, templateHash }) => `${version} ${templateHash}`))],
    ...(judgeModelOptions.judgeModelConfig === undefined ? {} : { config: judgeModelOptions.judgeModelConfig }),
    samples: judgeModelOptions.numSamples,
  };
}

/** Why samples came to nothing, each reason once. */
export function problemsOf(samples: readonly Sample<unknown>[]): readonly string[] {
  return [...new Set(samples.flatMap((sample) => (sample.kind === 'answer' ? [] : [sample.kind === 'error' ? sample.error.message : `${sample.reason}${sample.excerpt === undefined ? '' : `: ${sample.excerpt}`}`])))];
}

/** A turn that should have been judged and was not: an error, which google-adk's profile shows as not evaluated. */
export function unjudged(reasonCode: ReasonCode, reason: string, judgment?: InvocationScore['judgment']): InvocationScore {
  return { score: null, status: 'error', reasonCode, reason, ...(judgment === undefined ? {} : { judgment }) };
}

/** Nothing to judge. */
export function notJudged(reasonCode: ReasonCode, reason: string): { readonly score: null; readonly status: 'not_evaluated'; readonly reasonCode: ReasonCode; readonly reason: string } {
  return { score: null, status: 'not_evaluated', reasonCode, reason };
}

/** Why samples did not make a verdict: none could be used, or too few. */
export function failureOf(samples: readonly Sample<unknown>[]): ReasonCode {
  if (samples.some(({ kind }) => kind === 'answer')) return 'no_quorum';
  return samples.some(({ kind }) => kind === 'error') ? 'judge_error' : 'unparsed';
}

/** Mean of the turns that have a score, exact, and its verdict; an error in any turn is one of the whole outside google-adk. */
export function meanOfTurns(turns: readonly InvocationScore[], { threshold }: Pick<MetricInput, 'threshold'>, { profile }: Pick<MetricContext, 'profile'>): Pick<MetricScore, 'score' | 'status' | 'reasonCode' | 'reason' | 'error'> {
  return overall(exactMean(turns.flatMap(({ score }) => (score === null ? [] : [score]))), turns, threshold, profile);
}

/** The whole metric's score, unless turns that should have been judged were not. */
export function overall(score: number | null, turns: readonly InvocationScore[], threshold: number | null, profile: Profile): Pick<MetricScore, 'score' | 'status' | 'reasonCode' | 'reason' | 'error'> {
  const broken = turns.findIndex(({ status }) => status === 'error');
  if (broken !== -1 && !profile.unevaluatedPasses) {
    const reason = turns[broken]?.reason ?? 'not judged';
    const message = turns.length === 1 ? reason : `turn ${broken + 1}: ${reason}`;
    const reasonCode = turns[broken]?.reasonCode ?? 'judge_error';
    return { score: null, status: 'error', reasonCode, reason: message, error: { code: reasonCode, message } };
  }
  if (score === null) {
    const silent = turns.find(({ reasonCode }) => reasonCode !== undefined && reasonCode !== 'whole_conversation');
    return notJudged(silent?.reasonCode ?? 'no_response', silent?.reason ?? 'no turn was judged');
  }
  return { score, status: verdict(score, threshold, profile) };
}

/** A turn's score with its status. */
export function scored(score: number, threshold: number | null, profile: Profile, more: Omit<InvocationScore, 'score' | 'status'> = {}): InvocationScore {
  return { score, status: verdict(score, threshold, profile), ...more };
}

/**
 * Judges turns: all at once within the model's own limit, or one after the other where the criterion limits requests itself
 * (its samples then go out up to that limit).
 */
export async function eachTurn<T>(count: number, parallelismLimit: number | undefined, judgeTurn: (index: number) => Promise<T>): Promise<T[]> {
  if (parallelismLimit === undefined) return Promise.all(Array.from({ length: count }, (_, index) => judgeTurn(index)));
  const done: T[] = [];
  for (let index = 0; index < count; index += 1) done.push(await judgeTurn(index));
  return done;
}
