import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { refusal } from '../src/support/errors';
import type { ModuleLoader } from '../src/target/types';
import type { Sandbox } from './bridge';
import { resolveFromJest } from './jest-packages';

type LoadAsEsm = (path: string, extensionsToTreatAsEsm: readonly string[]) => boolean;

/** What a loader of one test file needs to know. */
export interface SandboxWorld {
  readonly sandbox: () => Sandbox;
  readonly rootDir: string;
  /** Jest's `extensionsToTreatAsEsm`. */
  readonly esmExtensions: readonly string[];
}

/**
 * Loads the user's modules inside the sandbox, by its own `require` and `import`: transforms, mocks and coverage apply, and a module
 * that the test file imports as well is the same one.
 */
export function createSandboxLoader(world: SandboxWorld): ModuleLoader {
  const load = async (path: string): Promise<Record<string, unknown>> => {
    const { sandbox } = world;
    const esm = shouldLoadAsEsm(world);
    if (esm(path, world.esmExtensions)) return (await sandbox().import(path)) as Record<string, unknown>;
    if (isEsModule(path, world.esmExtensions)) {
      throw refusal('module_failed', `${path} is an ES module, and Jest was started without support for them.`, 'Start it with NODE_OPTIONS=--experimental-vm-modules, or have the file transformed to CommonJS.');
    }
    return sandbox().require(path) as Record<string, unknown>;
  };
  return {
    async load(path) {
      try {
        return await load(path);
      } catch (error) {
        if ((error as { code?: unknown } | null)?.code === 'module_failed') throw error;
        throw refusal('module_failed', `${path} could not be loaded: ${messageOf(error)}`);
      }
    },
    async loadPackage(specifier, fromFolder) {
      let path: string;
      try {
        path = world.sandbox().require.resolve(specifier, { paths: [fromFolder] });
      } catch {
        throw refusal('module_not_found', `There is no module ${JSON.stringify(specifier)} to be imported from ${fromFolder}.`);
      }
      return this.load(path);
    },
  };
}

/** Jest's own rule: by extension, `type` in package.json and configuration; always false without support for ES modules. */
function shouldLoadAsEsm({ rootDir }: SandboxWorld): LoadAsEsm {
  const resolver = require(resolveFromJest('jest-resolve', rootDir)) as { default: { unstable_shouldLoadAsEsm: LoadAsEsm } };
  return resolver.default.unstable_shouldLoadAsEsm;
}

/** True for files that only `import` can load. Jest's own answer is always false where it cannot load them. */
function isEsModule(path: string, esmExtensions: readonly string[]): boolean {
  const extension = extname(path);
  if (extension === '.mjs') return true;
  if (extension === '.js') return packageType(dirname(path)) === 'module' && /^\s*(import|export)\s/m.test(readFileSync(path, 'utf8'));
  return esmExtensions.includes(extension);
}

function packageType(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return (JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { type?: string }).type;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

function messageOf(error: unknown): string {
  return typeof (error as { message?: unknown } | null)?.message === 'string' ? (error as { message: string }).message : String(error);
}
