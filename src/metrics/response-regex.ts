import { refusal } from '../support/errors';
import { readPattern, testPattern, type Pattern } from './patterns';
import { excerpt, responseMetric } from './response-options';
import type { TurnScore } from './turns';

/** Without a pattern, the reference of each turn is one. */
export interface RegexOptions {
  readonly pattern?: Pattern | undefined;
  readonly flags: string;
  /** The pattern must not be found. */
  readonly negate: boolean;
}

/**
 * 1 when the pattern is found in the text.
 *
 * @throws {JestAdkError} `bad_pattern` for a reference that is no pattern; `pattern_timeout`, `pattern_text_too_long`
 */
export function comparePattern(actual: string, expected: string, options: RegexOptions): TurnScore {
  const pattern = options.pattern ?? readPattern(expected, options.flags);
  if (typeof pattern === 'string') throw refusal('bad_pattern', `${excerpt(expected)} is no regular expression. ${pattern}`);
  const found = testPattern(pattern, actual);
  return {
    score: Number(found !== options.negate),
    explain: () => [`expected  ${options.negate ? 'no match of ' : ''}/${pattern.source}/${pattern.flags}`, `actual    ${excerpt(actual)}`],
  };
}

/** `response_regex`: a regular expression is found in the final response. */
export const responseRegex = responseMetric<RegexOptions>({
  name: 'response_regex',
  description: 'Whether a regular expression, the criterion’s or the reference, is found in each final response.',
  fields: ['pattern', 'flags', 'negate'],
  read(fields) {
    const flags = fields.text('flags') ?? '';
    const text = fields.text('pattern');
    const pattern = readPattern(text ?? '', flags);
    if (typeof pattern === 'string') fields.problem(text === undefined ? 'flags' : 'pattern', `${JSON.stringify(text ?? flags)} is no regular expression.`, pattern);
    const negate = fields.boolean('negate') ?? false;
    return { flags, negate, ...(text === undefined || typeof pattern === 'string' ? {} : { pattern }) };
  },
  needsReference: (options) => options.pattern === undefined,
  score: ({ actual, expected }, options) => comparePattern(actual, expected, options),
});
