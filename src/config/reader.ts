import { parseDocument, withPositions } from '../support/document';
import { JestAdkError, type Problem } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import { readTextFile } from '../support/text';
import { isTypo } from '../schema/keys';
import { withKeptKeys } from '../schema/origin';
import { readModel, type ReadOutcome } from '../schema/read';
import { loaded, problemsOf, type Source } from '../evalset/loaded';
import type { Loaded } from '../evalset/types';
import { instructionsProblem } from './instructions';
import type { Criterion, CustomMetricConfig, EvalConfig, JsonObject } from './types';

/** Choices of reading a config. */
export interface ReadConfigOptions {
  readonly profile?: Profile;
  /** What a metric says of its own fields; asked when the config is refused anyway, so that everything is told at once. Paths are relative to the criterion. */
  readonly checkCriterion?: (metricName: string, criterion: Criterion) => readonly Problem[];
}

/** A config as its model reads it, before maps take the place of objects. */
interface ConfigModel {
  readonly criteria: Readonly<Record<string, number | Criterion>>;
  readonly customMetrics?: Readonly<Record<string, CustomMetricConfig>>;
  readonly userSimulatorConfig?: JsonObject;
  readonly environmentSimulationConfig?: JsonObject;
  readonly liveModelConfig?: { readonly timeoutSeconds: number };
}

/**
 * Reads a config (`test_config.json` and its kin) from a JSON or TOML file, in either spelling. Criteria are checked as far as all have them in common; the
 * fields of a metric's own are checked by the metric.
 *
 * @param file  absolute path
 * @returns the config; `placeOf` knows its criteria
 * @throws {JestAdkError} `invalid_config` with every problem, or what reading the file throws
 */
export function readConfigFile(file: string, options: ReadConfigOptions = {}): Loaded<EvalConfig> {
  const text = readTextFile(file, { keepBom: options.profile?.name === 'google-adk' });
  return fromModel(parseDocument(text, file), { file, text }, options);
}

/**
 * Checks a config that was made in code, in either spelling.
 *
 * @throws {JestAdkError} `invalid_config` with every problem
 */
export function configFromObject(value: unknown, options: ReadConfigOptions = {}): Loaded<EvalConfig> {
  return fromModel(value, undefined, options);
}

/** What google-adk's model of a config makes of a value, or all its errors. */
export function readConfigModel(value: unknown, profile: Profile = defaultProfile): ReadOutcome {
  return readModel('EvalConfig', value, { reference: profile.name === 'google-adk', misspeltKeysPass: profile.misspeltKeysPass, checkInstructions: instructionsProblem });
}

function fromModel(raw: unknown, source: Source | undefined, { profile, checkCriterion }: ReadConfigOptions): Loaded<EvalConfig> {
  const read = readConfigModel(raw, profile);
  if (read.issues.length > 0) {
    const more = checkCriterion === undefined || profile?.criteriaCheckedLate === true ? [] : ofCriteria(raw, checkCriterion);
    throw new JestAdkError('invalid_config', [...problemsOf(read.issues, source), ...(source === undefined ? more : withPositions(more.map((problem) => ({ ...problem, file: source.file })), source.text, source.file))]);
  }
  return loaded(evalConfigOf(read.value), source, { notes: read.notes, silent: profile?.name === 'google-adk' });
}

/** What is wrong with the metrics' own fields of a config that could not be read as a whole. */
function ofCriteria(raw: unknown, check: NonNullable<ReadConfigOptions['checkCriterion']>): Problem[] {
  const { criteria } = (raw ?? {}) as { readonly criteria?: unknown };
  if (!isObject(criteria)) return [];
  return Object.entries(criteria).flatMap(([name, criterion]): Problem[] => {
    if (!isObject(criterion)) return [];
    // A key that is meant as the threshold is told already.
    const own = 'threshold' in criterion ? criterion : Object.fromEntries(Object.entries(criterion).filter(([key]) => !isTypo(key, ['threshold'])));
    return check(name, { ...own, threshold: 0 }).map((problem) => ({ ...problem, path: ['criteria', name, ...(problem.path ?? [])] }));
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The canonical config of a model that was read without issues. */
function evalConfigOf(value: unknown): EvalConfig {
  const model = value as ConfigModel;
  const criteria = Object.entries(model.criteria);
  return {
    criteria: new Map(criteria.map(([name, criterion]) => [name, typeof criterion === 'number' ? { threshold: criterion } : withKeptKeys(criterion)])),
    plainThresholds: new Set(criteria.filter(([, criterion]) => typeof criterion === 'number').map(([name]) => name)),
    customMetrics: new Map(Object.entries(model.customMetrics ?? {})),
    ...(model.userSimulatorConfig === undefined ? {} : { userSimulatorConfig: withKeptKeys(model.userSimulatorConfig) }),
    ...(model.environmentSimulationConfig === undefined ? {} : { environmentSimulationConfig: model.environmentSimulationConfig }),
    ...(model.liveModelConfig === undefined ? {} : { liveModelConfig: model.liveModelConfig }),
  };
}
