import { JestAdkError, type Problem } from './errors';
import { parseJson } from './json';
import type { Position } from './positions';
import { readTextFile } from './text';

/** A file that holds one value, as JSON or (by its name) TOML. */
export interface Document {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
}

function isToml(file: string): boolean {
  return /\.toml$/i.test(file);
}

/** Everything that is not TOML is read as JSON. */
export function isJson(file: string): boolean {
  return !isToml(file);
}

/**
 * Reads and parses a JSON or TOML file.
 *
 * @throws {JestAdkError} `file_not_found`, `file_unreadable`, `not_utf8`, `not_json`, `not_toml` or `toml_date`
 */
export function readDocument(file: string, options: { readonly keepBom?: boolean } = {}): Document {
  const text = readTextFile(file, options);
  return { file, text, value: parseDocument(text, file) };
}

/** Parses the text of a file by the file's name. */
export function parseDocument(text: string, file: string): unknown {
  if (!isToml(file)) return parseJson(text, file);
  const { parseToml }: typeof import('./toml') = require('./toml');
  return parseToml(text, file);
}

/** Finds line and column of pointers into the text of a file. Slow; for messages only. */
export function locatorFor(text: string, file: string): (path: readonly (string | number)[]) => Position {
  if (isToml(file)) {
    const { tomlLocator }: typeof import('./toml-positions') = require('./toml-positions');
    return tomlLocator(text);
  }
  const { jsonLocator }: typeof import('./json-positions') = require('./json-positions');
  return jsonLocator(text);
}

/** The same problems with line and column, in the order of the file. Problems without a path stay as they are. */
export function withPositions(problems: readonly Problem[], text: string, file: string): Problem[] {
  if (!problems.some(needsPosition)) return [...problems];
  const locate = locatorFor(text, file);
  const placed = problems.map((problem) => (needsPosition(problem) ? { ...problem, ...locate(problem.path ?? []) } : problem));
  return placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Like `withPositions`, reading the file again; the problems as they are when it cannot be read or does not parse. */
export function withPositionsIn(problems: readonly Problem[], file: string): Problem[] {
  try {
    return withPositions(problems, readTextFile(file), file);
  } catch (error) {
    if (error instanceof JestAdkError) return [...problems];
    throw error;
  }
}

function needsPosition(problem: Problem): boolean {
  return problem.path !== undefined && problem.line === undefined;
}

/**
 * Line and column of a place in a file, found by reading the file again; undefined when the file is gone or no longer parses.
 */
export function positionOf(place: { readonly file: string; readonly path: readonly (string | number)[] }): Position | undefined {
  try {
    const { text } = readDocument(place.file);
    return locatorFor(text, place.file)(place.path);
  } catch (error) {
    if (error instanceof JestAdkError) return undefined;
    throw error;
  }
}
