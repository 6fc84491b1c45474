import type { JsonObject, JsonValue } from '../evalset/types';
import { didYouMean } from '../support/nearest';
import { maximumMatching } from './pairing';
import { readPattern, testPattern } from './patterns';
import { stringifyJson } from '../support/json';

/** What an argument matcher needs from the comparison that it stands in. */
export interface MatcherHost {
  equal(actual: unknown, expected: unknown): boolean;
  /** Everything in `part` is in `whole`; `whole` may hold more at any depth. */
  contains(whole: unknown, part: unknown): boolean;
  /** Equality that takes `$` keys as data. */
  literal(actual: unknown, expected: unknown): boolean;
}

/** An expected value that accepts more than one actual value. */
export interface ArgMatcher {
  /** `present` is false when the argument is not there at all. */
  accepts(actual: unknown, present: boolean): boolean;
  describe(): string;
}

interface Operator {
  /** What is wrong with the operand; undefined when it is fine. */
  check(operand: unknown, all: JsonObject): string | undefined;
  accepts(actual: unknown, operand: unknown, host: MatcherHost, all: JsonObject): boolean;
  describe(operand: unknown, all: JsonObject): string;
  /** Accepts an argument that is not there. */
  readonly absentFits?: boolean;
}

const isTrue = (operand: unknown): string | undefined => (operand === true ? undefined : 'It takes true.');
const isList = (operand: unknown): string | undefined => (Array.isArray(operand) ? undefined : 'It takes a list.');
const anything = (): undefined => undefined;
const text = (value: unknown): string => (value === undefined ? 'undefined' : stringifyJson(value, 0));

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** JSON type of a value, as JSON Schema names them; whole numbers are `number`. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function hasType(value: unknown, type: unknown): boolean {
  return jsonType(value) === type || (type === 'integer' && (typeof value === 'bigint' || Number.isInteger(value)));
}

function closeTo(operand: unknown, all: JsonObject): { readonly value: number; readonly tolerance: number } | undefined {
  const [value, tolerance] = (Array.isArray(operand) ? operand : [operand, all['$tolerance'] ?? 1e-6]) as unknown[];
  return typeof value === 'number' && typeof tolerance === 'number' && tolerance >= 0 ? { value, tolerance } : undefined;
}

function patternOf(operand: unknown, all: JsonObject): ReturnType<typeof readPattern> {
  const flags = all['$flags'] ?? '';
  return typeof operand === 'string' && typeof flags === 'string' ? readPattern(operand, flags) : 'It takes a text such as "/rain/i".';
}

function holdsAll(whole: readonly unknown[], parts: readonly unknown[], equal: (whole: unknown, part: unknown) => boolean): boolean {
  return maximumMatching(parts, whole, (part, item) => equal(item, part)).every((item) => item !== undefined);
}

const operators: Readonly<Record<string, Operator>> = {
  $any: { check: isTrue, accepts: () => true, describe: () => 'anything' },
  $absent: { check: isTrue, accepts: () => false, describe: () => 'absent', absentFits: true },
  $optional: { check: anything, accepts: (actual, operand, host) => host.equal(actual, operand), describe: (operand) => `absent or ${describeExpected(operand)}`, absentFits: true },
  $not: { check: anything, accepts: (actual, operand, host) => !host.equal(actual, operand), describe: (operand) => `not ${describeExpected(operand)}` },
  $literal: { check: anything, accepts: (actual, operand, host) => host.literal(actual, operand), describe: text },
  $oneOf: {
    check: isList,
    accepts: (actual, operand, host) => (operand as unknown[]).some((item) => host.equal(actual, item)),
    describe: (operand) => `one of ${text(operand)}`,
  },
  $type: {
    check: (operand) => ((Array.isArray(operand) ? operand : [operand]).every((type) => types.includes(type as string)) ? undefined : `It takes one of ${types.join(', ')}, or a list of them.`),
    accepts: (actual, operand) => (Array.isArray(operand) ? operand : [operand]).some((type) => hasType(actual, type)),
    describe: (operand) => `any ${Array.isArray(operand) ? operand.join(' or ') : String(operand)}`,
  },
  $regex: {
    check: (operand, all) => {
      const pattern = patternOf(operand, all);
      return typeof pattern === 'string' ? pattern : undefined;
    },
    accepts: (actual, operand, _host, all) => {
      const pattern = patternOf(operand, all);
      return typeof actual === 'string' && typeof pattern !== 'string' && testPattern(pattern, actual);
    },
    describe: (operand, all) => {
      const pattern = patternOf(operand, all);
      return typeof pattern === 'string' ? text(operand) : `/${pattern.source}/${pattern.flags}`;
    },
  },
  $closeTo: {
    check: (operand, all) => (closeTo(operand, all) === undefined ? 'It takes a number, or [number, tolerance].' : undefined),
    accepts: (actual, operand, _host, all) => {
      const range = closeTo(operand, all);
      return range !== undefined && (typeof actual === 'number' || typeof actual === 'bigint') && Math.abs(Number(actual) - range.value) <= range.tolerance;
    },
    describe: (operand, all) => `${closeTo(operand, all)?.value} ± ${closeTo(operand, all)?.tolerance}`,
  },
  $contains: {
    check: anything,
    accepts: (actual, operand, host) =>
      typeof actual === 'string' ? typeof operand === 'string' && actual.includes(operand) : Array.isArray(actual) && actual.some((item) => host.equal(item, operand)),
    describe: (operand) => `containing ${describeExpected(operand)}`,
  },
  $subset: {
    check: (operand) => (typeof operand === 'object' && operand !== null ? undefined : 'It takes an object or a list.'),
    accepts: (actual, operand, host) =>
      Array.isArray(operand) ? Array.isArray(actual) && holdsAll(actual, operand, (whole, part) => host.equal(whole, part)) : host.contains(actual, operand),
    describe: (operand) => `at least ${text(operand)}`,
  },
  $superset: {
    check: isList,
    accepts: (actual, operand, host) => Array.isArray(actual) && actual.every((item) => (operand as unknown[]).some((allowed) => host.equal(item, allowed))),
    describe: (operand) => `nothing beyond ${text(operand)}`,
  },
  $unordered: {
    check: isList,
    accepts: (actual, operand, host) => Array.isArray(actual) && actual.length === (operand as unknown[]).length && holdsAll(actual, operand as unknown[], (whole, part) => host.equal(whole, part)),
    describe: (operand) => `${text(operand)} in any order`,
  },
};

