import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** From Jest's entry to the packages that know its runner, environment and default transform. */
const chains: readonly (readonly string[])[] = [
  [],
  ['jest', 'jest-cli', 'jest-config'],
  ['jest-cli', 'jest-config'],
  ['jest', '@jest/core', 'jest-config'],
  ['@jest/core', 'jest-config'],
  ['jest-config'],
];

/**
 * Finds a package of the Jest that is running (`jest-circus/runner`, `jest-environment-node`, `babel-jest`), also where a strict
 * installer keeps it out of the project's own `node_modules`, and where another Jest lies beside it.
 *
 * @param rootDir  a folder of the project, when it is known; the working directory is tried as well
 * @returns absolute path of the module
 * @throws an Error naming the package and where it was looked for
 */
export function resolveFromJest(specifier: string, rootDir?: string): string {
  const running = runningJest();
  const starts = [running?.file, require.main?.filename, rootDir && join(rootDir, 'package.json'), join(process.cwd(), 'package.json'), __filename].filter((start) => start !== undefined && start !== '');
  const found = starts.flatMap((start) => chains.flatMap((chain) => follow(start as string, chain, specifier) ?? []));
  const [best] = running === undefined ? found : [...found.filter((file) => majorOf(file) === running.major), ...found];
  if (best !== undefined) return best;
  throw new Error(`jest-adk cannot find "${specifier}", which is part of Jest. Install jest (29.7 or 30) in the project. Looked from: ${starts.join(', ')}`);
}

/** Resolves a package from a folder of the project; undefined when it is not installed there. */
export function resolveFromProject(specifier: string, rootDir: string): string | undefined {
  try {
    return createRequire(join(rootDir, 'package.json')).resolve(specifier);
  } catch {
    return undefined;
  }
}

/** A module of the running Jest: its runner in a process that runs tests, its configuration in the one that was started. */
function runningJest(): { readonly file: string; readonly major: string | undefined } | undefined {
  const loaded = Object.keys(require.cache);
  for (const name of ['jest-runner', 'jest-config']) {
    const file = loaded.find((one) => new RegExp(`[/\\\\]${name}[/\\\\]build[/\\\\]`).test(one));
    if (file !== undefined) return { file, major: majorOf(file) };
  }
  return undefined;
}

function majorOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string };
      if (version !== undefined) return version.split('.')[0];
    } catch {
      // No package.json here: look further up.
    }
  }
  return undefined;
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
