import type { ParseError } from 'jsonc-parser';
import type { Problem } from './errors';
import { maxJsonDepth, type JsonScan } from './json-scan';
import { positionAt } from './positions';

/** A broken text can give hundreds of consequences of one slip; after this many the rest is not worth reading. */
const mostProblems = 20;

/** What jsonc-parser's error names mean, in words that say what to do. */
const explanations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'Unknown word; JSON knows texts in double quotes, numbers, true, false, null, lists and objects.',
  InvalidNumberFormat: 'This is not a number that JSON knows.',
  PropertyNameExpected: 'A key in double quotes is expected here. Is there a comma too many?',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A ":" between key and value is missing.',
  CommaExpected: 'A "," is missing before this.',
  CloseBraceExpected: 'A "}" is missing.',
  CloseBracketExpected: 'A "]" is missing.',
  EndOfFileExpected: 'There is more text after the end of the JSON value.',
  InvalidCommentToken: 'JSON knows no comments.',
  UnexpectedEndOfComment: 'JSON knows no comments.',
  UnexpectedEndOfString: 'The closing quote of this text is missing.',
  UnexpectedEndOfNumber: 'This number breaks off.',
  InvalidUnicode: 'A \\u escape needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'Unknown escape; a backslash itself is written \\\\.',
  InvalidCharacter: 'Line breaks, tabs and other control characters inside a text must be escaped.',
};

/** Every syntax problem of a text that is not JSON, in order; at least one. */
export function syntaxProblems(text: string, scan: JsonScan, file?: string): Problem[] {
  const found = scan.tooDeep === undefined ? findErrors(text, scan) : [{ offset: scan.tooDeep, message: `Nested deeper than ${maxJsonDepth} levels.` }];
  return found.map(({ offset, message }) => ({
    code: 'not_json',
    message: `Not JSON: ${message}`,
    ...(file === undefined ? {} : { file }),
    ...positionAt(text, offset),
  }));
}

function findErrors(text: string, scan: JsonScan): { offset: number; message: string }[] {
  if (text.trim() === '') return [{ offset: 0, message: 'the text is empty.' }];
  const { parseTree, printParseErrorCode }: typeof import('jsonc-parser') = require('jsonc-parser');
  const errors: ParseError[] = [];
  parseTree(maskNonFinite(text, scan), errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const names = errors.map(({ error }) => printParseErrorCode(error));
  const found = errors
    .map(({ offset }, index) => ({ offset, message: explanations[names[index] ?? ''] ?? 'Unexpected text.' }))
    .filter((_, index) => names[index] !== 'ValueExpected' || names[index - 1] !== 'InvalidSymbol'); // the unknown word was meant as the value
  if (scan.loneSurrogate !== undefined) found.push({ offset: scan.loneSurrogate, message: 'A \\u escape of half a character stands without its other half.' });
  found.sort((a, b) => a.offset - b.offset);
  const distinct = found.filter((problem, index) => index === 0 || problem.offset !== found[index - 1]?.offset);
  return distinct.length === 0 ? [{ offset: 0, message: 'the text is malformed.' }] : distinct.slice(0, mostProblems);
}

/** The same text with `NaN` and its kin replaced by a number of the same length, so that offsets stay. */
export function maskNonFinite(text: string, scan: JsonScan): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of scan.nonFinite) {
    masked += text.slice(from, start) + '1'.repeat(end - start);
    from = end;
  }
  return masked + text.slice(from);
}
