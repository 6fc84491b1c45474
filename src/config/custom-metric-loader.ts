import { dirname, isAbsolute, join, resolve } from 'node:path';
import { JestAdkError, type Problem, toErrorInfo } from '../support/errors';
import { firstFile, type ModuleCandidates, resolveModuleFile } from '../support/module-file';
import { didYouMean } from '../support/nearest';
import { isDotPath, resolveFrom } from '../support/paths';
import type { CustomMetricConfig } from './types';

/** What is asked of a module loader here; the caller's world provides it. */
export interface MetricModuleLoader {
  load(absolutePath: string): Promise<Record<string, unknown>>;
  loadPackage(specifier: string, fromFolder: string): Promise<Record<string, unknown>>;
}

/** Where a custom metric may be found. */
export interface CustomMetricContext {
  /** Absolute path of the config that names the metric; `./` and `../` start at its folder. Absent for a config in code: they start at `cwd`. */
  readonly configFile?: string;
  /** Folders below which Python names and bare paths are looked up; `cwd` always comes last. */
  readonly modulePaths?: readonly string[];
  readonly cwd: string;
  readonly loader: MetricModuleLoader;
}

/** A metric function and where it came from. */
export interface ResolvedMetric {
  readonly fn: (...args: never[]) => unknown;
  /** Absolute path of the module; absent when it came from a package. */
  readonly file?: string;
}

/** Extensions that a Python module may have on our side. */
const twinExtensions = ['.ts', '.mts', '.js', '.mjs', '.cjs'];

interface Reference {
  readonly module: string;
  readonly exportName: string;
  readonly kind: 'path' | 'package' | 'python';
}

/** Takes `./file.ts#name`, `pkg/sub#name` or `package.module.name` apart; undefined when it is none of these. */
function parseReference(name: string): Reference | undefined {
  const hash = name.lastIndexOf('#');
  if (hash >= 0) {
    const module = name.slice(0, hash);
    const exportName = name.slice(hash + 1);
    if (module === '' || exportName === '') return undefined;
    const isPath = isDotPath(module) || isAbsolute(module) || module.startsWith('file:');
    return { module, exportName, kind: isPath ? 'path' : 'package' };
  }
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)+$/u.test(name)) return undefined;
  const dot = name.lastIndexOf('.');
  return { module: name.slice(0, dot), exportName: name.slice(dot + 1), kind: 'python' };
}

/**
 * Finds and loads the function behind a custom metric's `code_config.name`: `./metrics/tone.ts#tone` (relative to the config),
 * `pkg/sub#name` (a package; failing that, a file below the module paths), or Python's dotted `my_project.eval_metrics.tone`, looked up as
 * `my_project/eval_metrics.{ts,mts,js,mjs,cjs}` below the module paths and then the working directory.
 *
 * @throws {JestAdkError} `bad_metric_name`, `metric_module_not_found` (with everything tried), `metric_module_failed`, `metric_not_exported`
 *   or `metric_not_a_function`; each names what the config says, the module and the function
 */
export async function resolveCustomMetric(name: string, context: CustomMetricContext): Promise<ResolvedMetric> {
  const reference = parseReference(name);
  if (reference === undefined) {
    throw failure('bad_metric_name', `${JSON.stringify(name)} names no function.`, 'Write "./file.ts#name", "package/module#name" or "package.module.name".');
  }
  const { module, file } = await loadModule(name, reference, context);
  const value = exported(module, reference.exportName);
  const where = file ?? reference.module;
  if (value === undefined) {
    const names = exportNames(module);
    const near = didYouMean(reference.exportName, names);
    const hint = near ?? (names.length === 0 ? 'The module exports nothing.' : `It exports ${names.join(', ')}.`);
    throw failure('metric_not_exported', `${where} has no export ${JSON.stringify(reference.exportName)} (named by ${JSON.stringify(name)}).`, hint);
  }
  if (typeof value !== 'function') {
    throw failure('metric_not_a_function', `The export ${JSON.stringify(reference.exportName)} of ${where} is ${describe(value)}, not a function (named by ${JSON.stringify(name)}).`);
  }
  return { fn: value as ResolvedMetric['fn'], ...(file !== undefined && { file }) };
}

/**
 * Resolves every custom metric of a config.
 *
 * @returns the functions by metric name, in the config's order
 * @throws {JestAdkError} `custom_metrics` with the problems of all of them, each naming its metric and its place in the config
 */
