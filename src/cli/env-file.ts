import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { refusal, toErrorInfo } from '../support/errors';
import { resolveFrom } from '../support/paths';
import type { CliIo } from './types';

/**
 * Sets the variables of the file of `--env-file` that are not set already.
 *
 * @throws {JestAdkError} `usage` when the file cannot be read
 */
export function applyEnvFile(name: string, { cwd, env }: CliIo): void {
  const file = resolveFrom({ rootDir: cwd, callerDir: cwd }, name);
  let read: NodeJS.Dict<string>;
  try {
    read = parseEnv(readFileSync(file, 'utf8'));
  } catch (thrown) {
    throw refusal('usage', `--env-file ${file} could not be read: ${toErrorInfo(thrown).message}`);
  }
  const set = env as Record<string, string | undefined>;
  for (const [key, value] of Object.entries(read)) set[key] ??= value;
}
