import { resolve } from 'node:path';
import { readTextFile } from '../support/text';
import { readEvalSetResult } from './adk-format';
import { fromAdkResult } from './from-adk';
import type { EvalSetResult } from './model';

/**
 * Reads a result file, ours or google-adk's own, also one that an old version encoded twice. Of ours everything comes back; of google-adk's what its
 * fields say, with outcomes by its rule: a case passes when every run of it did.
 *
 * @param path  relative to the working directory, or absolute
 * @throws {JestAdkError} when the file cannot be read or is no result file, with every problem and its place
 */
export function loadEvalSetResult(path: string): EvalSetResult {
  const file = resolve(path);
  return { ...fromAdkResult(readEvalSetResult(readTextFile(file), file)), resultFile: file };
}
