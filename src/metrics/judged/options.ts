/** What a judged metric's criterion says, defaults filled in, in either spelling. */
import type { Criterion } from '../../config/types';
import type { JsonObject, Rubric } from '../../evalset/types';
import { toProblem } from '../../schema/issues';
import { readModel } from '../../schema/read';
import type { Problem } from '../../support/errors';
import type { Profile } from '../../support/profile';

/** How the judge of a metric is asked (ADK `JudgeModelOptions`). */
export interface JudgeModelOptions {
  readonly judgeModel: string;
  /** google-genai `GenerateContentConfig`. */
  readonly judgeModelConfig?: JsonObject;
  /** At least 1. */
  readonly numSamples: number;
  /** At least 1: requests of one metric and trial at once. Undefined: as many as the model's own limit lets through. */
  readonly parallelismLimit?: number;
}

/** Fields of every judged criterion. */
export interface JudgedCriterion extends Criterion {
  readonly judgeModelOptions: JudgeModelOptions;
  /** Stop asking once the vote is settled. */
  readonly earlyStop: boolean;
  /** Text of the turn's other messages is part of the response. */
  readonly includeIntermediateResponsesInFinal: boolean;
}

/** Fields of a criterion that may show what it compares in another order. */
export interface ShufflingCriterion extends JudgedCriterion {
  /** What is compared, or the rubrics, come in another order in each sample, the same for the same seed. */
  readonly shuffleSeed?: number;
}

/** Fields of a criterion with rubrics. */
export interface RubricCriterion extends ShufflingCriterion {
  readonly rubrics: readonly Rubric[];
  /** Share of the rubrics that must have an answer, in [0, 1]. */
  readonly minCoverage: number;
}

/** Names of the criteria's models in the schemas. */
export type CriterionModel = 'LlmAsAJudgeCriterion' | 'RubricsBasedCriterion' | 'HallucinationsCriterion' | 'LlmBackedUserSimulatorCriterion' | 'VertexCriterion';

/** Fields that google-adk does not know, and reads over. */
const ours: readonly string[] = ['early_stop', 'earlyStop', 'min_coverage', 'minCoverage', 'shuffle_seed', 'shuffleSeed', 'segmenter', 'engine'];

/** A judged criterion, read, and what is wrong with it; paths are relative to the criterion. */
export interface ReadCriterion<C extends JudgedCriterion> {
  readonly criterion: C;
  readonly problems: readonly Problem[];
}

/**
 * Reads the fields of a judged metric's criterion.
 *
 * @param defaultSamples  samples where the criterion does not say; google-adk always has 5
 */
export function readJudgedCriterion<C extends JudgedCriterion>(model: CriterionModel, raw: Criterion, profile: Profile, defaultSamples = 5): ReadCriterion<C> {
  const reference = profile.criteriaCheckedLate;
  const given = reference ? Object.fromEntries(Object.entries(raw).filter(([key]) => !ours.includes(key))) : raw;
  const { value, issues } = readModel(model, given, { reference, misspeltKeysPass: profile.misspeltKeysPass });
  const problems = [...issues.map((issue) => ({ ...toProblem(issue), code: 'bad_criterion' })), ...rangeProblems(raw)];
  if (problems.length > 0) return { criterion: raw as C, problems };
  const read = value as C & { readonly judgeModelOptions?: Partial<JudgeModelOptions> };
  const options = read.judgeModelOptions;
  const limit = isGiven(raw, 'parallelism_limit', 'parallelismLimit') || reference ? Number(options?.parallelismLimit ?? 1) : undefined;
  const criterion: C = {
    ...read,
    threshold: raw.threshold,
    includeIntermediateResponsesInFinal: raw.includeIntermediateResponsesInFinal ?? false,
    earlyStop: reference ? false : read.earlyStop,
    judgeModelOptions: {
      judgeModel: options?.judgeModel ?? 'gemini-2.5-flash',
      ...(options?.judgeModelConfig === undefined ? {} : { judgeModelConfig: options.judgeModelConfig }),
      numSamples: reference || isGiven(raw, 'num_samples', 'numSamples') ? Number(options?.numSamples ?? 5) : defaultSamples,
      ...(limit === undefined ? {} : { parallelismLimit: limit }),
    },
  };
  return { criterion, problems: [] };
}

function isGiven(raw: Criterion, ...spellings: readonly string[]): boolean {
  return spellings.some((name) => name in optionsOf(raw));
}

function optionsOf(raw: Criterion): Readonly<Record<string, unknown>> {
  const options = raw.judgeModelOptions ?? raw.judge_model_options;
  return typeof options === 'object' && options !== null ? (options as Readonly<Record<string, unknown>>) : {};
}

/** Figures that are no legal ones; of what is no figure the schema tells. */
function rangeProblems(raw: Criterion): readonly Problem[] {
  const options = optionsOf(raw);
  const counts = (['num_samples', 'numSamples', 'parallelism_limit', 'parallelismLimit'] as const).flatMap((name): readonly Problem[] =>
    Number(options[name] ?? 1) < 1 ? [{ code: 'bad_criterion', path: [raw.judgeModelOptions === undefined ? 'judge_model_options' : 'judgeModelOptions', name], message: `${name} is ${String(options[name])}.`, hint: 'It takes a whole number of at least 1.' }] : []);
  const shares = (['min_coverage', 'minCoverage'] as const).flatMap((name): readonly Problem[] =>
    Number(raw[name] ?? 1) < 0 || Number(raw[name] ?? 1) > 1 ? [{ code: 'bad_criterion', path: [name], message: `${name} is ${String(raw[name])}.`, hint: 'It takes a share from 0 to 1.' }] : []);
  return [...counts, ...shares];
}
