import { parseDocument } from '../support/document';
import { JestAdkError } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import { readTextFile } from '../support/text';
import { withKeptKeys } from '../schema/origin';
import { readModel, type ReadOutcome } from '../schema/read';
import { loaded, problemsOf, type Source } from '../evalset/loaded';
import type { Loaded } from '../evalset/types';
import { instructionsProblem } from './instructions';
import type { Criterion, CustomMetricConfig, EvalConfig, JsonObject } from './types';

/** Choices of reading a config. */
export interface ReadConfigOptions {
  readonly profile?: Profile;
}

/** A config as its model reads it, before maps take the place of objects. */
interface ConfigModel {
  readonly criteria: Readonly<Record<string, number | Criterion>>;
  readonly customMetrics?: Readonly<Record<string, CustomMetricConfig>>;
  readonly userSimulatorConfig?: JsonObject;
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
  return fromModel(readConfigModel(parseDocument(text, file), options.profile), { file, text }, options);
}

/**
 * Checks a config that was made in code, in either spelling.
 *
 * @throws {JestAdkError} `invalid_config` with every problem
 */
export function configFromObject(value: unknown, options: ReadConfigOptions = {}): Loaded<EvalConfig> {
  return fromModel(readConfigModel(value, options.profile), undefined, options);
}

/** What google-adk's model of a config makes of a value, or all its errors. */
export function readConfigModel(value: unknown, profile: Profile = defaultProfile): ReadOutcome {
  return readModel('EvalConfig', value, { reference: profile.name === 'google-adk', misspeltKeysPass: profile.misspeltKeysPass, checkInstructions: instructionsProblem });
}

function fromModel(read: ReadOutcome, source: Source | undefined, { profile }: ReadConfigOptions): Loaded<EvalConfig> {
  if (read.issues.length > 0) throw new JestAdkError('invalid_config', problemsOf(read.issues, source));
  return loaded(evalConfigOf(read.value), source, { notes: read.notes, silent: profile?.name === 'google-adk' });
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
    ...(model.liveModelConfig === undefined ? {} : { liveModelConfig: model.liveModelConfig }),
  };
}
