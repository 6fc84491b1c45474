import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import type { SharedModule } from '../bridge';
import { packageOf } from './modules';
import { mendPrototypes, SandboxWorld } from './realm';
import { ensureNames, ensureShims } from './shims';
import { SdkState } from './state';

/** Where a project's own copy of a module lies. */
interface Installed {
  readonly file: string;
  readonly version: string;
}

/** Per worker: what a folder has installed, and whether the warning about zod was given. */
const installed = new Map<string, Installed | undefined>();
const warned = new Set<string>();

/**
 * The SDK of one test file. The modules are loaded natively, from the project's root, at the first import in a sandbox; a file that
 * imports none of them pays nothing but a look at whether the shims are there.
 */
export class SharedSdk {
  readonly #state = new SdkState();
  #world: SandboxWorld | undefined;
  #loaded = false;

  constructor(
    private readonly global: typeof globalThis,
    private readonly rootDir: string,
    private readonly testPath: string,
    private readonly share: boolean,
  ) {
    if (!share) return;
    ensureShims();
    if (find('@google/adk', this.#root) === undefined) return;
    // Before anything in the sandbox keeps its `process.env`.
    this.#enter();
    if (process.execArgv.concat(process.env['NODE_OPTIONS'] ?? '').some((flag) => flag.includes('--experimental-vm-modules'))) this.#listNames();
  }

  /**
   * A module for a sandbox: the shared one, or the file of the project's own copy where sharing would change what the project sees. It is
   * looked for from the project's root, then from where it is imported, as in a workspace whose packages have installations of their own.
   */
  shared(specifier: string, from?: string): SharedModule {
    const start = [this.#root, from, this.testPath].find((one) => one !== undefined && find(specifier, one) !== undefined);
    const found = start === undefined ? undefined : find(specifier, start);
    if (start === undefined || found === undefined) {
      const error = new Error(`Cannot find module '${specifier}' from '${from ?? this.rootDir}'. It is not installed in this project.`);
      throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
    }
    const adk = find('@google/adk', start);
    if (!this.share || adk === undefined || (packageOf(specifier) === 'zod' && this.#otherZod(found, adk))) return { path: found.file };
    this.#enter();
    return { module: this.#load(specifier, found) };
  }

  /** False when test files have a copy of their own, which only their sandbox can give. */
  get isShared(): boolean {
    return this.share;
  }

  /** Undoes what the test file changed in shared modules and in the process. */
  restore(): void {
    this.#state.restore();
    this.#world?.restore();
  }

  get #root(): string {
    return join(this.rootDir, 'package.json');
  }

  /** Makes the sandbox one in which the shared SDK behaves as in plain Node. */
  #enter(): void {
    if (this.#world !== undefined) return;
    mendPrototypes(this.global);
    this.#world = new SandboxWorld(this.global);
  }

  #load(specifier: string, { file }: Installed): Record<string, unknown> {
    const module = require(file) as Record<string, unknown>;
    if (specifier === '@google/adk') {
      const { logToStderr } = require('../../src/target/adk-logger') as typeof import('../../src/target/adk-logger');
      logToStderr(module);
    }
    this.#world?.connect();
    if (!this.#loaded || packageOf(specifier) !== 'zod') this.#state.remember(module);
    this.#loaded = true;
    return module;
  }

  /** The project's zod has another major version than the SDK's: then it stays in the sandbox. */
  #otherZod(own: Installed, adk: Installed): boolean {
    const theirs = find('zod', adk.file);
    if (theirs === undefined || major(theirs) === major(own)) return false;
    const key = `${this.rootDir}\0zod`;
    if (!warned.has(key)) {
      warned.add(key);
      process.stderr.write(
        `jest-adk: this project uses zod ${own.version}, @google/adk uses zod ${theirs.version}. The SDK does not recognise schemas of another ` +
          'major version; descriptions of tool parameters may be missing, as they are outside Jest. Install the same major version to end this.\n',
      );
    }
    return true;
  }

  #listNames(): void {
    for (const specifier of ['@google/adk', '@google/genai', 'zod', 'zod/v4', 'zod/v3', '@google/adk/a2a', '@google/adk/tools/mcp']) {
      const found = find(specifier, this.#root);
      if (found !== undefined) ensureNames(specifier, found.version, () => exportedNames(found.file));
    }
  }
}

function exportedNames(file: string): readonly string[] {
  try {
    return Object.getOwnPropertyNames(require(file)).filter((name) => name !== 'default' && name !== '__esModule');
  } catch {
    // A part with a missing peer cannot be loaded; whoever imports it is told so then.
    return [];
  }
}

function find(specifier: string, from: string): Installed | undefined {
  const key = `${dirname(from)}\0${specifier}`;
  if (!installed.has(key)) installed.set(key, resolve(specifier, from));
  return installed.get(key);
}

function resolve(specifier: string, from: string): Installed | undefined {
  try {
    const file = createRequire(from).resolve(specifier);
    return { file, version: versionOf(file, packageOf(specifier)) };
  } catch {
    return undefined;
  }
}

function versionOf(file: string, name: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string; version?: string };
      if (manifest.name === name && manifest.version !== undefined) return manifest.version;
    } catch {
      // No package.json here: look further up.
    }
  }
  return '0';
}

function major({ version }: Installed): string | undefined {
  return version.split('.')[0];
}
