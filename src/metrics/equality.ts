import type { JsonObject } from '../evalset/types';
import { argMatcherOf, describeExpected, jsonType, type MatcherHost } from './arg-matchers';

/** `exact`: nothing more, nothing less. `subset`: the expected keys must be there, others may. `superset`: the actual keys must be expected ones. */
export type ArgsMode = 'exact' | 'subset' | 'superset';

/** How values are compared. */
export interface EqualityRules {
  readonly mode: ArgsMode;
  /** `true` equals 1 and `false` equals 0, as in Python. */
  readonly booleansEqualNumbers: boolean;
  /** `$` operators in expected data count. */
  readonly dataMatchers: boolean;
  /** An expected text that accepts every value, such as "ANY". */
  readonly anyString?: string;
  /** Called when a number and a boolean were compared, which Python takes for equal values. */
  readonly onBoolean?: () => void;
}

/** One place where two values differ. */
export interface Difference {
  readonly path: readonly (string | number)[];
  /** Without the path: `expected 30, got 0.3`. */
  readonly message: string;
}

/** Equality with nothing opted into: Python's, apart from the profile's choice about booleans. */
export function plainRules(booleansEqualNumbers: boolean): EqualityRules {
  return { mode: 'exact', booleansEqualNumbers, dataMatchers: false };
}

/** Whether two values are equal under the rules. */
export function valuesEqual(actual: unknown, expected: unknown, rules: EqualityRules): boolean {
  return differences(actual, expected, rules).next().done === true;
}

/** All differences of two values, depth first, in the order of the expected keys. Nothing is computed before it is asked for. */
export function* differences(given: unknown, wanted: unknown, rules: EqualityRules, path: readonly (string | number)[] = []): Generator<Difference, void> {
  const [actual, expected] = [asData(given), asData(wanted)];
  const matcher = matcherOf(expected, rules);
  if (matcher !== undefined) {
    if (!matcher.accepts(actual, actual !== undefined)) yield { path, message: `expected ${matcher.describe()}, got ${shown(actual)}` };
  } else if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null && Array.isArray(expected) === Array.isArray(actual)) {
    if (Array.isArray(expected)) yield* listDifferences(actual as unknown[], expected, rules, path);
    else yield* objectDifferences(actual as JsonObject, expected as JsonObject, rules, path);
  } else if (!scalarsEqual(actual, expected, rules)) {
    yield { path, message: mismatch(actual, expected) };
  }
}

/** What an object is in JSON: a date its text, for instance. Functions under evaluation may pass such objects as arguments. */
function asData(value: unknown): unknown {
  const convert = typeof value === 'object' && value !== null ? (value as { toJSON?: unknown }).toJSON : undefined;
  return typeof convert === 'function' ? (convert.call(value) as unknown) : value;
}

function matcherOf(expected: unknown, rules: EqualityRules): ReturnType<typeof argMatcherOf> {
  if (rules.anyString !== undefined && expected === rules.anyString) return { accepts: (_actual, present) => present, describe: () => 'anything' };
  return typeof expected === 'object' && expected !== null ? argMatcherOf(expected, hostFor(rules), rules.dataMatchers) : undefined;
}

function hostFor(rules: EqualityRules): MatcherHost {
  return {
    equal: (actual, expected) => valuesEqual(actual, expected, rules),
    contains: (whole, part) => valuesEqual(whole, part, { ...rules, mode: 'subset' }),
    literal: (actual, expected) => valuesEqual(actual, expected, plainRules(rules.booleansEqualNumbers)),
  };
}

function* listDifferences(actual: readonly unknown[], expected: readonly unknown[], rules: EqualityRules, path: readonly (string | number)[]): Generator<Difference, void> {
  const shared = Math.min(actual.length, expected.length);
  for (let i = 0; i < shared; i += 1) yield* differences(actual[i], expected[i], rules, [...path, i]);
  if (actual.length !== expected.length) yield { path, message: `expected ${expected.length} items, got ${actual.length}` };
}

function* objectDifferences(actual: JsonObject, expected: JsonObject, rules: EqualityRules, path: readonly (string | number)[]): Generator<Difference, void> {
  for (const key of Object.keys(expected)) {
    const wanted = expected[key];
    const value = Object.hasOwn(actual, key) ? actual[key] : undefined;
    if (value === undefined) yield* absentDifference(wanted, rules, [...path, key]);
    else yield* differences(value, wanted, rules, [...path, key]);
  }
  if (rules.mode === 'subset') return;
  for (const key of Object.keys(actual)) {
    const known = Object.hasOwn(expected, key) && (expected[key] as unknown) !== undefined;
    if (!known && (actual[key] as unknown) !== undefined) yield { path: [...path, key], message: `unexpected ${shown(actual[key])}` };
  }
}

function* absentDifference(wanted: unknown, rules: EqualityRules, path: readonly (string | number)[]): Generator<Difference, void> {
  if (wanted === undefined) return;
  const matcher = matcherOf(wanted, rules);
  if (matcher === undefined ? rules.mode === 'superset' : matcher.accepts(undefined, false)) return;
  yield { path, message: `missing, expected ${matcher?.describe() ?? shown(wanted)}` };
}

function scalarsEqual(actual: unknown, expected: unknown, rules: EqualityRules): boolean {
  if (actual === expected) return true;
  if (isNumber(actual) && isNumber(expected)) return sameNumber(actual, expected);
  if (!(typeof actual === 'boolean' && isNumber(expected)) && !(isNumber(actual) && typeof expected === 'boolean')) return false;
  if (!sameNumber(Number(actual), Number(expected))) return false;
  rules.onBoolean?.();
  return rules.booleansEqualNumbers;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Exact, also between a big integer and a float: neither is rounded to the other's type. */
function sameNumber(left: number | bigint, right: number | bigint): boolean {
  return left == right; // eslint-disable-line eqeqeq -- the loose form compares bigint and number by their mathematical value
}

function mismatch(actual: unknown, expected: unknown): string {
  const text = `expected ${shown(expected)}, got ${shown(actual)}`;
  const types = [jsonType(actual), jsonType(expected)];
  if (types[0] !== types[1]) return types.every((type) => ['string', 'number', 'boolean'].includes(type)) ? `${text} (${types[0]} vs ${types[1]})` : text;
  return typeof actual === 'string' && typeof expected === 'string' ? textMismatch(actual, expected) : text;
}

/** Long texts are shown around the first character that differs. */
function textMismatch(actual: string, expected: string): string {
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at += 1;
  if (actual.normalize('NFC') === expected.normalize('NFC')) return `expected ${shown(expected)}, got ${shown(actual)} (equal but for Unicode normalisation)`;
  if (Math.max(actual.length, expected.length) <= 40) return `expected ${shown(expected)}, got ${shown(actual)}`;
  const from = Math.max(0, at - 10);
  const around = (value: string): string => `${from > 0 ? '…' : ''}${JSON.stringify(value.slice(from, from + 30))}${value.length > from + 30 ? '…' : ''}`;
  return `differs at character ${at + 1}: expected ${around(expected)}, got ${around(actual)}`;
}

/** A value for a message: matchers in words, long data elided. */
export function shown(value: unknown, limit = 60): string {
  if (value === undefined) return 'nothing';
  const words = describeExpected(value);
  if (words.length <= limit) return words;
  if (typeof value === 'string') return `${JSON.stringify(value.slice(0, 24))}… (${value.length} characters)`;
  return `${words.slice(0, limit - 1)}…`;
}
