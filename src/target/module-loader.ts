import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { JestAdkError, toErrorInfo } from '../support/errors';
import type { ModuleLoader } from './types';

/** What Node and Jest say when a module is not there, as opposed to one that is there and throws. */
const notFoundCodes: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

/** A user's module that threw while it was loaded: file and cause. */
function loadFailure(file: string, cause: unknown): JestAdkError {
  const { message } = toErrorInfo(cause);
  const hint = notFoundCodes.has((cause as { code?: unknown } | null)?.code) ? 'Something that it imports is missing.' : undefined;
  return new JestAdkError('module_failed', [{ code: 'module_failed', message: `${file} could not be loaded: ${message}`, ...(hint !== undefined && { hint }) }], { cause });
}

/**
 * Loads user modules outside Jest: JavaScript by Node itself, TypeScript by jiti. Both kinds of modules and both syntaxes work;
 * a module is loaded once per process.
 *
 * Errors are `JestAdkError`s: `module_not_found` for a package that cannot be resolved, `module_failed`, with the file and the cause,
 * for a module that throws.
 */
export function createNodeLoader(): ModuleLoader {
  async function load(absolutePath: string): Promise<Record<string, unknown>> {
    try {
      if (/^\.[mc]?tsx?$/.test(extname(absolutePath))) return await loadTypeScript(absolutePath);
      return (await import(pathToFileURL(absolutePath).href)) as Record<string, unknown>;
    } catch (error) {
      throw loadFailure(absolutePath, error);
    }
  }
  return {
    load,
    loadPackage: (specifier, fromFolder) => load(resolvePackage(specifier, fromFolder)),
  };
}

async function loadTypeScript(absolutePath: string): Promise<Record<string, unknown>> {
  const { createJiti } = require('jiti') as typeof import('jiti');
  // No cache on disk: nothing is left behind. Without interop the module's own exports are seen, as with `import`.
  const jiti = createJiti(absolutePath, { fsCache: false, interopDefault: false, jsx: absolutePath.endsWith('x') });
  return jiti.import<Record<string, unknown>>(absolutePath);
}

/** The file behind a bare specifier, as an import from that folder finds it; packages without an `import` condition as `require` does. */
function resolvePackage(specifier: string, fromFolder: string): string {
  const parent = join(fromFolder, 'noop.js');
  const { createJiti } = require('jiti') as typeof import('jiti');
  try {
    return fileURLToPath(createJiti(parent, { fsCache: false }).esmResolve(specifier));
  } catch {
    try {
      return createRequire(parent).resolve(specifier);
    } catch (error) {
      const message = `There is no module ${JSON.stringify(specifier)} to be imported from ${fromFolder}.`;
      throw new JestAdkError('module_not_found', [{ code: 'module_not_found', message }], { cause: error });
    }
  }
}
