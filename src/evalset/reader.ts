import { basename } from 'node:path';
import { randomUUID } from 'node:crypto';
import { parseDocument } from '../support/document';
import { JestAdkError, refusal, type Problem } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import { readTextFile } from '../support/text';
import { readModel, type ReadOptions } from '../schema/read';
import type { Issue } from '../schema/issues';
import { loaded, problemsOf, type Source } from './loaded';
import type { LegacyIssue, LegacyOutcome } from './legacy';
import { builtInPersona } from './personas';
import type { EvalSet, Loaded, SessionInput } from './types';

/** Choices of reading an eval set; none is needed. */
export interface ReadEvalSetOptions {
  readonly profile?: Profile;
  /** Absolute path of a session export or a hand-written session object, for files in an old format. */
  readonly initialSessionFile?: string;
  /** The same, as a value in place of a file. */
  readonly initialSession?: unknown;
  /** Only under `google-adk`: names of the config's criteria, which it checks against the first turn of an old file. */
  readonly criteria?: readonly string[];
  /** Only under `google-adk`: what it uses as the id of an old file, which is the path as given by the user. */
  readonly givenPath?: string;
  /** Only under `google-adk`: which of its two readers of old files is meant; by default the shape of the file decides. */
  readonly legacyReader?: 'eval_sets_manager' | 'agent_evaluator';
}

/**
 * Reads an eval set from a JSON or TOML file, in any of its formats and spellings. Synchronous.
 *
 * @param file  absolute path
 * @throws {JestAdkError} `file_not_found`, `not_utf8`, `not_json`, `not_toml`, `invalid_eval_set`, …: every problem of the file, with line and column
 */
export function readEvalSetFile(file: string, options: ReadEvalSetOptions = {}): Loaded<EvalSet> {
  return readEvalSetText(readTextFile(file, { keepBom: profileOf(options).legacyByFailure }), file, options);
}

/**
 * Reads an eval set from the text of a file.
 *
 * @param file  absolute path; says whether the text is JSON or TOML, and is named in problems
 * @throws {JestAdkError} as `readEvalSetFile`
 */
export function readEvalSetText(text: string, file: string, options: ReadEvalSetOptions = {}): Loaded<EvalSet> {
  return readParsed(parseDocument(text, file), { file, text }, options);
}

/**
 * Checks an eval set that was made in code, in either spelling, and gives it in canonical form.
 *
 * @throws {JestAdkError} `invalid_eval_set` with every problem
 */
export function evalSetFromObject(value: unknown, options: ReadEvalSetOptions = {}): Loaded<EvalSet> {
  return readParsed(value, undefined, options);
}

/** What google-adk's model of an eval set makes of a value: the set, or all its errors. No old formats. */
export function readEvalSetModel(value: unknown, profile: Profile = defaultProfile): { readonly value: unknown; readonly issues: readonly Issue[]; readonly notes: readonly Issue[] } {
  return readModel('EvalSet', value, readOptions(profile));
}

/** Options of the generic reader for everything an eval set consists of. */
export function readOptions(profile: Profile): ReadOptions {
  return { reference: profile.name === 'google-adk', misspeltKeysPass: profile.misspeltKeysPass, persona: builtInPersona };
}

function profileOf(options: ReadEvalSetOptions): Profile {
  return options.profile ?? defaultProfile;
}

function readParsed(value: unknown, source: Source | undefined, options: ReadEvalSetOptions): Loaded<EvalSet> {
  const profile = profileOf(options);
  if (!profile.legacyByFailure && looksLegacy(value)) return readLegacy(value, source, options);
  const read = readEvalSetModel(value, profile);
  if (read.issues.length > 0) {
    if (!profile.legacyByFailure || read.issues.some(({ kind }) => kind === 'not_found')) throw invalid(read.issues, source);
    return readLegacy(value, source, options, read.issues);
  }
  if (initialSession(options) !== undefined) {
    throw refusal('initial_session_unused', `An initial session is for files in an old format; ${source?.file ?? 'this eval set'} is in the new one.`, 'Use "session_input" in its cases instead.');
  }
  return loaded(read.value as EvalSet, source, { notes: read.notes, silent: profile.name === 'google-adk' });
}

/** A list of objects with `data` or `query` was written for one of the old readers; nothing else was. */
function looksLegacy(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null && ('data' in item || 'query' in item));
}

function isNamedCases(value: unknown, options: ReadEvalSetOptions): boolean {
  if (options.legacyReader !== undefined) return options.legacyReader === 'eval_sets_manager';
  return !Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null && 'data' in item);
}

/**
 * Converts a file in an old format.
 *
 * @param asEvalSet  what is wrong with it as a file in the new format, where that decides (google-adk)
 */
function readLegacy(value: unknown, source: Source | undefined, options: ReadEvalSetOptions, asEvalSet: readonly Issue[] = []): Loaded<EvalSet> {
  const { firstRaised }: typeof import('./legacy') = require('./legacy');
  const { evalSet, issues } = convertLegacy(value, source, options, () => initialSession(options));
  if (issues.length > 0) throw invalid(Array.isArray(value) || asEvalSet.length === 0 ? issues : asEvalSet, source, firstRaised(issues));
  const dependencies = options.initialSessionFile === undefined ? [] : [options.initialSessionFile];
  return loaded(evalSet, source, { more: [deprecation(source)], dependencies, silent: profileOf(options).name === 'google-adk' });
}

function convertLegacy(value: unknown, source: Source | undefined, options: ReadEvalSetOptions, session: () => SessionInput | undefined): LegacyOutcome {
  const { convertNamedCases, convertTurnList }: typeof import('./legacy') = require('./legacy');
  const profile = profileOf(options);
  const given = options.givenPath ?? source?.file ?? 'eval_set';
  const reference = profile.legacyByFailure;
  const shared = { reference, missingReferenceIsEmptyText: profile.missingReferenceIsEmptyText };
  if (isNamedCases(value, options)) return convertNamedCases(value, { ...shared, evalSetId: reference ? given : stemOf(given) }, session);
  return convertTurnList(value, {
    ...shared,
    evalSetId: reference ? randomUUID() : stemOf(given),
    evalId: reference ? given : stemOf(given),
    criteria: options.criteria,
    session,
  });
}

function initialSession(options: ReadEvalSetOptions): SessionInput | undefined {
  if (options.initialSessionFile === undefined && options.initialSession === undefined) return undefined;
  const { checkInitialSession, readInitialSession }: typeof import('./initial-session') = require('./initial-session');
  if (options.initialSessionFile === undefined) return checkInitialSession(options.initialSession, profileOf(options));
  return readInitialSession(options.initialSessionFile, profileOf(options));
}

function deprecation(source: Source | undefined): Problem {
  return {
    code: 'legacy_format',
    severity: 'warning',
    message: 'This eval set is in an old format, which google-adk no longer writes.',
    hint: 'AgentEvaluator.migrateEvalDataToNewSchema() converts it.',
    ...(source === undefined ? {} : { file: source.file }),
  };
}

/** `dir/old.test.json` -> `old`: an id that stays the same on every machine and is safe in file names. */
function stemOf(path: string): string {
  return basename(path.replaceAll('\\', '/')).replace(/(\.(test|evalset))?\.(json|toml)$/i, '');
}

function invalid(issues: readonly Issue[], source: Source | undefined, cause?: readonly LegacyIssue[]): JestAdkError {
  return new JestAdkError('invalid_eval_set', problemsOf(issues, source), cause === undefined ? undefined : { cause });
}
