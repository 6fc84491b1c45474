import { statSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Extensions tried, in this order, for a module path that has none. */
const moduleExtensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'] as const;

/** TypeScript writes imports of `x.ts` as `x.js`. */
const sourceOf: Readonly<Record<string, string>> = { '.js': '.ts', '.mjs': '.mts', '.cjs': '.cts' };

/** Is there a regular file? */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** What was looked for, and what was found. */
export interface ModuleCandidates {
  /** Absolute path of the first candidate that exists. */
  readonly file?: string;
  /** Absolute paths looked at, in order, up to the one that was found. */
  readonly tried: readonly string[];
}

/**
 * The file that a module path means: the path itself, the TypeScript source of a `.js` path, the path with an extension added, or, for
 * a folder, a file of one of these names inside.
 *
 * @param path  absolute
 */
export function resolveModuleFile(path: string, namesInFolder: readonly string[] = ['index']): ModuleCandidates {
  const source = sourceOf[extname(path)];
  const candidates = [path, ...(source === undefined ? [] : [path.slice(0, -extname(path).length) + source])];
  for (const base of [path, ...namesInFolder.map((name) => join(path, name))]) {
    candidates.push(...moduleExtensions.map((extension) => base + extension));
  }
  return firstFile(candidates);
}

/** The first of these files that exists. */
export function firstFile(candidates: readonly string[]): ModuleCandidates {
  const at = candidates.findIndex(isFile);
  return at < 0 ? { tried: candidates } : { file: candidates[at] as string, tried: candidates.slice(0, at + 1) };
}
