import { createRequire } from 'node:module';
import { join } from 'node:path';

/** From Jest's entry to the packages that know its runner, environment and default transform. */
const chains: readonly (readonly string[])[] = [
  ['jest', 'jest-cli', 'jest-config'],
  ['jest-cli', 'jest-config'],
  ['jest', '@jest/core', 'jest-config'],
  ['@jest/core', 'jest-config'],
  ['jest-config'],
  ['jest-runner'],
  [],
];

/**
 * Finds a package of the Jest that is running (`jest-circus/runner`, `jest-environment-node`, `babel-jest`), also where a strict
 * installer keeps it out of the project's own `node_modules`.
 *
 * @param rootDir  a folder of the project, when it is known; the working directory is tried as well
 * @returns absolute path of the module
 * @throws an Error naming the package and where it was looked for
 */
export function resolveFromJest(specifier: string, rootDir?: string): string {
  const starts = [require.main?.filename, rootDir && join(rootDir, 'package.json'), join(process.cwd(), 'package.json'), __filename];
  const tried: string[] = [];
  for (const start of starts) {
    if (start === undefined || start === '') continue;
    tried.push(start);
    for (const chain of chains) {
      const found = follow(start, chain, specifier);
      if (found !== undefined) return found;
    }
  }
  throw new Error(`jest-adk cannot find "${specifier}", which is part of Jest. Install jest (29.7 or 30) in the project. Looked from: ${tried.join(', ')}`);
}

/** Resolves a package from a folder of the project; undefined when it is not installed there. */
export function resolveFromProject(specifier: string, rootDir: string): string | undefined {
  try {
    return createRequire(join(rootDir, 'package.json')).resolve(specifier);
  } catch {
    return undefined;
  }
}

function follow(start: string, chain: readonly string[], specifier: string): string | undefined {
  try {
    let from = createRequire(start);
    for (const name of chain) from = createRequire(from.resolve(`${name}/package.json`));
    return from.resolve(specifier);
  } catch {
    return undefined;
  }
}
