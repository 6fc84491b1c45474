import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { JestAdkError, type Problem } from '../support/errors';
import { type PathBases, resolveExisting, resolveFrom } from '../support/paths';
import type { Profile } from '../support/profile';
import { parseSelections } from './selection';

/** Ends of the names that eval sets have; longest first where one ends in another. */
const evalSetSuffixes = ['.test.json', '.test.toml', '.evalset.json', '.evalset.toml'] as const;

const neverEntered: ReadonlySet<string> = new Set(['node_modules', '.git', '.adk']);

/** The name without the convention's suffix, else without its last extension: `home` for `home.test.json`. */
export function evalSetStem(file: string): string {
  const name = basename(file);
  const suffix = evalSetSuffixes.find((end) => name.endsWith(end));
  return suffix === undefined ? name.replace(/\.[^.]*$/, '') : name.slice(0, -suffix.length);
}

/** Does the name follow the convention, so that a folder search finds it? */
function hasEvalSetName(file: string): boolean {
  return evalSetSuffixes.some((suffix) => file.endsWith(suffix));
}

/** An eval set that was asked for. */
export interface LocatedEvalSet {
  /** Absolute path. */
  readonly file: string;
  /** The path as it was given: that of the folder when the set was found below one. */
  readonly given: string;
  /** Case ids selected after a colon; absent means all. */
  readonly caseIds?: readonly string[];
  /** It was named more than once, and as a whole. */
  readonly repeated?: true;
}

/** What the paths named, and what is worth a line about it. */
export interface LocatedEvalSets {
  readonly sets: readonly LocatedEvalSet[];
  readonly warnings: readonly Problem[];
}

/**
 * Every eval set below a folder, absolute, sorted by path. `node_modules`, `.git` and `.adk` are never entered, linked folders
 * neither; linked files count.
 */
export function evalSetsBelow(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!neverEntered.has(entry.name)) found.push(...evalSetsBelow(path));
    } else if (hasEvalSetName(entry.name) && isFile(path)) found.push(path);
  }
  return found.sort();
}

/** Is there a regular file, links followed? */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * The eval sets that the paths name: files of any name, `file:case1,case2` selections, and folders, which are searched. Order is
 * that of the paths, sorted within a folder. A file named twice is one set: its selections are joined.
 *
 * @throws {JestAdkError} with every problem found: `no_paths`, `path_not_found`, `no_eval_sets`, `empty_selection`, `folder_selection`
 */
export function findEvalSets(paths: string | readonly string[], bases: PathBases, profile: Profile): LocatedEvalSets {
  const given = typeof paths === 'string' ? [paths] : paths;
  const problems: Problem[] = given.length > 0 ? [] : [{ code: 'no_paths', message: 'No eval set was named.', hint: 'Give a file, a folder or a list of them.' }];
  const collected = new Map<string, LocatedEvalSet>();
  const warnings: Problem[] = [];
  const selections = collect(problems, () => parseSelections(given, profile, (path) => isFile(resolveFrom(bases, path)))) ?? [];
  for (const { path, caseIds, repeated } of selections) {
    const twice = repeated === true && { repeated };
    for (const set of collect(problems, () => locate(path, caseIds, bases, warnings)) ?? []) merge(collected, { ...set, ...twice }, profile);
  }
  if (problems.length > 0) throw new JestAdkError(problems[0]?.code ?? 'path_not_found', problems);
  return { sets: [...collected.values()], warnings };
}

/** Runs one step; its problems join the others instead of ending the search. */
function collect<T>(problems: Problem[], step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof JestAdkError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

function locate(path: string, caseIds: readonly string[], bases: PathBases, warnings: Problem[]): LocatedEvalSet[] {
  const absolute = resolveExisting(bases, path, 'eval set');
  if (!statSync(absolute).isDirectory()) {
    if (!hasEvalSetName(absolute)) warnings.push(unconventional(absolute));
    return [{ file: absolute, given: path, ...(caseIds.length > 0 && { caseIds }) }];
  }
  if (caseIds.length > 0) throw problem('folder_selection', `Case ids were given for the folder ${absolute}.`, 'Select cases of one file.');
  const files = evalSetsBelow(absolute);
  if (files.length === 0) {
    throw problem('no_eval_sets', `No eval sets below the folder ${absolute} (given as ${JSON.stringify(path)}).`, `Their names end in ${evalSetSuffixes.join(', ')}.`);
  }
  return files.map((file) => ({ file, given: path }));
}

function problem(code: string, message: string, hint: string): JestAdkError {
  return new JestAdkError(code, [{ code, message, hint }]);
}

function unconventional(file: string): Problem {
  return {
    code: 'unconventional_name',
    severity: 'warning',
    file,
    message: 'The name does not follow the convention, so searching a folder does not find this file.',
    hint: `Names of eval sets end in ${evalSetSuffixes.join(', ')}.`,
  };
}

/** google-adk compares the text of paths only; we know a file by its real path. */
function merge(collected: Map<string, LocatedEvalSet>, set: LocatedEvalSet, profile: Profile): void {
  const key = profile.name === 'google-adk' ? `${set.given}\0${set.file}` : realpathSync(set.file);
  const before = collected.get(key);
  if (before === undefined) {
    collected.set(key, set);
    return;
  }
  const caseIds = [...new Set([...(before.caseIds ?? []), ...(set.caseIds ?? [])])];
  const whole = before.caseIds === undefined && set.caseIds === undefined;
  collected.set(key, { ...before, ...(caseIds.length > 0 && { caseIds }), ...(whole && { repeated: true }) });
}
