import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refusal } from '../support/errors';
import { logToStderr } from './adk-logger';
import { type AdkModule, isAdk } from './adk-shapes';

/** Finds the copy of `@google/adk` that a value belongs to. */
export type AdkProvider = (value: object) => AdkModule | Promise<AdkModule>;

/** Classes whose prototypes tell the copies apart. */
const classNames = ['BaseAgent', 'BaseNode', 'App', 'Runner'];

/** Whether an object was made by a class of this copy. `instanceof` will do: the class is the copy's own. */
function belongsTo(value: object, copy: AdkModule): boolean {
  const subject = isAdk('app', value) || isAdk('runner', value) ? rootOf(value) : value;
  return [value, subject].some((object) => classNames.some((name) => isInstance(object, copy[name])));
}

/**
 * Provider for plain Node. The SDK has a CommonJS and an ESM build, two copies in one process with other classes and another model
 * registry; and there may be several installations. Looks first at what is loaded, then at what the folders given resolve to.
 *
 * @param folders  where `@google/adk` is resolved from, nearest first: the agent module's folder, then the project's root
 */
export function createNodeAdkProvider(folders: readonly string[]): AdkProvider {
  return async (value) => {
    const copy = await copyFor(value, folders);
    if (logsToStderr) logToStderr(copy);
    return copy;
  };
}

let logsToStderr = false;

/** From now on every copy that is found writes its log to stderr: stdout belongs to the results of a command. */
export function sendSdkLogsToStderr(): void {
  logsToStderr = true;
}

async function copyFor(value: object, folders: readonly string[]): Promise<AdkModule> {
  for (const copy of loadedCommonJs()) if (belongsTo(value, copy)) return copy;
  const entries = [...new Set(folders.flatMap((folder) => packageFolder(folder) ?? []))];
  for (const entry of entries) {
    const copy = await importEsm(entry);
    if (copy !== undefined && belongsTo(value, copy)) return copy;
  }
  const fallback = entries[0];
  if (fallback === undefined) throw notInstalled(folders);
  return createRequire(join(fallback, 'package.json'))('./dist/cjs/index.js') as AdkModule;
}

function rootOf(value: object): object {
  const { rootAgent, agent } = value as { rootAgent?: object; agent?: object };
  return rootAgent ?? agent ?? value;
}

function isInstance(value: object, constructor: unknown): boolean {
  return typeof constructor === 'function' && value instanceof constructor;
}

/** CommonJS copies that some module of the process has loaded. */
function loadedCommonJs(): readonly AdkModule[] {
  const entry = join('@google', 'adk', 'dist', 'cjs', 'index.js');
  return Object.entries(require.cache).flatMap(([file, module]) => (file.endsWith(entry) && module?.loaded === true ? [module.exports as AdkModule] : []));
}

function packageFolder(folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, 'noop.js')).resolve('@google/adk/package.json'));
  } catch {
    return undefined;
  }
}

async function importEsm(folder: string): Promise<AdkModule | undefined> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports?: { '.'?: { import?: string } } };
  const entry = join(folder, manifest.exports?.['.']?.import ?? './dist/esm/index.js');
  return existsSync(entry) ? ((await import(pathToFileURL(entry).href)) as AdkModule) : undefined;
}

function notInstalled(folders: readonly string[]): Error {
  return refusal('adk_not_found', `The agent needs @google/adk, which is not installed where it was looked for: ${folders.join(', ')}.`, 'Run "npm install @google/adk zod" there.');
}
