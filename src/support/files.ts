import { chmodSync, closeSync, constants, copyFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

/**
 * Puts a whole file in place at once: readers see the old file, none, or all of the new one, also when the process is ended midway.
 * The folder is made when missing. A file that is replaced keeps its permissions; a link stays one. What is no file (a pipe, a terminal, `/dev/null`) is written to as it is.
 *
 * @param path     where the file goes
 * @param text     its whole content, in one piece or several, written as UTF-8
 * @param options  how
 * @param options.overwrite  false: an existing file stays as it is and the call throws with code `EEXIST`, whoever made the file and when
 * @throws what the file system throws
 */
export function publishFile(path: string, text: string | Iterable<string>, options: { readonly overwrite: boolean }): void {
  if (isDevice(path)) return writeInto(path, text);
  publish(options.overwrite && existsSync(path) ? realpathSync(path) : path, text, options);
}

/** Whether a path leads to something to write into that is neither file nor folder, and would be gone if a file took its place. */
export function isDevice(path: string): boolean {
  if (/^\/(?:dev|proc)\//.test(path)) return true; // /dev/stdout may lead to a file that is open
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function writeInto(path: string, text: string | Iterable<string>): void {
  const descriptor = openSync(path, 'a');
  try {
    writePieces(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

function publish(path: string, text: string | Iterable<string>, options: { readonly overwrite: boolean }): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const staged = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  const replaced = options.overwrite ? statSync(path, { throwIfNoEntry: false }) : undefined;
  try {
    writeThrough(staged, text);
    if (replaced !== undefined) chmodSync(staged, replaced.mode & 0o777);
    if (options.overwrite) renameSync(staged, path);
    else linkNew(staged, path);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** `link` refuses an existing name in one step, which `rename` does not. */
function linkNew(staged: string, path: string): void {
  try {
    linkSync(staged, path);
  } catch (error) {
    if (!isOneOf(error, ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])) throw error;
    copyFileSync(staged, path, constants.COPYFILE_EXCL); // a file system without links: still never over an existing file
  }
}

function writeThrough(path: string, text: string | Iterable<string>): void {
  const descriptor = openSync(path, 'wx');
  try {
    writePieces(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writePieces(descriptor: number, text: string | Iterable<string>): void {
  for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(descriptor, piece);
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
