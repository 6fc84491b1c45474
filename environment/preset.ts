import { join } from 'node:path';
import { resolveFromJest } from './jest-packages';
import type { EnvironmentOptions } from './options';
import { hasReporter } from './reporter-reminder';
import { beginRun, ownsRun } from './run-folder';
import { ensureShims, sharedModuleMapper } from './sdk/shims';
import type { TypeScriptOptions } from './ts-transform';

/** A Jest configuration; only the options that are merged are spelled out. */
export interface JestConfiguration {
  readonly transform?: Readonly<Record<string, unknown>>;
  readonly moduleNameMapper?: Readonly<Record<string, string | readonly string[]>>;
  readonly moduleFileExtensions?: readonly string[];
  readonly modulePathIgnorePatterns?: readonly string[];
  readonly reporters?: readonly unknown[];
  readonly setupFilesAfterEnv?: readonly string[];
  readonly testEnvironment?: string;
  readonly testEnvironmentOptions?: Readonly<Record<string, unknown>>;
  readonly testRunner?: string;
  readonly projects?: readonly (string | JestConfiguration)[];
  readonly [option: string]: unknown;
}

/** A Jest configuration, and beside it what concerns jest-adk. */
export interface PresetOptions extends JestConfiguration {
  /** Options of the environment: defaults for every evaluation, and `share`. */
  readonly adk?: EnvironmentOptions;
  /**
   * Who compiles TypeScript. `auto`: ts-jest where the project has it, else Babel's TypeScript preset. `ts-jest`: that and nothing else.
   * `none`: Jest's default, babel-jest for everything. A transform of your own goes before all of them.
   */
  readonly typescript?: 'auto' | 'ts-jest' | 'none';
  /** Options of ts-jest. */
  readonly tsJest?: TypeScriptOptions['tsJest'];
}

/** Extensions of which Jest takes notice: its defaults, and those of eval sets and prompts, so that a change reruns their tests. */
const extensions = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'node', 'toml', 'txt', 'md', 'jinja', 'j2', 'eta'];

/**
 * The preset as a plain configuration, merged with yours: your transforms and mappings go first, your setup files after ours, your
 * reporters before ours, and a `testEnvironment` of your own stays. In `projects` every project that is an object is
 * treated the same way; reporters belong to the root.
 *
 * @example
 * // jest.config.js
 * const { createPreset } = require('jest-adk');
 * module.exports = createPreset({ testEnvironmentOptions: { adk: { numRuns: 3 } }, reporters: ['default', 'jest-junit'] });
 */
export function createPreset(options: PresetOptions = {}): JestConfiguration {
  // Configurations are read in the parent: all its workers belong to this run, also where our reporter, which begins runs, is missing.
  if (!ownsRun()) beginRun();
  const { projects, ...own } = options;
  if (projects === undefined) return merged(own, true);
  const { reporters, adk, typescript, tsJest, ...root } = own;
  const inherited = { ...(adk !== undefined && { adk }), ...(typescript !== undefined && { typescript }), ...(tsJest !== undefined && { tsJest }) };
  return {
    ...root,
    reporters: withReporter(reporters),
    projects: projects.map((project) => (typeof project === 'string' ? project : merged({ ...inherited, ...project }, false))),
  };
}

function merged(options: PresetOptions, isRoot: boolean): JestConfiguration {
  const { adk, typescript = 'auto', tsJest, ...own } = options;
  const share = adk?.share !== false && (own.testEnvironmentOptions?.['adk'] as EnvironmentOptions | undefined)?.share !== false;
  if (share) ensureShims();
  const transform = transforms(typescript, tsJest);
  const config: JestConfiguration = {
    testEnvironment: file('index.js'),
    testRunner: file('runner.js'),
    dependencyExtractor: file('dependency-extractor.js'),
    ...own,
    ...(transform !== undefined && { transform: { ...own.transform, ...without(transform, own.transform) } }),
    moduleNameMapper: { ...own.moduleNameMapper, ...without({ ...(share ? sharedModuleMapper() : {}), '^jest-adk$': file('sandbox/index.js') }, own.moduleNameMapper) },
    moduleFileExtensions: [...new Set([...(own.moduleFileExtensions ?? []), ...extensions])],
    modulePathIgnorePatterns: ['[/\\\\]\\.adk[/\\\\]eval_history[/\\\\]', ...(own.modulePathIgnorePatterns ?? [])],
    setupFilesAfterEnv: [join(__dirname, '..', 'matchers', 'register.js'), ...(own.setupFilesAfterEnv ?? [])],
  };
  return {
    ...config,
    ...(adk !== undefined && { testEnvironmentOptions: { ...own.testEnvironmentOptions, adk: { ...adk, ...(own.testEnvironmentOptions?.['adk'] as object | undefined) } } }),
    ...(isRoot && { reporters: withReporter(own.reporters) }),
  };
}

function transforms(typescript: 'auto' | 'ts-jest' | 'none', tsJest: TypeScriptOptions['tsJest']): Record<string, unknown> | undefined {
  if (typescript === 'none') return undefined;
  const options: TypeScriptOptions = { ...(typescript === 'ts-jest' && { use: 'ts-jest' }), ...(tsJest !== undefined && { tsJest }) };
  return {
    '\\.[mc]?tsx?$': [file('ts-transform.js'), options],
    // Any transform in a configuration takes Jest's default away.
    '\\.jsx?$': resolveFromJest('babel-jest'),
  };
}

function withReporter(reporters: readonly unknown[] = ['default']): readonly unknown[] {
  return hasReporter(reporters as Parameters<typeof hasReporter>[0]) ? reporters : [...reporters, file('reporter.js')];
}

function without<T>(entries: Readonly<Record<string, T>>, taken: object | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => taken === undefined || !(key in taken)));
}

function file(name: string): string {
  return join(__dirname, name);
}
