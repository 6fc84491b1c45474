/** Whether what is to be evaluated can be had. */
import { toErrorInfo } from '../../support/errors';
import type { Finding, Surroundings } from './types';

/** Milliseconds that a server has to say what its apps are. */
const patience = 10_000;

/** What came of looking at the target. */
export interface TargetFindings {
  readonly findings: readonly Finding[];
  /** Names of the models that its agents use. */
  readonly models: readonly string[];
}

/** Asks a server for its apps, or loads a module; no turn is taken. */
export async function checkTarget({ target, cwd, env, headers }: Surroundings): Promise<TargetFindings> {
  if (target === undefined) return { findings: [], models: [] };
  const { looksLikeUrl } = require('../../target/http/base-url') as typeof import('../../target/http/base-url');
  return looksLikeUrl(target) ? { findings: [await server(target, { env, headers })], models: [] } : module(target, cwd);
}

async function server(url: string, how: Pick<Surroundings, 'env' | 'headers'>): Promise<Finding> {
  const { serverApps } = require('../../target/adk-server') as typeof import('../../target/adk-server');
  try {
    const apps = await serverApps(url, { timeoutMs: patience, retries: 0, ...how });
    const listed = apps.length > 5 ? `${apps.slice(0, 5).join(', ')}, …` : apps.join(', ');
    if (apps.length === 0) return { check: 'server', status: 'problem', message: 'answers, and has no apps', advice: 'Start it in the folder that holds the folders of the agents.' };
    return { check: 'server', status: 'ok', message: `answers; ${apps.length === 1 ? 'its app' : `its ${apps.length} apps`}: ${listed}${apps.length === 1 ? '' : ' (choose one with --app-name)'}` };
  } catch (thrown) {
    return { check: 'server', status: 'problem', message: toErrorInfo(thrown).message, advice: 'Start the server, correct the URL, or give the headers it wants (--header).' };
  }
}

async function module(path: string, cwd: string): Promise<TargetFindings> {
  const { createNodeLoader } = require('../../target/module-loader') as typeof import('../../target/module-loader');
  const { resolveTarget } = require('../../target/resolve-target') as typeof import('../../target/resolve-target');
  const loaded: Record<string, unknown>[] = [];
  const node = createNodeLoader();
  const loader = {
    ...node,
    load: async (file: string) => {
      const one = await node.load(file);
      loaded.push(one);
      return one;
    },
  };
  try {
    const target = await resolveTarget(path, { rootDir: cwd, callerDir: cwd, loader });
    const models = modelsOf(loaded);
    await target.close();
    const name = target.appName === undefined ? '' : ` "${target.appName}"`;
    return { findings: [{ check: 'agent', status: 'ok', message: `${path} exports ${target.kind === 'function' ? 'a function' : `an agent${name}`}${models.length > 0 ? `; models: ${models.join(', ')}` : ''}` }], models };
  } catch (thrown) {
    return { findings: [{ check: 'agent', status: 'problem', message: `${path}: ${toErrorInfo(thrown).message}`, advice: 'Correct the path or the module, so that jest-adk eval can load it.' }], models: [] };
  }
}

/** Names of the models of every agent that the modules export, sub-agents too. */
function modelsOf(modules: readonly Record<string, unknown>[]): readonly string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || seen.has(value) || depth > 8) return;
    seen.add(value);
    const { model, subAgents, rootAgent, agent } = value as { readonly model?: unknown; readonly subAgents?: unknown; readonly rootAgent?: unknown; readonly agent?: unknown };
    const name = typeof model === 'object' && model !== null ? (model as { readonly model?: unknown }).model : model;
    if (typeof name === 'string' && name !== '') names.add(name);
    for (const next of [rootAgent, agent, ...(Array.isArray(subAgents) ? (subAgents as unknown[]) : [])]) visit(next, depth + 1);
  };
  for (const one of modules) for (const exported of Object.values(one)) visit(exported, 0);
  return [...names];
}
