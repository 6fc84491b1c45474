import { JestAdkError, type Problem } from '../support/errors';
import { nearest } from '../support/nearest';
import type { Profile } from '../support/profile';
import type { EvalCase, EvalSet } from './types';

/** An eval set argument taken apart: `file:case1,case2`. */
export interface Selection {
  /** Path (or set id) as typed. */
  readonly path: string;
  /** Empty: all cases. */
  readonly caseIds: readonly string[];
  /** Named more than once, and as a whole. */
  readonly repeated?: true;
}

/** Position of the colon that ends the path; the one of a drive (`C:\`, `C:/`) does not. -1 without a selector. */
function selectorAt(argument: string): number {
  return argument.indexOf(':', /^[A-Za-z]:[\\/]/.test(argument) ? 2 : 0);
}

function parseSelection(argument: string, profile: Profile, isFile: (path: string) => boolean): Selection {
  if (profile.name === 'google-adk') {
    const at = selectorAt(argument);
    if (at < 0) return { path: argument, caseIds: [] };
    const ids = (argument.slice(at + 1).split(':')[0] as string).split(',');
    return { path: argument.slice(0, at), caseIds: ids.filter((id) => id.trim() !== '') };
  }
  const colon = argument.startsWith('file:') ? argument.indexOf(':', 'file:'.length) : selectorAt(argument);
  // A file whose own name has a colon is meant as it is.
  if (colon < 0 || isFile(argument)) return { path: argument, caseIds: [] };
  const caseIds = new Set(argument.slice(colon + 1).split(',').map((id) => id.trim()).filter((id) => id !== ''));
  if (caseIds.size === 0) {
    const message = `${JSON.stringify(argument)} selects no case.`;
    throw new JestAdkError('empty_selection', [{ code: 'empty_selection', message, hint: 'Name case ids after the colon, or leave the colon out to run all cases.' }]);
  }
  return { path: argument.slice(0, colon), caseIds: [...caseIds] };
}

/**
 * Takes eval set arguments apart, in order; the same path twice is one selection with both lists of ids, so that "all" and "some"
 * together mean "some", as in google-adk. Under google-adk ids are not trimmed, an empty list means all, and a second colon ends the list;
 * otherwise blanks around ids go, a repeated id counts once, an empty list is refused, and ids may contain colons.
 *
 * @param args  as typed
 * @param profile  whose rules apply
 * @param isFile  whether a path names a file: one that does needs no taking apart
 * @throws {JestAdkError} `empty_selection`
 */
export function parseSelections(args: readonly string[], profile: Profile, isFile: (path: string) => boolean = () => false): Selection[] {
  const byPath = new Map<string, string[]>();
  const repeated = new Set<string>();
  const problems: Problem[] = [];
  for (const argument of args) {
    try {
      const { path, caseIds } = parseSelection(argument, profile, isFile);
      if (caseIds.length === 0 && byPath.get(path)?.length === 0) repeated.add(path);
      byPath.set(path, [...(byPath.get(path) ?? []), ...caseIds]);
    } catch (error) {
      if (!(error instanceof JestAdkError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new JestAdkError('empty_selection', problems);
  return [...byPath].map(([path, caseIds]) => ({ path, caseIds: profile.name === 'google-adk' ? caseIds : [...new Set(caseIds)], ...(repeated.has(path) && { repeated: true as const }) }));
}

/**
 * The config file that google-adk's command line looks for when none is given: the one beside the eval set, if exactly one
 * was named and it is there (a folder too). Undefined: the default criteria, without looking.
 */
export function selectionConfigFile(selections: readonly Selection[], exists: (path: string) => boolean): string | undefined {
  const [only] = selections;
  if (only === undefined || selections.length !== 1 || only.path === '' || !exists(only.path)) return undefined;
  // As Python's `os.path` joins: the folder keeps its spelling.
  const folder = only.path.slice(0, only.path.lastIndexOf('/') + 1);
  const trimmed = folder.replace(/\/+$/, '');
  return `${folder === '' || trimmed === '' ? folder : `${trimmed}/`}test_config.json`;
}

/**
 * The cases with these ids, in the file's order; all of them when `ids` is undefined.
 *
 * @throws {JestAdkError} `empty_selection` for an empty list (it never means "all"), `unknown_case` for ids the set does not have,
 *   unless the profile ignores those
 */
export function selectCases(evalSet: EvalSet, ids: readonly string[] | undefined, profile: Profile): readonly EvalCase[] {
  if (ids === undefined) return evalSet.evalCases;
  const known = evalSet.evalCases.map((evalCase) => evalCase.evalId);
  const available = known.length === 0 ? 'The set has no cases.' : `It has ${known.slice(0, 20).map((id) => JSON.stringify(id)).join(', ')}${known.length > 20 ? `, … (${known.length} cases)` : ''}.`;
  const set = `eval set ${JSON.stringify(evalSet.evalSetId)}`;
  if (ids.length === 0) {
    const message = `An empty list of case ids was given for ${set}.`;
    throw new JestAdkError('empty_selection', [{ code: 'empty_selection', message, hint: `Leave the list out to run all cases. ${available}` }]);
  }
  const unknown = profile.unknownCaseIdsIgnored ? [] : ids.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    throw new JestAdkError('unknown_case', unknown.map((id) => {
      const near = nearest(id, known);
      const hint = `${near === undefined ? '' : `Did you mean ${JSON.stringify(near)}? `}${available}`;
      return { code: 'unknown_case', message: `No case ${JSON.stringify(id)} in ${set}.`, hint };
    }));
  }
  const wanted = new Set(ids);
  return evalSet.evalCases.filter((evalCase) => wanted.has(evalCase.evalId));
}
