/** Options in code, checked by name and value: what a type checker would say, for those who have none. */
import { JestAdkError, type Problem } from './errors';
import { didYouMean, nearest } from './nearest';
import { shownJson } from './secrets';

/** Says what a value must be; undefined for a legal one. */
export type Check = (value: unknown) => string | undefined;

/** A check for each legal option. */
export type Checks<T> = { readonly [K in keyof Required<T>]: Check };

const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a non-empty text');
const callable: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const list: Check = (value) => (Array.isArray(value) ? undefined : 'must be a list');
const texts: Check = (value) => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : 'must be a list of texts');
const count: Check = (value) => (Number.isInteger(value) && (value as number) >= 1 ? undefined : 'must be a whole number of at least 1');
const figure: Check = (value) => (Number.isFinite(value) ? undefined : 'must be a number');
const milliseconds: Check = (value) => (typeof value === 'number' && value > 0 ? undefined : 'must be a number of milliseconds above 0');
const object: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'must be an object');
const oneOf = (...legal: readonly string[]): Check => (value) => (legal.includes(value as string) ? undefined : `must be one of ${legal.map((one) => `"${one}"`).join(', ')}${suggestion(value, legal)}`);

/** Checks of single values. */
export const check = { text, callable, flag, list, texts, count, figure, milliseconds, object, oneOf } as const;

/** A half-sentence with the nearest legal value, or nothing. */
export function suggestion(value: unknown, legal: readonly string[]): string {
  const near = typeof value === 'string' ? nearest(value, legal) : undefined;
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}

/** Unknown names and values that are not legal, with the value seen. An option that is undefined counts as not given. */
export function optionProblems<T>(options: object, checks: Checks<T>): Problem[] {
  const names = Object.keys(checks);
  return Object.entries(options).flatMap(([name, value]): Problem[] => {
    if (value === undefined) return [];
    const own = Object.hasOwn(checks, name) ? (checks as Readonly<Record<string, Check>>)[name] : undefined;
    if (own === undefined) return [{ code: 'unknown_option', message: `Unknown option "${name}".`, hint: didYouMean(name, names) ?? `Options: ${names.join(', ')}.` }];
    const wrong = own(value);
    return wrong === undefined ? [] : [{ code: 'bad_option', message: `The option "${name}" ${wrong}; got ${seen(value)}.` }];
  });
}

/**
 * Refuses options that do not exist or are not legal.
 *
 * @throws {JestAdkError} `bad_option` with every problem
 */
export function refuseBadOptions<T>(options: object, checks: Checks<T>): void {
  const problems = optionProblems(options, checks);
  if (problems.length > 0) throw new JestAdkError('bad_option', problems);
}

function seen(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const shown = typeof value === 'number' || typeof value === 'bigint' ? String(value) : shownJson(value);
  return shown === undefined ? String(value) : shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}
