import { randomUUID } from 'node:crypto';
import type { Content, JsonValue } from '../evalset/types';
import type { AdkProvider } from './adk-copy';
import { fromAdkEvent, watchingService } from './adk-events';
import { type DetailsCache, type Recorder, createRecorder } from './adk-recorder';
import { type AdkApp, type AdkModule, type AdkRunner, type AdkServices, type ArtifactService, type SessionKey, type SessionService, isAdk, modelNames } from './adk-shapes';
import { holdClose, releaseClose, toolsetsOf } from './adk-toolsets';
import { defaultAppName, newSessionId } from './function-target';
import { toPlain } from './plain';
import type { AgentEvent, OpenSession, Target, TargetSession } from './types';

/** How agents of the SDK are run. */
export interface AdkTargetOptions {
  /** Run after the app's own plugins. */
  readonly extraPlugins?: readonly unknown[] | undefined;
  /** Used by all trials; what is not given is in memory and each trial's own. */
  readonly services?: { readonly [K in keyof AdkServices]?: unknown } | undefined;
  /** Passed to `runner.runAsync`, e.g. `{ maxLlmCalls: 5 }`. */
  readonly runConfig?: object | undefined;
}

/** Where the agents of the trials come from: the same one each time, or a new one for each trial. */
export interface AgentSource {
  /** An agent, `App` or `Runner`. */
  next(): object | Promise<object>;
  /** The first of them, when it is known already: it names the app. */
  readonly first?: object | undefined;
}

/** `App.name`, the app name of a `Runner`, or the agent's name: names the results. */
export function appNameOf(root: object): string | undefined {
  const { name, appName, agent } = root as { name?: string; appName?: string; agent?: { name?: string } };
  return isAdk('runner', root) ? (appName ?? agent?.name) : name;
}

/**
 * Evaluates agents of `@google/adk` through the SDK's own `Runner`, with the app's plugins. Each trial has a session of its own.
 * The toolsets of the agents stay open until the target is closed.
 */
export function adkTarget(source: AgentSource, provider: AdkProvider, options: AdkTargetOptions = {}): Target {
  const cache: DetailsCache = new Map();
  const kept = new Set<object>();
  let firstRoot: object | undefined;
  let appName = source.first === undefined ? undefined : appNameOf(source.first);
  const keep = (toolset: object): void => {
    if (kept.has(toolset)) return;
    kept.add(toolset);
    holdClose(toolset);
  };
  /** Toolsets that only this trial's agent has are closed with its session: a factory may make one for each. */
  const holdToolsets = (root: object): readonly object[] => {
    firstRoot ??= root;
    appName ??= appNameOf(root);
    const toolsets = toolsetsOf(root);
    if (root === firstRoot) toolsets.forEach(keep);
    const own = toolsets.filter((toolset) => !kept.has(toolset));
    own.forEach(holdClose);
    return own;
  };
  return {
    kind: 'agent',
    get appName() {
      return appName;
    },
    capabilities: { appDetails: true, state: true, plugins: true, cancel: true },
    async openSession(input) {
      const root = await source.next();
      const own = holdToolsets(root);
      try {
        const adk = await provider(root);
        return await openAdkSession({ adk, root, input, options, cache, onClose: () => releaseAll(own) });
      } catch (thrown) {
        await releaseAll(own);
        throw thrown;
      }
    },
    async close() {
      const toolsets = [...kept];
      kept.clear();
      firstRoot = undefined;
      await releaseAll(toolsets);
    },
  };
}

