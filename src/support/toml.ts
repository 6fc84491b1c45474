import { JestAdkError, type Problem } from './errors';

/**
 * Parses TOML into plain JSON values. Integers beyond 2^53 become `bigint`. Dates have no place in JSON and are refused, each with its key.
 * Limits: TOML 0.5; no line breaks inside inline tables.
 *
 * @param file  named in problems
 * @throws {JestAdkError} `not_toml` with the place of the first syntax problem, `toml_date` with every date, `toml_integer` with every integer beyond 64 bits
 */
export function parseToml(text: string, file?: string): unknown {
  const { parse }: typeof import('@iarna/toml') = require('@iarna/toml');
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    throw new JestAdkError('not_toml', [syntaxProblem(error, file)], { cause: error });
  }
  refuseHugeIntegers(text, file);
  const dates: Problem[] = [];
  const value = plain(parsed, [], dates, file);
  if (dates.length > 0) throw new JestAdkError('toml_date', withPositions(dates, text));
  return value;
}

function syntaxProblem(error: unknown, file: string | undefined): Problem {
  const { message, line, col } = error as { message?: string; line?: number; col?: number };
  const said = (message ?? 'malformed').split('\n')[0]?.replace(/ at row.*$/, '') ?? 'malformed';
  return {
    code: 'not_toml',
    message: `Not TOML: ${said}.`,
    ...(file === undefined ? {} : { file }),
    line: (line ?? 0) + 1, // it counts from 0
    column: (col ?? 0) + 1,
  };
}

/** The parser wraps integers beyond the 64 bits of TOML around, silently. */
function refuseHugeIntegers(text: string, file: string | undefined): void {
  if (!/\d(?:_?\d){18}/.test(text)) return;
  const { hugeIntegers }: typeof import('./toml-positions') = require('./toml-positions');
  const problems = hugeIntegers(text).map(({ digits, ...position }) => ({
    code: 'toml_integer',
    message: `${digits} is beyond the 64 bits of TOML integers.`,
    hint: 'Put it in quotes, or write the file as JSON.',
    ...(file === undefined ? {} : { file }),
    ...position,
  }));
  if (problems.length > 0) throw new JestAdkError('toml_integer', problems);
}

/** Plain objects without the parser's marks. */
function plain(value: unknown, path: readonly (string | number)[], dates: Problem[], file: string | undefined): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) {
    dates.push({ code: 'toml_date', message: `A TOML date (${showDate(value)}) cannot be a value of JSON.`, hint: 'Put it in quotes.', ...(file === undefined ? {} : { file }), path });
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, index], dates, file));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = plain((value as Record<string, unknown>)[key], [...path, key], dates, file);
    Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function showDate(value: Date): string {
  const text = value.toISOString();
  return text.length > 40 ? 'date' : text;
}

function withPositions(problems: readonly Problem[], text: string): Problem[] {
  const { tomlLocator }: typeof import('./toml-positions') = require('./toml-positions');
  const locate = tomlLocator(text);
  return problems.map((problem) => ({ ...problem, ...locate(problem.path ?? []) }));
}
