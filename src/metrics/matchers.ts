import type { JsonObject, JsonValue } from '../evalset/types';

/** An expected argument that accepts more than one value. Plain data, the same as may stand in an eval set. */
export type ArgumentMatcher = JsonObject;

/** An expected argument that the user's own function judges. */
export interface PredicateMatcher {
  asymmetricMatch(actual: unknown): boolean;
  toAsymmetricMatcher(): string;
}

/** Any value at all; the argument must be there. */
export const $any: ArgumentMatcher = Object.freeze({ $any: true });

/**
 * Matchers for expected arguments in code. Each gives the data that the same matcher has in an eval set, so results stay readable.
 *
 * @example
 * { name: 'search', args: { q: match.regex(/rain/i), limit: match.optional($any) } }
 */
export const match = {
  /** Any value at all. */
  any: (): ArgumentMatcher => $any,
  /** The argument is not there. */
  absent: (): ArgumentMatcher => ({ $absent: true }),
  /** The argument is not there, or fits. */
  optional: (expected: unknown): ArgumentMatcher => operator('$optional', expected),
  /** The argument is there and does not fit. */
  not: (expected: unknown): ArgumentMatcher => operator('$not', expected),
  /** One of these values or matchers. */
  oneOf: (...expected: readonly unknown[]): ArgumentMatcher => operator('$oneOf', expected),
  /** A text in which the pattern is found: a RegExp, or a text such as `/rain/i`. */
  regex(pattern: RegExp | string, flags = ''): ArgumentMatcher {
    const text = typeof pattern === 'string' ? pattern : `/${pattern.source}/${pattern.flags}`;
    return flags === '' ? { $regex: text } : { $regex: text, $flags: flags };
  },
  /** A number at most `tolerance` away. */
  closeTo: (value: number, tolerance = 1e-6): ArgumentMatcher => ({ $closeTo: [value, tolerance] }),
  /** A JSON type: string, number, integer, boolean, object, array or null. */
  type: (...types: readonly string[]): ArgumentMatcher => ({ $type: types }),
  /** A text that contains the text, or a list that contains the value. */
  contains: (expected: unknown): ArgumentMatcher => operator('$contains', expected),
  /** An object or list that holds at least this. */
  subset: (expected: object): ArgumentMatcher => operator('$subset', expected),
  /** A list that holds nothing beyond this. */
  superset: (expected: readonly unknown[]): ArgumentMatcher => operator('$superset', expected),
  /** A list with these items in any order. */
  unordered: (expected: readonly unknown[]): ArgumentMatcher => operator('$unordered', expected),
  /** Exactly this value, `$` keys included. */
  literal: (expected: unknown): ArgumentMatcher => operator('$literal', expected),
  /** A value that the function accepts. */
  where: (accepts: (actual: unknown) => unknown, label = accepts.name || 'a value that fits'): PredicateMatcher => ({
    asymmetricMatch: (actual) => Boolean(accepts(actual)),
    toAsymmetricMatcher: () => label,
  }),
};

/** The operand may hold matchers in code, which are no JSON: it is kept as it is. */
function operator(name: string, operand: unknown): ArgumentMatcher {
  return { [name]: operand as JsonValue };
}
