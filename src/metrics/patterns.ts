import { refusal } from '../support/errors';

/** Longest pattern that is compiled, in characters. */
const maxPatternLength = 1000;
/** Longest text that a pattern is tried on, in characters. */
const maxPatternText = 100_000;
/** Time after which a pattern that goes on backtracking is given up, in milliseconds. */
const patternTimeoutMs = 1000;

/** A regular expression as data: what a file can hold. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/**
 * Reads `text` as a regular expression, `/source/flags` or the source alone.
 *
 * @returns the pattern, or a sentence about what is wrong with it
 */
export function readPattern(text: string, flags = ''): Pattern | string {
  if (text.length > maxPatternLength) return `The pattern has ${text.length} characters; ${maxPatternLength} are allowed.`;
  const written = /^\/(.+)\/([a-z]*)$/s.exec(text);
  const pattern = { source: written?.[1] ?? text, flags: [...new Set((written?.[2] ?? '') + flags)].join('') };
  try {
    new RegExp(pattern.source, pattern.flags);
    return pattern;
  } catch (error) {
    return `${(error as Error).message}.`;
  }
}

let context: import('node:vm').Context | undefined;

/**
 * Whether a pattern is found in a text. A pattern is data, so it runs under a time limit: one that backtracks without end is an error, not a hang.
 *
 * @throws {JestAdkError} `pattern_timeout`, `pattern_text_too_long`
 */
export function testPattern(pattern: Pattern, text: string): boolean {
  if (text.length > maxPatternText) throw refusal('pattern_text_too_long', `/${pattern.source}/ would have to read ${text.length} characters; ${maxPatternText} are allowed.`);
  const vm = require('node:vm') as typeof import('node:vm');
  context ??= vm.createContext(Object.create(null) as object);
  try {
    Object.assign(context, { source: pattern.source, flags: pattern.flags.replace(/[gy]/g, ''), text });
    return vm.runInContext('new RegExp(source, flags).test(text)', context, { timeout: patternTimeoutMs }) === true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw refusal('pattern_timeout', `/${pattern.source}/ did not finish on a text of ${text.length} characters.`, 'Nested repetitions such as (a+)+ are the usual cause.');
  }
}