const modifiers: Readonly<Record<string, string>> = { $flags: '$regex', $tolerance: '$closeTo' };
const aliases: Readonly<Record<string, string>> = { $close_to: '$closeTo', $one_of: '$oneOf' };

/** Every operator that an expected argument may use in data. */
export const operatorNames: readonly string[] = Object.keys(operators);

/** The object's operators under their own names; undefined when it is plain data: no keys, or one that is no operator. */
function operatorsOf(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.startsWith('$'))) return undefined;
  const entries = keys.map((key) => [aliases[key] ?? key, (value as JsonObject)[key] as JsonValue] as const);
  if (!entries.some(([key]) => Object.hasOwn(operators, key))) return undefined;
  return entries.every(([key]) => Object.hasOwn(operators, key) || Object.hasOwn(modifiers, key)) ? Object.fromEntries(entries) : undefined;
}

/** An asymmetric matcher of Jest, of any realm and version, or one of the user's own. */
interface Asymmetric {
  asymmetricMatch(actual: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Asymmetric>).asymmetricMatch === 'function';
}

/**
 * The matcher that an expected value stands for; undefined when the value is compared as it is.
 *
 * @param expected  any expected value
 * @param host  the comparison that it stands in
 * @param data  whether `$` operators in plain data count (not under google-adk)
 */
export function argMatcherOf(expected: unknown, host: MatcherHost, data: boolean): ArgMatcher | undefined {
  if (isAsymmetric(expected)) return { accepts: (actual, present) => present && expected.asymmetricMatch(actual), describe: () => describeExpected(expected) };
  const all = data ? operatorsOf(expected) : undefined;
  if (all === undefined) return undefined;
  const parts = Object.entries(all).flatMap(([key, operand]) => (operators[key] === undefined ? [] : [{ operator: operators[key], operand }]));
  return {
    accepts: (actual, present) => parts.every(({ operator, operand }) => (present ? operator.accepts(actual, operand, host, all) : operator.absentFits === true)),
    describe: () => describeExpected(expected),
  };
}

/** How an expected value is shown in a message: matchers in words, everything else as JSON. */
export function describeExpected(expected: unknown): string {
  if (isAsymmetric(expected)) return expected.toAsymmetricMatcher?.() ?? `${String(expected)}${'sample' in expected ? ` ${text(expected.sample)}` : ''}`;
  const all = operatorsOf(expected);
  if (all === undefined) return text(expected);
  return Object.entries(all)
    .flatMap(([key, operand]) => operators[key]?.describe(operand, all) ?? [])
    .join(' and ');
}

/** What is wrong with one value as a matcher. `warning`: it looks like a matcher and is compared as data. */
export function matcherProblem(value: JsonValue): { readonly message: string; readonly hint?: string; readonly severity: 'error' | 'warning' } | undefined {
  const all = operatorsOf(value);
  if (all === undefined) return nearMiss(value);
  for (const [key, operand] of Object.entries(all)) {
    const owner = modifiers[key];
    const message = owner === undefined ? operators[key]?.check(operand, all) : Object.hasOwn(all, owner) ? undefined : `It belongs beside ${owner}.`;
    if (message !== undefined) return { message: `${key} is ${text(operand)}.`, hint: message, severity: 'error' };
  }
  return undefined;
}

function nearMiss(value: JsonValue): { readonly message: string; readonly hint: string; readonly severity: 'warning' } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  const unknown = keys.find((key) => key.startsWith('$') && !Object.hasOwn(operators, aliases[key] ?? key) && !Object.hasOwn(modifiers, key));
  const hint = unknown === undefined ? undefined : didYouMean(unknown, operatorNames);
  if (hint === undefined) return undefined;
  return { message: `${JSON.stringify(unknown)} is no argument matcher, so the object is compared as it is.`, hint, severity: 'warning' };
}