async function releaseAll(toolsets: readonly object[]): Promise<void> {
  const outcomes = await Promise.allSettled(toolsets.map(releaseClose));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

interface Opening {
  readonly adk: AdkModule;
  readonly root: object;
  readonly input: OpenSession;
  readonly options: AdkTargetOptions;
  readonly cache: DetailsCache;
  readonly onClose: () => Promise<void>;
}

async function openAdkSession(opening: Opening): Promise<TargetSession> {
  const { adk, input, options, cache } = opening;
  const recorder = createRecorder(adk, cache);
  const nested: AgentEvent[] = [];
  const models = modelNames(opening.root);
  const appName = input.appName ?? runnerName(opening.root) ?? defaultAppName;
  const runner = buildRunner(opening, appName, recorder, (service) =>
    watchingService(service, () => appName, (event, tool) => {
      if (event.author !== 'user') nested.push(fromAdkEvent(event, tool));
    }),
  );
  const key: SessionKey = { appName, userId: input.userId, sessionId: input.sessionId ?? newSessionId() };
  await prepareSession(adk, serviceOf(runner), key, input);
  return {
    ids: key,
    send: (content, signal) => sendTurn({ runner, key, recorder, nested, runConfig: options.runConfig }, content, signal),
    observations() {
      const seen = recorder.observations();
      return { ...seen, models: { ...models, ...seen.models } };
    },
    async state() {
      const session = await serviceOf(runner).getSession(key);
      return (toPlain(session?.state ?? {}) ?? {}) as Record<string, JsonValue>;
    },
    artifacts: async () => (await runner.artifactService?.listArtifactKeys(key)) ?? [],
    close: opening.onClose,
  };
}

/** The name that an `App` or a `Runner` runs under in production. */
function runnerName(root: object): string | undefined {
  if (isAdk('app', root)) return (root as AdkApp).name;
  return isAdk('runner', root) ? (root as AdkRunner).appName : undefined;
}

function serviceOf(runner: AdkRunner): SessionService {
  if (runner.sessionService === undefined) throw new Error('The runner has no session service.');
  return runner.sessionService;
}

/** A runner of our own over the user's agent. The recorder is its first plugin: a plugin that answers hides the call from those after it. */
function buildRunner(opening: Opening, appName: string, recorder: Recorder, watch: (service: SessionService) => SessionService): AdkRunner {
  const { adk, root, options } = opening;
  const services = (options.services ?? {}) as AdkServices;
  const extra = options.extraPlugins ?? [];
  if (isAdk('runner', root)) return deriveRunner(root as AdkRunner, appName, { services, plugins: [recorder.plugin], extra, watch });
  const plugins = isAdk('app', root) ? [recorder.plugin, ...((root as AdkApp).plugins ?? []), ...extra] : [recorder.plugin, ...extra];
  const app = isAdk('app', root) ? (Object.create(root, { plugins: { value: plugins }, name: { value: appName } }) as AdkApp) : undefined;
  return new adk.Runner({
    ...(app === undefined ? { agent: root, appName, plugins } : { app }),
    sessionService: watch(services.sessionService ?? new adk.InMemorySessionService()),
    artifactService: services.artifactService ?? new adk.InMemoryArtifactService(),
    memoryService: services.memoryService ?? new adk.InMemoryMemoryService(),
    ...(services.credentialService === undefined ? {} : { credentialService: services.credentialService }),
  });
}

interface Derivation {
  readonly services: AdkServices;
  readonly plugins: readonly unknown[];
  readonly extra: readonly unknown[];
  readonly watch: (service: SessionService) => SessionService;
}

/** The user's runner with its own services and overridden methods, and with our plugins; the runner itself stays as it is. */
function deriveRunner(runner: AdkRunner, appName: string, { services, plugins, extra, watch }: Derivation): AdkRunner {
  const PluginManager = runner.pluginManager.constructor as new (plugins: readonly unknown[]) => unknown;
  const sessionService = services.sessionService ?? runner.sessionService;
  const artifactService: ArtifactService | undefined = services.artifactService ?? runner.artifactService;
  const changes = {
    appName,
    pluginManager: new PluginManager([...plugins, ...runner.pluginManager.plugins, ...extra]),
    sessionService: sessionService === undefined ? undefined : watch(sessionService),
    artifactService,
    memoryService: services.memoryService ?? runner.memoryService,
    credentialService: services.credentialService ?? runner.credentialService,
  };
  return Object.create(runner, Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { value, writable: true }]))) as AdkRunner;
}

/**
 * Finds the pinned session, or makes one with the state of the case. State of the user and of the app is written by an event, which
 * shares it with later sessions as in Python; in the initial state the SDK would keep it in this session.
 */
async function prepareSession(adk: AdkModule, service: SessionService, key: SessionKey, input: OpenSession): Promise<void> {
  if (input.sessionId !== undefined && (await service.getSession(key)) !== undefined) return;
  const state = structuredClone(input.state) as Record<string, unknown>;
  const isShared = ([name]: [string, unknown]): boolean => name.startsWith('user:') || name.startsWith('app:');
  const shared = Object.entries(state).filter(isShared);
  const session = await service.createSession({ ...key, state: Object.fromEntries(Object.entries(state).filter((entry) => !isShared(entry))) });
  if (shared.length === 0) return;
  const event = adk.createEvent({ author: 'user', invocationId: `e-${randomUUID()}`, actions: { stateDelta: Object.fromEntries(shared) } });
  await service.appendEvent({ session, event });
}

interface Sending {
  readonly runner: AdkRunner;
  readonly key: SessionKey;
  readonly recorder: Recorder;
  readonly nested: AgentEvent[];
  readonly runConfig: object | undefined;
}

/** One turn. Events from inside `AgentTool`s come before the event that follows them. */
async function* sendTurn({ runner, key, recorder, nested, runConfig }: Sending, content: Content, signal: AbortSignal): AsyncIterable<AgentEvent> {
  recorder.startTurn();
  nested.length = 0;
  // A copy: the SDK writes the role into it and stores it.
  const newMessage = structuredClone(content);
  for await (const event of runner.runAsync({ userId: key.userId, sessionId: key.sessionId, newMessage, ...(runConfig === undefined ? {} : { runConfig }), abortSignal: signal })) {
    yield* nested.splice(0);
    yield fromAdkEvent(event);
  }
  yield* nested.splice(0);
}
