import { basename, dirname, join } from 'node:path';
import { evalSetStem, isFile } from '../evalset/discover';
import { refusal } from '../support/errors';
import type { Profile } from '../support/profile';
import type { ConfigChoice, Criterion, EvalConfig } from './types';

/** Which file holds the config of an eval set, and why that one. Without a file: the defaults. */
export interface FoundConfig {
  /** Absolute path. */
  readonly file?: string;
  readonly reason: Exclude<ConfigChoice['reason'], 'inline'>;
}

/** What decides beside the files. */
export interface FindConfigOptions {
  /** Absolute path of a config that was named; it wins over every file beside the eval set. */
  readonly explicit?: string;
  readonly profile: Profile;
}

/** The criteria when nothing names others: every tool call as expected, and a ROUGE-1 of 0.8. */
const defaultCriteria: ReadonlyMap<string, Criterion> = new Map([
  ['tool_trajectory_avg_score', { threshold: 1.0 }],
  ['response_match_score', { threshold: 0.8 }],
]);

/** What is evaluated when no config file belongs to the eval set. */
export const defaultConfig: EvalConfig = {
  criteria: defaultCriteria,
  plainThresholds: new Set(defaultCriteria.keys()),
  customMetrics: new Map(),
};

/** Where a config may stand, in the order of precedence. */
function candidates(evalSetFile: string, profile: Profile): (readonly [file: string, reason: FoundConfig['reason']])[] {
  const folder = dirname(evalSetFile);
  if (profile.onlyTestConfig) return [[join(folder, 'test_config.json'), 'test_config']];
  const beside = [
    [join(folder, `${evalSetStem(evalSetFile)}.config.json`), 'stem'],
    [join(folder, 'test_config.json'), 'test_config'],
    [join(folder, 'eval_config.json'), 'eval_config'],
  ] as const;
  if (basename(folder) !== 'evalsets') return [...beside];
  // agent-starter-pack keeps its sets one level below their config.
  const above = ['test_config.json', 'eval_config.json'].map((name) => [join(dirname(folder), name), 'parent_of_evalsets'] as const);
  return [...beside, ...above];
}

/**
 * The config of an eval set: the explicit one; `<stem>.config.json`; `test_config.json`; `eval_config.json` beside it; one level up when
 * the folder is `evalsets`; else the defaults. The first that exists wins. Under google-adk only `test_config.json` beside it is looked for.
 *
 * @param evalSetFile  absolute path
 * @param options  an explicit config and the profile
 * @throws {JestAdkError} `config_not_found` when the explicit file is missing (google-adk: the defaults)
 */
export function findConfig(evalSetFile: string, options: FindConfigOptions): FoundConfig {
  const { explicit, profile } = options;
  if (explicit !== undefined) {
    if (isFile(explicit)) return { file: explicit, reason: 'explicit' };
    if (profile.missingConfigIsDefault) return { reason: 'default' };
    throw refusal('config_not_found', `No config file at ${explicit}.`, 'Correct the path, or leave it out to use the config beside the eval set.');
  }
  const found = candidates(evalSetFile, profile).find(([file]) => isFile(file));
  return found === undefined ? { reason: 'default' } : { file: found[0], reason: found[1] };
}

/**
 * The config of an eval set, found and read.
 *
 * @param evalSetFile  absolute path
 * @param options  an explicit config and the profile
 * @param read  reads one config file; its problems pass through
 * @throws {JestAdkError} `config_not_found`, or whatever `read` finds wrong
 */
export function chooseConfig(evalSetFile: string, options: FindConfigOptions, read: (file: string) => EvalConfig): ConfigChoice {
  const found = findConfig(evalSetFile, options);
  return found.file === undefined ? { config: defaultConfig, reason: found.reason } : { config: read(found.file), file: found.file, reason: found.reason };
}
