import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { JestAdkError, refusal, toErrorInfo, type Problem } from '../support/errors';
import type { HeaderPair } from '../target/http/headers';
import type { CliArguments, CliIo } from './types';

/** Headers as they were given. */
export interface GivenHeaders {
  /** Path of the file of `--header-file`. */
  readonly file?: string | undefined;
  /** Lines of the flags, and what the messages call their source. */
  readonly lines: readonly string[];
  readonly source?: string | undefined;
}

/**
 * The headers of `--header` and `--header-file`, in their order, those of the file first. Values are secret: no message repeats them.
 *
 * @returns pairs, and a problem for each that is not `Name: Value`
 */
export function readHeaders({ file, lines, source = '--header' }: GivenHeaders, cwd: string): { readonly headers: readonly HeaderPair[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const fromFile = file === undefined ? [] : linesOf(resolve(cwd, file), problems);
  const fromFlags = lines.map((line, index) => ({ line, where: `${source} (the ${ordinal(index + 1)})` }));
  const headers = [...fromFile, ...fromFlags].flatMap(({ line, where }): HeaderPair[] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    if (colon < 0) return bad(`${where} has no colon; it takes 'Name: Value'. Its text is not shown: it may be secret.`);
    if (name === '') return bad(`${where} has an empty name; it takes 'Name: Value'.`);
    if (!/^[\x20-\x7e\t]*$/.test(line)) return bad(`${where}, named ${JSON.stringify(asciiOnly(name))}, has a line break or a character that is not ASCII; values are sent as they are.`);
    return [[name, value]];
  });
  return { headers, problems };

  function bad(message: string): [] {
    problems.push({ code: 'usage', message });
    return [];
  }
}

/**
 * The headers of a command's own flags, else of the variables that `eval` reads too: JEST_ADK_HEADER, one a line, and JEST_ADK_HEADER_FILE.
 *
 * @throws {JestAdkError} `usage` with everything that is wrong
 */
export function headersOf(args: CliArguments, { cwd, env }: Pick<CliIo, 'cwd' | 'env'>): readonly HeaderPair[] {
  const flags = args.header === undefined ? undefined : ([] as unknown[]).concat(args.header).map(String);
  const lines = flags ?? (env.JEST_ADK_HEADER ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const files = ([] as unknown[]).concat(args['header-file'] ?? (env.JEST_ADK_HEADER_FILE || [])).map(String);
  const problems: Problem[] = files.length > 1 ? [{ code: 'usage', message: '--header-file was given more than once.' }] : [];
  const read = readHeaders({ file: files[0], lines, ...(flags === undefined && { source: 'JEST_ADK_HEADER' }) }, cwd);
  problems.push(...read.problems);
  if (problems.length > 0) throw new JestAdkError('usage', problems);
  return read.headers;
}

function linesOf(file: string, problems: Problem[]): readonly { readonly line: string; readonly where: string }[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/).flatMap((line, index) => (line.trim() === '' || line.trimStart().startsWith('#') ? [] : [{ line, where: `${file}:${index + 1}` }]));
  } catch (thrown) {
    problems.push(...refusal('usage', `--header-file ${file} could not be read: ${toErrorInfo(thrown).message}`).problems);
    return [];
  }
}

function asciiOnly(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

function ordinal(count: number): string {
  const last = count % 100 >= 11 && count % 100 <= 13 ? 0 : count % 10;
  return `${count}${last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th'}`;
}
