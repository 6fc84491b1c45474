import type { Problem } from '../support/errors';
import { isJson, withPositions } from '../support/document';
import { toProblem, type Issue } from '../schema/issues';
import { originOf, pathOf } from '../schema/origin';
import type { Loaded } from './types';

/** A text and the name it goes by; undefined for values made in code. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/**
 * What reading gave, with warnings that are put into words (and places) only when somebody looks at them.
 * Without a source nothing has a place. `silent`, as google-adk: no warning but `more`.
 */
export function loaded<T>(
  value: T,
  source: Source | undefined,
  { notes = [], more = [], dependencies = [], silent = false }: { readonly notes?: readonly Issue[]; readonly more?: readonly Problem[]; readonly dependencies?: readonly string[]; readonly silent?: boolean },
): Loaded<T> {
  const file = source?.file ?? '';
  let warnings: readonly Problem[] | undefined;
  let pending = source; // let go of the text as soon as it is not needed
  return {
    value,
    file,
    dependencies,
    get warnings() {
      warnings ??= silent ? more : [...more, ...repeatedKeys(pending), ...inWords(notes, pending)];
      pending = undefined;
      return warnings;
    },
    placeOf(node) {
      if (file === '') return undefined;
      const origin = originOf(node);
      return origin === undefined && node !== value ? undefined : { file, path: pathOf(origin) };
    },
  };
}

/** Issues as problems with line and column, in the order of the file. */
export function problemsOf(issues: readonly Issue[], source: Source | undefined): Problem[] {
  const problems = issues.map((issue) => toProblem(issue, source?.file));
  return source === undefined ? problems : withPositions(problems, source.text, source.file);
}

function repeatedKeys(source: Source | undefined): readonly Problem[] {
  if (source === undefined || !isJson(source.file)) return [];
  const { duplicateKeys }: typeof import('../support/json-duplicates') = require('../support/json-duplicates');
  return duplicateKeys(source.text, source.file);
}

/** One warning for each key, however often it occurs. */
function inWords(notes: readonly Issue[], source: Source | undefined): Problem[] {
  const first = new Map<string, { readonly note: Issue; count: number }>();
  for (const note of notes) {
    const key = `${note.message} ${String(note.origin?.step)}`;
    const seen = first.get(key);
    if (seen === undefined) first.set(key, { note, count: 1 });
    else seen.count += 1;
  }
  const distinct = [...first.values()].map(({ note, count }) => (count === 1 ? note : { ...note, message: `${note.message ?? ''} (${count} times)` }));
  return problemsOf(distinct, source).map((problem) => ({ ...problem, severity: 'warning' }));
}
