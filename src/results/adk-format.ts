import { JestAdkError } from '../support/errors';
import { parseJson, stringifyJson } from '../support/json';
import { defaultProfile, type Profile } from '../support/profile';
import { problemsOf, type Source } from '../evalset/loaded';
import { readModel, type ReadOutcome } from '../schema/read';
import { writeModel, type Shape } from '../schema/write';
import type { AdkCaseResult, AdkSetResult } from './adk-model';
import { readOptions } from '../evalset/reader';

/** Key under which our own parts stand in a result file, of the set and of each case: google-adk drops unknown keys there. */
const ownKey = 'jest_adk';

/**
 * Reads the text of a google-adk result file (`*.evalset_result.json`), also one that is encoded twice. Our own parts come along as they were written.
 *
 * @param file  named in problems
 * @throws {JestAdkError} `not_json`, or `invalid_eval_set_result` with every problem
 */
export function readEvalSetResult(text: string, file?: string, profile: Profile = defaultProfile): AdkSetResult {
  const { value, text: inner } = decode(text, file);
  const source: Source | undefined = file === undefined ? undefined : { file, text: inner };
  const read = readEvalSetResultModel(value, profile);
  if (read.issues.length > 0) throw new JestAdkError('invalid_eval_set_result', problemsOf(read.issues, source));
  return withOwnParts(read.value as AdkSetResult, value as RawSet);
}

/** What google-adk's model of a result file makes of a value, or all its errors. */
export function readEvalSetResultModel(value: unknown, profile: Profile = defaultProfile): ReadOutcome {
  return readModel('EvalSetResult', value, readOptions(profile));
}

/** The JSON value of the text. A text that holds nothing but a text is decoded once more, as old versions wrote it. */
export function decode(text: string, file?: string): { readonly value: unknown; readonly text: string } {
  const value = parseJson(text, file);
  return typeof value === 'string' ? { value: parseJson(value, file), text: value } : { value, text };
}

interface RawSet {
  readonly [ownKey]?: AdkSetResult['jestAdk'];
  readonly eval_case_results?: readonly { readonly [ownKey]?: AdkCaseResult['jestAdk'] }[];
}

function withOwnParts(result: AdkSetResult, raw: RawSet): AdkSetResult {
  const evalCaseResults = result.evalCaseResults.map((entry, index) => {
    const own = raw.eval_case_results?.[index]?.[ownKey];
    return own === undefined ? entry : { ...entry, jestAdk: own };
  });
  const own = raw[ownKey];
  return { ...result, evalCaseResults, ...(own === undefined ? {} : { jestAdk: own }) };
}

/** A result as snake_case JSON, everything included, our own parts last. Floats are `JsonFloat`, for `stringifyJson`. */
export function evalSetResultToJson(result: AdkSetResult, shape: Shape = 'everything'): Record<string, unknown> {
  const written = writeModel('EvalSetResult', result, { shape, keepEmptyEvents: true });
  const cases = written['eval_case_results'] as Record<string, unknown>[];
  result.evalCaseResults.forEach((entry, index) => {
    if (entry.jestAdk !== undefined) cases[index] = { ...cases[index], [ownKey]: entry.jestAdk };
  });
  return result.jestAdk === undefined ? written : { ...written, [ownKey]: result.jestAdk };
}

/** The text of a result file, as google-adk writes it. */
export function evalSetResultText(result: AdkSetResult): string {
  return [...evalSetResultPieces(result)].join('');
}

/** The same text entry by entry: with its nulls a result of thousands of cases is longer than one text may be. */
export function* evalSetResultPieces(result: AdkSetResult): Generator<string> {
  const shell = stringifyJson(evalSetResultToJson({ ...result, evalCaseResults: [] }));
  if (result.evalCaseResults.length === 0) return yield shell;
  // Only the member itself stands at this indentation on a line of its own: line breaks inside texts are escaped.
  const member = '\n  "eval_case_results": [';
  const entries = shell.indexOf(member) + member.length;
  let before = shell.slice(0, entries);
  for (const entry of result.evalCaseResults) {
    const [written] = evalSetResultToJson({ ...result, evalCaseResults: [entry] })['eval_case_results'] as [unknown];
    yield `${before}\n    ${stringifyJson(written, 2, 4)}`;
    before = ',';
  }
  yield `\n  ${shell.slice(entries)}`;
}
