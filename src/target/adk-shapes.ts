import type { Content } from '../evalset/types';

/**
 * What is needed of `@google/adk`, by shape. The package is never imported: its CommonJS and ESM builds, a nested installation, and
 * the copy inside Jest's sandbox are all different, and objects of all of them are evaluated. Source: @google/adk 2.0.
 */
export interface AdkModule {
  readonly Runner: new (input: RunnerInput) => AdkRunner;
  readonly InMemorySessionService: new () => SessionService;
  readonly InMemoryArtifactService: new () => ArtifactService;
  readonly InMemoryMemoryService: new () => MemoryService;
  readonly BasePlugin: new (name: string) => AdkPlugin;
  createEvent(params: object): AdkEvent;
  readonly [name: string]: unknown;
}

/** Arguments of `new Runner(…)`. */
export interface RunnerInput extends AdkServices {
  readonly app?: AdkApp;
  readonly agent?: object;
  readonly appName?: string;
  readonly plugins?: readonly unknown[];
}

/** Services a runner works with. */
export interface AdkServices {
  readonly sessionService?: SessionService;
  readonly artifactService?: ArtifactService;
  readonly memoryService?: MemoryService;
  readonly credentialService?: object;
}

/** Remembers sessions. */
export interface MemoryService {
  addSessionToMemory(session: AdkSession): Promise<void>;
}

/** `Runner` of the SDK. */
export interface AdkRunner extends AdkServices {
  appName?: string;
  readonly agent: { readonly name: string };
  readonly pluginManager: { readonly plugins: Iterable<unknown>; readonly constructor: unknown };
  runAsync(params: RunParams): AsyncIterable<AdkEvent>;
}

/** Arguments of `runner.runAsync(…)`. */
export interface RunParams {
  readonly userId: string;
  readonly sessionId: string;
  readonly newMessage: Content;
  readonly runConfig?: object;
  readonly abortSignal?: AbortSignal;
}

/** `App` of the SDK. */
export interface AdkApp {
  readonly name: string;
  readonly rootAgent: { readonly name: string };
  readonly plugins?: readonly unknown[];
}

/** A plugin: hooks by name. */
export type AdkPlugin = { readonly name: string } & Record<string, unknown>;

/** Names a session. */
export interface SessionKey {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** A stored session. */
export interface AdkSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  readonly state: Readonly<Record<string, unknown>>;
}

/** Stores sessions. */
export interface SessionService {
  createSession(request: { appName: string; userId: string; sessionId: string; state: Record<string, unknown> }): Promise<AdkSession>;
  getSession(request: SessionKey): Promise<AdkSession | undefined>;
  appendEvent(request: { session: AdkSession; event: AdkEvent }): Promise<AdkEvent>;
}

/** Stores artifacts. */
export interface ArtifactService {
  listArtifactKeys(request: SessionKey): Promise<readonly string[]>;
}

/** An event of the SDK; `timestamp` in milliseconds. */
export interface AdkEvent {
  readonly id?: string;
  readonly invocationId?: string;
  readonly author?: string;
  readonly content?: Content;
  readonly actions?: Readonly<Record<string, unknown>>;
  readonly timestamp?: number;
  readonly [name: string]: unknown;
}

/** Brands by which the SDK knows its own objects; the symbols are registered, so they are the same in every copy and realm. */
const brands = {
  agent: Symbol.for('google.adk.baseAgent'),
  node: Symbol.for('google.adk.workflow.baseNode'),
  app: Symbol.for('google.adk.app'),
  runner: Symbol.for('google.adk.runner'),
  toolset: Symbol.for('google.adk.baseToolset'),
} as const;

/** Whether a value is one of the SDK's objects of that kind, whichever copy made it. */
export function isAdk(kind: keyof typeof brands, value: unknown): value is object {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brands[kind]] === true;
}

/** Whether a value can be run as it is: an agent, a workflow, an `App` or a `Runner`. */
export function isRunnable(value: unknown): value is object {
  return isAdk('runner', value) || isAdk('app', value) || isAdk('agent', value) || isAdk('node', value);
}

/** Names of the models of a tree, by agent, as far as the agents say. */
export function modelNames(root: object): Readonly<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const value of walkTree(root)) {
    const { name, model } = value as { name?: unknown; model?: unknown };
    const modelName = typeof model === 'object' && model !== null ? (model as { model?: unknown }).model : model;
    if (isAdk('agent', value) && typeof name === 'string' && typeof modelName === 'string') names[name] = modelName;
  }
  return names;
}

/** Fields through which agents, workflows and tools hold others. */
const links = ['agent', 'subAgents', 'agents', 'tools', 'tool', 'graph', 'nodes', 'node'] as const;

/** Every object of a tree of agents, workflows and tools, each once, `AgentTool`s and workflow nodes included. */
export function walkTree(root: object): ReadonlySet<object> {
  const seen = new Set<object>();
  // An agent has a `rootAgent` as well, which leads out of the tree that is run.
  const open: unknown[] = [isAdk('app', root) ? (root as AdkApp).rootAgent : root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    if (Array.isArray(value)) {
      open.push(...(value as unknown[]));
      continue;
    }
    seen.add(value);
    for (const link of links) if (link in value) open.push((value as Record<string, unknown>)[link]);
  }
  return seen;
}