export async function resolveCustomMetrics(configs: ReadonlyMap<string, CustomMetricConfig>, context: CustomMetricContext): Promise<Map<string, ResolvedMetric>> {
  const resolved = new Map<string, ResolvedMetric>();
  const problems: Problem[] = [];
  // One after the other: the first of two metrics in one module reports what is wrong with it.
  for (const [metric, { codeConfig }] of configs) {
    try {
      resolved.set(metric, await resolveCustomMetric(codeConfig.name, context));
    } catch (error) {
      if (!(error instanceof JestAdkError)) throw error;
      const place = { ...(context.configFile !== undefined && { file: context.configFile }), path: ['custom_metrics', metric, 'code_config', 'name'] };
      problems.push(...error.problems.map((problem) => ({ ...problem, ...place, message: `Custom metric ${JSON.stringify(metric)}: ${problem.message}` })));
    }
  }
  if (problems.length > 0) throw new JestAdkError('custom_metrics', problems);
  return resolved;
}

interface LoadedModule {
  readonly module: Record<string, unknown>;
  readonly file?: string;
}

async function loadModule(name: string, reference: Reference, context: CustomMetricContext): Promise<LoadedModule> {
  const configDir = context.configFile === undefined ? context.cwd : dirname(context.configFile);
  if (reference.kind === 'package') {
    const module = await loadPackage(name, reference.module, configDir, context.loader);
    if (module !== undefined) return { module };
  }
  const { file, tried } = candidateFiles(reference, configDir, context);
  if (file === undefined) {
    const list = [...(reference.kind === 'package' ? [`package ${reference.module}`] : []), ...tried].map((path) => `\n    ${path}`).join('');
    throw failure('metric_module_not_found', `There is no module for ${JSON.stringify(name)} (function ${JSON.stringify(reference.exportName)}). Tried:${list}`);
  }
  try {
    return { module: await context.loader.load(file), file };
  } catch (error) {
    throw moduleFailed(name, file, error);
  }
}

function candidateFiles(reference: Reference, configDir: string, context: CustomMetricContext): ModuleCandidates {
  if (reference.kind === 'path') return resolveModuleFile(resolveFrom({ callerDir: configDir, rootDir: configDir }, reference.module));
  const folders = new Set([...(context.modulePaths ?? []).map((path) => resolve(context.cwd, path)), context.cwd]);
  const path = reference.kind === 'python' ? reference.module.replaceAll('.', '/') : reference.module;
  const asTyped = reference.kind === 'python' ? [] : [''];
  return firstFile([...folders].flatMap((folder) => [...asTyped, ...twinExtensions].map((extension) => join(folder, path) + extension)));
}

/** The package's module; undefined when there is no such package. */
async function loadPackage(name: string, specifier: string, fromFolder: string, loader: MetricModuleLoader): Promise<Record<string, unknown> | undefined> {
  try {
    return await loader.loadPackage(specifier, fromFolder);
  } catch (error) {
    const { code, message } = toErrorInfo(error);
    const missing = ['module_not_found', 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(code);
    // A package that is there but lacks something it imports also says "not found", of another name.
    if (missing && message.includes(specifier)) return undefined;
    throw moduleFailed(name, specifier, error);
  }
}

/** An own export, or a member of the default export, which is where Node puts those of a CommonJS module. */
function exported(module: Record<string, unknown>, name: string): unknown {
  const own = module[name];
  if (own !== undefined) return own;
  const fallback = module['default'] as Record<string, unknown> | null | undefined;
  return (typeof fallback === 'object' && fallback !== null) || typeof fallback === 'function' ? fallback[name] : undefined;
}

function exportNames(module: Record<string, unknown>): string[] {
  const fallback = module['default'];
  const nested = typeof fallback === 'object' && fallback !== null ? Object.keys(fallback) : [];
  return [...new Set([...Object.keys(module), ...nested])].filter((name) => name !== '__esModule' && name !== 'module.exports');
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

function moduleFailed(name: string, where: string, error: unknown): JestAdkError {
  const { message } = toErrorInfo(error);
  const text = message.includes(where) ? message : `${where} could not be loaded: ${message}`;
  return failure('metric_module_failed', `${text} (named by ${JSON.stringify(name)})`, undefined, error);
}

function failure(code: string, message: string, hint?: string, cause?: unknown): JestAdkError {
  return new JestAdkError(code, [{ code, message, ...(hint !== undefined && { hint }) }], cause === undefined ? undefined : { cause });
}
