/** Settings of one call: what the flags, the variables and the config file say, the first of them that says something. */
import { resolve } from 'node:path';
import { JestAdkError, type Problem } from '../../support/errors';
import { nearest } from '../../support/nearest';
import { shownJson } from '../../support/secrets';
import type { CliArguments, CliIo } from '../types';
import { readConfigFile, type ConfigFile } from './config-file';
import { flagOf, kebab, settings, variableOf, type Setting, type SettingName } from './settings-table';

/** A value, and where it comes from: `--num-runs`, `JEST_ADK_NUM_RUNS`, a config file, or the defaults. */
export interface Sourced {
  readonly value: unknown;
  readonly source: string;
}

/** Values in force by name, and the target and paths. */
export interface Settings {
  readonly target: string;
  readonly paths: readonly string[];
  readonly sourced: ReadonlyMap<SettingName, Sourced>;
  /** Values that are not legal. */
  readonly problems: readonly Problem[];
  /** The value of a setting; undefined when nobody gave one and there is no default. */
  get<T>(name: SettingName): T | undefined;
}

/** Keys of a config file beside the settings. */
const positionals = ['target', 'evalSets'] as const;

/** Where the values of one call come from. */
interface Sources {
  readonly args: CliArguments;
  readonly io: CliIo;
  readonly file: ConfigFile | undefined;
}

/**
 * Reads all settings of a call.
 *
 * @param wordsOf  what the command's words stand for
 * @returns the legal ones, and a problem for each other value, naming the flag, variable or key and what was seen
 */
export async function readSettings(args: CliArguments, io: CliIo, wordsOf: Words = evalWords): Promise<Settings> {
  const problems: Problem[] = [];
  const file = await readConfigFile(io.cwd, [...positionals, ...settings.map(({ name }) => name)]).catch((thrown: unknown) => {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    problems.push(...thrown.problems);
    return undefined;
  });
  const sources: Sources = { args, io, file };
  const sourced = new Map<SettingName, Sourced>();
  for (const setting of settings as readonly (Setting & { readonly name: SettingName })[]) {
    const value = readOne(setting, sources, problems);
    if (value !== undefined) sourced.set(setting.name, value);
  }
  const { target, paths } = readPositionals(wordsOf(args, io, file?.values ?? {}), file, problems);
  return { target, paths, sourced, problems, get: <T>(name: SettingName) => sourced.get(name)?.value as T | undefined };
}

function readOne(setting: Setting, { args, io, file }: Sources, problems: Problem[]): Sourced | undefined {
  const given: Sourced[] = [
    ...(setting.configOnly === true ? [] : [{ value: args[kebab(setting.name)], source: flagOf(setting.name) }, { value: fromVariable(setting, io), source: variableOf(setting.name) }]),
    { value: file?.values[setting.name], source: `${setting.name} in ${file?.file ?? ''}` },
  ];
  // Nothing at all is no selection; elsewhere an empty text counts as none.
  const first = given.find(({ value }) => value !== undefined && (value !== '' || setting.kind.type === 'list'));
  if (first === undefined) return setting.default === undefined ? undefined : { value: setting.default, source: 'default' };
  if (Array.isArray(first.value) && setting.kind.type !== 'list' && setting.configOnly !== true) {
    problems.push({ code: 'usage', message: `${first.source} was given more than once.` });
    return undefined;
  }
  const value = setting.kind.parse(first.value);
  if (value !== undefined) return { value, source: first.source };
  const seen = setting.secret === true ? 'something else (not shown: it may be secret)' : shown(first.value);
  const near = typeof first.value === 'string' && setting.kind.choices !== undefined ? nearest(first.value, setting.kind.choices) : undefined;
  problems.push({ code: 'usage', message: `${first.source} takes ${setting.kind.wanted}; got ${seen}.`, ...(near === undefined ? {} : { hint: `Did you mean ${JSON.stringify(near)}?` }) });
  return undefined;
}

