import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JestAdkError } from './errors';

/** Where relative paths start: `./` and `../` at the folder of the test file, all others at rootDir (CLI: the working directory). */
export interface PathBases {
  readonly callerDir: string;
  readonly rootDir: string;
}

/** Does the path start with `./` or `../` (or the backslash spelling), or is it `.` or `..`? */
export function isDotPath(path: string): boolean {
  return /^\.{1,2}([/\\]|$)/.test(path);
}

/** The absolute path that is meant; `file:` URLs are accepted. The file need not exist. */
export function resolveFrom(bases: PathBases, path: string): string {
  if (path.startsWith('file:')) return fileURLToPath(path);
  if (isAbsolute(path)) return resolve(path);
  return resolve(isDotPath(path) ? bases.callerDir : bases.rootDir, path);
}

/**
 * Like `resolveFrom`, for something that must exist.
 *
 * @param bases  where relative paths start
 * @param path  as given
 * @param what  names it in the message: "eval set", "config file"
 * @throws {JestAdkError} `path_not_found`, with the absolute path tried, and the spelling that would have found it from the other base
 */
export function resolveExisting(bases: PathBases, path: string, what: string): string {
  const absolute = resolveFrom(bases, path);
  if (path !== '' && existsSync(absolute)) return absolute;
  const message = path === '' ? `The path of the ${what} is empty.` : `No ${what} at ${absolute} (given as ${JSON.stringify(path)}).`;
  const hint = path === '' ? undefined : otherSpelling(bases, path);
  throw new JestAdkError('path_not_found', [{ code: 'path_not_found', message, ...(hint !== undefined && { hint }) }]);
}

/** A path with `./` starts at the test file, one without at rootDir: says so when the other one was meant. */
function otherSpelling(bases: PathBases, path: string): string | undefined {
  if (isAbsolute(path) || path.startsWith('file:')) return undefined;
  const fromCaller = resolve(bases.callerDir, path);
  const fromRoot = resolve(bases.rootDir, path);
  if (isDotPath(path)) {
    return existsSync(fromRoot) ? `There is ${fromRoot}: paths from rootDir are written without "./".` : undefined;
  }
  return existsSync(fromCaller) ? `There is ${fromCaller}: paths beside the test file start with "./".` : `Paths without "./" start at ${bases.rootDir}.`;
}

/** The real path, symbolic links followed; for a path that does not exist, that of its nearest existing folder plus the rest. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}

/** Is the file inside the folder, or the folder itself, when symbolic links are followed? */
export function isInside(folder: string, file: string): boolean {
  const way = relative(realPath(folder), realPath(file));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
