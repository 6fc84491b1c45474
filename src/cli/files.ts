import { existsSync } from 'node:fs';
import { refusal } from '../support/errors';
import { isDevice, publishFile } from '../support/files';

/**
 * Writes a file that a command was asked for, whole or not at all; folders are made.
 *
 * @throws {JestAdkError} `file_exists` when there is one and nothing was said of overwriting, `not_written` with the cause
 */
export function writeOutput(file: string, text: string, force: boolean): void {
  if (!force && existsSync(file) && !isDevice(file)) throw exists(file);
  try {
    publishFile(file, text, { overwrite: force });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') throw exists(file);
    throw refusal('not_written', `${file} could not be written: ${(thrown as Error).message}`);
  }
}

function exists(file: string): Error {
  return refusal('file_exists', `${file} exists already.`, 'Choose another name, or overwrite it with --force.');
}
