import { dirname } from 'node:path';
import { JestAdkError } from '../support/errors';
import { resolveModuleFile } from '../support/module-file';
import { resolveFrom, type PathBases } from '../support/paths';
import { type AdkProvider, createNodeAdkProvider } from './adk-copy';
import { isRunnable } from './adk-shapes';
import { adkServerTarget } from './adk-server';
import { type AdkTargetOptions, adkTarget } from './adk-target';
import { functionOrFactory, markedTarget } from './function-or-factory';
import { type AgentFunction, functionTarget } from './function-target';
import { looksLikeUrl } from './http/base-url';
import type { ModuleLoader, Target } from './types';

/** The world in which a target is looked up. */
export interface TargetContext extends PathBases {
  readonly loader: ModuleLoader;
  /** The SDK copy of an agent. Without it, it is found in what Node has loaded or can resolve from the agent's folder and `rootDir`. */
  readonly adk?: AdkProvider | undefined;
  readonly options?: AdkTargetOptions | undefined;
}

/** Exports of an agent module that are looked at, in this order, after the default export. What is shipped comes first. */
const exportNames = ['app', 'rootApp', 'rootAgent', 'agent'] as const;

/** File names in a folder that is given as an agent module. */
const namesInFolder = ['index', 'agent'];

const legalTargets = 'Pass an agent, an App, a Runner, a function that makes one, a function (turn, session) => answer, the path of a module that exports one, or the URL of a server.';

/**
 * Makes a target of whatever the user passes: an agent, an `App` or a `Runner` of `@google/adk` (of any copy), a factory, a function
 * under evaluation, a ready target, the path of a module that exports one of these (`./agent`, `./agent.ts#name`), or the URL of a server
 * that has the agent.
 *
 * @param value    what was passed
 * @param context  where paths start, and how modules are loaded
 * @throws {JestAdkError} `no_target` for anything else, `bad_url`, `agent_module_not_found`, `agent_not_exported` with what was looked for
 */
export async function resolveTarget(value: unknown, context: TargetContext): Promise<Target> {
  if (typeof value === 'string' && looksLikeUrl(value)) return adkServerTarget(value);
  if (typeof value === 'string' && value !== '') return moduleTarget(value, context);
  const provider = context.adk ?? createNodeAdkProvider([context.callerDir, context.rootDir]);
  const target = await targetOf(value, provider, context.options);
  if (target === undefined) throw noTarget(value);
  return target;
}

async function targetOf(value: unknown, provider: AdkProvider, options: AdkTargetOptions | undefined): Promise<Target | undefined> {
  if (isTarget(value)) return value;
  if (isRunnable(value)) return adkTarget({ first: value, next: () => value }, provider, options);
  if (typeof value !== 'function' || /^class\b/.test(Function.prototype.toString.call(value))) return undefined;
  const marked = markedTarget(value);
  if (marked === 'factory') return adkTarget({ next: value as () => object }, provider, options);
  if (marked === 'function' || value.length > 0) return functionTarget(value as AgentFunction);
  return functionOrFactory(value as AgentFunction, provider, options);
}

async function moduleTarget(path: string, context: TargetContext): Promise<Target> {
  const [modulePath = '', exportName] = path.split(/#(?=[^#/\\]*$)/);
  const { module, folder, where } = await loadAgentModule(modulePath, context);
  const provider = context.adk ?? createNodeAdkProvider([folder, context.rootDir]);
  const found = [...candidates(module, exportName)];
  const looked = found.map(([name]) => name);
  // Agents first: a module may have some function as its default export, and its agent beside it.
  for (const [, value] of [...found.filter(([, value]) => typeof value !== 'function'), ...found.filter(([, value]) => typeof value === 'function')]) {
    const target = value === undefined ? undefined : await targetOf(value, provider, context.options);
    if (target !== undefined) return target;
  }
  const names = Object.keys(module).filter((name) => name !== '__esModule');
  throw problem('agent_not_exported', `${where} exports no agent: looked for ${looked.join(', ')}. It exports ${names.length === 0 ? 'nothing' : names.join(', ')}.`, 'Export the agent as "rootAgent", or name the export: "./agent#name".');
}

interface AgentModule {
  readonly module: Record<string, unknown>;
  readonly folder: string;
  readonly where: string;
}

async function loadAgentModule(path: string, context: TargetContext): Promise<AgentModule> {
  const { file, tried } = resolveModuleFile(resolveFrom(context, path), namesInFolder);
  if (file !== undefined) return { module: await context.loader.load(file), folder: dirname(file), where: file };
  if (/^(\.{0,2}[/\\]|[A-Za-z]:|file:)/.test(path)) throw notFound(path, tried);
  try {
    return { module: await context.loader.loadPackage(path, context.rootDir), folder: context.rootDir, where: `The module ${path}` };
  } catch (thrown) {
    if ((thrown as { code?: unknown } | null)?.code === 'module_not_found') throw notFound(path, [...tried, `the package ${path} from ${context.rootDir}`]);
    throw thrown;
  }
}

/**
 * CommonJS modules appear as a default export, those made by a compiler one level further down; a `require` gives the exports themselves,
 * which may be the agent (`module.exports = agent`).
 */
function* candidates(module: Record<string, unknown>, exportName: string | undefined): Generator<readonly [string, unknown]> {
  if (exportName === undefined && (typeof module === 'function' || isRunnable(module))) yield ['default', module];
  const layers = [module, module.default, (module.default as { default?: unknown } | undefined)?.default].filter(
    (layer): layer is Record<string, unknown> => typeof layer === 'object' && layer !== null && !isRunnable(layer),
  );
  const find = (name: string): unknown => layers.map((layer) => layer[name]).find((value) => value !== undefined && !layers.includes(value as Record<string, unknown>));
  for (const name of exportName === undefined ? ['default', ...exportNames] : [exportName]) yield [name, find(name)];
}

function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Target>).openSession === 'function' && typeof (value as Partial<Target>).kind === 'string';
}

function notFound(path: string, tried: readonly string[]): JestAdkError {
  return problem('agent_module_not_found', `There is no agent module ${JSON.stringify(path)}. Looked for:\n  ${tried.join('\n  ')}`, 'Paths with "./" start at the test file, others at rootDir.');
}

function noTarget(value: unknown): JestAdkError {
  const seen = typeof value === 'function' ? `the class ${value.name}: pass an instance` : typeof value === 'object' && value !== null ? `an object with the keys ${Object.keys(value).slice(0, 8).join(', ') || '(none)'}` : value === '' ? 'an empty path' : String(value);
  return problem('no_target', `This cannot be evaluated: ${seen}.`, legalTargets);
}

function problem(code: string, message: string, hint: string): JestAdkError {
  return new JestAdkError(code, [{ code, message, hint }]);
}
