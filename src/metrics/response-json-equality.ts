import { JestAdkError, refusal } from '../support/errors';
import { parseJson } from '../support/json';
import { differences, type EqualityRules } from './equality';
import { excerpt, responseMetric } from './response-options';
import type { TurnScore } from './turns';

const modes = ['exact', 'subset', 'superset'] as const;

/**
 * 1 when a text is JSON and its value is the expected one: key order, blanks and escapes do not count, and matchers may stand in the expected value.
 * A Markdown fence around the answer is taken off.
 *
 * @param actual  text of the response
 * @param expected  a value, or the text of one
 * @param rules  how values are compared
 * @throws {JestAdkError} `bad_reference` when the expected text is not JSON
 */
export function compareJson(actual: string, expected: unknown, rules: EqualityRules): TurnScore {
  const wanted = typeof expected === 'string' ? readReference(expected) : expected;
  const value = readAnswer(actual);
  if (value instanceof JestAdkError) return { score: 0, explain: () => ['the response is not JSON', `actual    ${excerpt(actual)}`] };
  const first = differences(value.json, wanted, rules).next();
  return { score: Number(first.done === true), explain: () => explainJson(value.json, wanted, rules) };
}

function readReference(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JestAdkError) throw refusal('bad_reference', `The reference ${excerpt(text)} is not JSON.`, 'response_match_score compares plain texts.');
    throw error;
  }
}

function readAnswer(text: string): { readonly json: unknown } | JestAdkError {
  const fenced = /^\s*```[\w-]*\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text);
  try {
    return { json: parseJson(fenced?.[1] ?? text) };
  } catch (error) {
    if (error instanceof JestAdkError) return error;
    throw error;
  }
}

function explainJson(actual: unknown, expected: unknown, rules: EqualityRules): string[] {
  const found = [...differences(actual, expected, rules)];
  const lines = found.slice(0, 5).map(({ path, message }) => `${pointer(path)}: ${message}`);
  return found.length > 5 ? [...lines, `… and ${found.length - 5} more differences`] : lines;
}

function pointer(path: readonly (string | number)[]): string {
  return `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
}

/** `response_json_equality`: the final response is JSON that says the same as its reference. */
export const responseJsonEquality = responseMetric<Pick<EqualityRules, 'mode'>>({
  name: 'response_json_equality',
  description: 'Whether each final response is JSON with the value of its reference.',
  fields: ['mode'],
  read: (fields) => ({ mode: fields.choice('mode', modes) ?? 'exact' }),
  score: ({ actual, expected }, { mode }, { profile }) =>
    compareJson(actual, expected, { mode, booleansEqualNumbers: profile.booleansEqualNumbers, dataMatchers: profile.name === 'default' }),
});
