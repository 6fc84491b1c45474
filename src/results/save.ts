import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { JestAdkError } from '../support/errors';
import { publishFile } from '../support/files';
import { adkResultName, checkPathSegment, safeFileName } from '../support/ids';
import { evalSetResultPieces } from './adk-format';
import { redactKnown } from '../support/secrets';
import type { EvalSetResult } from './model';
import { toAdkResult } from './to-adk';

/** Ending of result files, as google-adk's managers look for it. */
export const resultFileEnding = '.evalset_result.json';

/** How a result is saved. */
export interface SaveOptions {
  /** Folder of all results: the file goes to `<resultsDir>/<app>/.adk/eval_history/`. */
  readonly resultsDir: string;
  /** Time of saving in milliseconds since the epoch; now, unless given. */
  readonly now?: number;
}

/**
 * Saves one result in google-adk's layout: a new file, whole or not at all, never over another.
 *
 * Named `<app>_<set>_<YYYYMMDD-HHMMSS>` (UTC), with `-2`, `-3`, … when that name is taken; characters that are unsafe on some platform become `_`.
 * Under google-adk compatibility named `<app>_<set>_<seconds>`, and unsafe names are refused as there.
 *
 * @returns absolute path of the file
 * @throws {JestAdkError} `results_not_writable`; under google-adk compatibility `unsafe_id`
 */
export function saveEvalSetResult(result: EvalSetResult, { resultsDir, now = Date.now() }: SaveOptions): string {
  const names = result.compatibility === 'google-adk' ? adkNames(result, now) : ourNames(result, now);
  const app = result.compatibility === 'google-adk' ? result.appName : safeFileName(result.appName);
  const folder = join(resolve(resultsDir), app, '.adk', 'eval_history');
  for (const { name, seconds } of names) {
    const path = join(folder, `${name}${resultFileEnding}`);
    if (existsSync(path)) continue;
    try {
      publishFile(path, withoutSecrets(evalSetResultPieces(toAdkResult(result, name, seconds))), { overwrite: false });
      return path;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw code === undefined ? error : notWritable(folder, error);
    }
  }
  throw new Error('unreachable: there is always another name');
}

/** Answers and tool responses may repeat a key: scores are made of what was said, files are not. */
function* withoutSecrets(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield redactKnown(piece);
}

/** Tries to write into a results folder, making it when missing; nothing is left there. @throws {JestAdkError} `results_not_writable` */
export function checkResultsWritable(resultsDir: string): void {
  const folder = resolve(resultsDir);
  const probe = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

interface Name {
  readonly name: string;
  /** Seconds since the epoch, saved as the time of creation: viewers tell the runs of a set apart by it. */
  readonly seconds: number;
}

function* ourNames({ appName, evalSetId }: EvalSetResult, now: number): Generator<Name> {
  const stamp = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const base = `${safeFileName(`${appName}_${evalSetId}`)}_${stamp}`;
  for (let n = 1; ; n += 1) yield { name: n === 1 ? base : `${base}-${n}`, seconds: (now + n - 1) / 1000 };
}

function* adkNames({ appName, evalSetId }: EvalSetResult, now: number): Generator<Name> {
  checkPathSegment(appName, 'app name');
  checkPathSegment(evalSetId, 'eval set id');
  for (let n = 0; ; n += 1) {
    const seconds = (now + n) / 1000;
    yield { name: adkResultName(appName, evalSetId, seconds).name, seconds };
  }
}

function notWritable(folder: string, cause: unknown): JestAdkError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const problem = { code: 'results_not_writable', message: `Results cannot be saved in ${folder}: ${reason}.`, hint: 'Choose another folder: --results-dir on the command line, the option "resultsDir" in code.' };
  return new JestAdkError(problem.code, [problem], { cause });
}