/** Variables that are no setting and nearly one: a line each. */
export function misspeltVariables({ env }: CliIo): readonly string[] {
  const known = (settings as readonly Setting[]).filter(({ configOnly }) => configOnly !== true).map(({ name }) => variableOf(name));
  return Object.keys(env).flatMap((name) => {
    const near = name.startsWith('JEST_ADK_') && !known.includes(name) ? nearest(name.slice('JEST_ADK_'.length), known.map((one) => one.slice('JEST_ADK_'.length))) : undefined;
    return near === undefined ? [] : [`warning: ${name} is no setting and is not read. Did you mean JEST_ADK_${near}?`];
  });
}

/** Several values of a list stand on lines of their own. */
function fromVariable({ name, kind }: Setting, { env }: CliIo): unknown {
  const text = env[variableOf(name)];
  if (text === undefined || text === '') return undefined;
  return kind.type === 'list' ? text.split(/\r?\n/).filter((line) => line.trim() !== '') : text;
}

/** Target and paths as they were given, by words or by the config file; not checked yet. */
export interface GivenWords {
  readonly target: unknown;
  readonly paths: unknown;
  /** What is wrong with them already. */
  readonly problems?: readonly Problem[];
}

/** What the words of a command stand for. */
export type Words = (args: CliArguments, io: CliIo, file: ConfigFile['values']) => GivenWords;

const evalWords: Words = (args, _io, file) => {
  const [target = file.target, ...paths] = wordsAfterCommand(args);
  return { target, paths: paths.length > 0 ? paths : file.evalSets };
};

/** The words of a call without the command itself. */
export function wordsAfterCommand(args: CliArguments): readonly string[] {
  return ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
}

function readPositionals({ target, paths = [], problems: given }: GivenWords, file: ConfigFile | undefined, problems: Problem[]): { readonly target: string; readonly paths: readonly string[] } {
  if (given !== undefined && given.length > 0) {
    problems.push(...given);
    return { target: '', paths: [] };
  }
  const listed: readonly unknown[] = Array.isArray(paths) ? paths : [paths];
  if (target === undefined || target === '') problems.push({ code: 'usage', message: 'TARGET is required: the URL of a server (http:// or https://), or the path of a module that exports an agent.' });
  else if (typeof target !== 'string') problems.push({ code: 'usage', message: `target in ${file?.file ?? ''} takes a text; got ${shown(target)}.` });
  else if (/^[a-z][a-z0-9+.-]+:/i.test(target) && !/^(https?|file):/i.test(target)) problems.push({ code: 'usage', message: `TARGET ${JSON.stringify(target)} is no URL of a server: it must start with http:// or https://.` });
  if (listed.length === 0) problems.push({ code: 'usage', message: 'EVAL_SET_PATH is required: name at least one eval set file, folder or FILE:CASE,CASE.' });
  for (const path of listed.filter((each) => typeof each !== 'string')) problems.push({ code: 'usage', message: `evalSets in ${file?.file ?? ''} takes paths; got ${shown(path)}.` });
  return { target: typeof target === 'string' ? target : '', paths: listed.filter((each) => typeof each === 'string') };
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`;
  const text = typeof value === 'string' ? JSON.stringify(value) : shownJson(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The folders of `--module-path`, which must exist. */
export function modulePaths(settingsOfCall: Settings, cwd: string, isFolder: (path: string) => boolean): { readonly folders: readonly string[]; readonly problems: readonly Problem[] } {
  const given = settingsOfCall.get<readonly string[]>('modulePath') ?? [];
  const source = settingsOfCall.sourced.get('modulePath')?.source ?? '';
  const folders = given.map((path) => resolve(cwd, path));
  const missing = folders.flatMap((folder, index) => (isFolder(folder) ? [] : [{ code: 'usage', message: `${source} ${JSON.stringify(given[index])}: there is no folder ${folder}.` }]));
  return { folders, problems: missing };
}
