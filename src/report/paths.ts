import { isAbsolute, relative } from 'node:path';

/** A path below `cwd` relative to it, any other in full. */
export function shortPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}
