import { randomUUID } from 'node:crypto';
import type { Content, JsonValue } from '../evalset/types';
import { refusal } from '../support/errors';
import type { AdkProvider } from './adk-copy';
import { fromAdkEvent, watchingService } from './adk-events';
import { createEnvironmentPlugin, type EnvironmentPlugin } from './adk-environment';
import { type DetailsCache, type Recorder, type SessionRecorder, createRecorder } from './adk-recorder';
import { type AdkApp, type AdkEvent, type AdkModule, type AdkRunner, type AdkServices, type SessionKey, type SessionService, isAdk, isRunnable, modelNames } from './adk-shapes';
import { holdClose, releaseClose, toolsetsOf } from './adk-toolsets';
import { defaultAppName, functionAdvice, newSessionId } from './function-target';
import { toPlain } from './plain';
import { narrowedTo } from './sub-agent';
import type { AgentEvent, OpenSession, Target, TargetSession } from './types';

/** How agents of the SDK are run. */
export interface AdkTargetOptions {
  /** Run after the app's own plugins. */
  readonly extraPlugins?: readonly unknown[] | undefined;
  /** Used by all trials; what is not given is in memory and each trial's own. */
  readonly services?: { readonly [K in keyof AdkServices]?: unknown } | undefined;
  /** Name of the agent in the tree that is evaluated in place of the root. */
  readonly agentName?: string | undefined;
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
function appNameOf(root: object): string | undefined {
  const { name, appName, agent } = root as { name?: string; appName?: string; agent?: { name?: string } };
  return isAdk('runner', root) ? (appName ?? agent?.name) : name;
}

/**
 * Evaluates agents of `@google/adk` through the SDK's own `Runner`, with the app's plugins. Each trial has a session of its own.
 * The toolsets of the agents stay open until the target is closed.
 */
export function adkTarget(given: AgentSource, provider: AdkProvider, options: AdkTargetOptions = {}): Target {
  const source = options.agentName === undefined ? given : narrowedTo(given, options.agentName);
  const cache: DetailsCache = new Map();
  const prepared = new WeakMap<object, Promise<Prepared>>();
  const prepareOnce = (root: object): Promise<Prepared> => {
    let ready = prepared.get(root);
    if (ready === undefined) prepared.set(root, (ready = Promise.resolve(provider(root)).then((adk) => prepare(adk, root, options, cache))));
    return ready;
  };
  /** Agent and services of trials with several sessions. */
  const groups = new WeakMap<object, { readonly root: object; readonly services: TrialServices }>();
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
    capabilities: { appDetails: true, state: true, artifacts: true, plugins: true, cancel: true },
    async openSession(input) {
      const shared = input.group === undefined ? undefined : groups.get(input.group);
      const root: unknown = shared?.root ?? (await source.next());
      if (!isRunnable(root)) throw refusal('no_agent', `The factory gave ${shown(root)}, which is no agent, App or Runner.`, typeof root === 'function' ? functionAdvice : undefined);
      const own = shared === undefined ? holdToolsets(root) : [];
      try {
        const ready = await prepareOnce(root);
        const services = shared?.services ?? servicesOf(ready, options);
        if (input.group !== undefined) groups.set(input.group, { root, services });
        return await openAdkSession({ ...ready, root, input, services, options, onClose: () => releaseAll(own) });
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

function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`;
  return typeof value === 'object' && value !== null ? 'an object' : typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
}

async function releaseAll(toolsets: readonly object[]): Promise<void> {
  const outcomes = await Promise.allSettled(toolsets.map(releaseClose));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

interface Opening extends Prepared {
  readonly root: object;
  readonly input: OpenSession;
  readonly services: TrialServices;
  readonly options: AdkTargetOptions;
  readonly onClose: () => Promise<void>;
}

async function openAdkSession({ adk, base, recorder, environment, models, root, input, services, options, onClose }: Opening): Promise<TargetSession> {
  const appName = input.appName ?? runnerName(root) ?? defaultAppName;
  const key: SessionKey = { appName, userId: input.userId, sessionId: input.sessionId ?? newSessionId() };
  const nested: AgentEvent[] = [];
  const runner = trialRunner(base, key, services, (event, tool) => {
    if (event.author !== 'user') nested.push(fromAdkEvent(event, tool));
  });
  await prepareSession(adk, serviceOf(runner), key, input);
  const record = recorder.watch(key);
  const leave = input.standIn === undefined ? undefined : environment.answerFor(key, input.standIn);
  return {
    ids: key,
    send: (content, signal) => sendTurn({ runner, key, record, nested, runConfig: options.runConfig }, content, signal),
    observations() {
      const seen = record.observations();
      return { ...seen, models: { ...models, ...seen.models } };
    },
    async state() {
      const session = await serviceOf(runner).getSession(key);
      return (toPlain(session?.state ?? {}) ?? {}) as Record<string, JsonValue>;
    },
    artifacts: async () => (await runner.artifactService?.listArtifactKeys(key)) ?? [],
    async addToMemory() {
      const session = await serviceOf(runner).getSession(key);
      if (session !== undefined) await services.memoryService.addSessionToMemory(session);
    },
    close() {
      record.close();
      leave?.();
      return onClose();
    },
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

/** What is made once for each agent tree. */
interface Prepared {
  readonly adk: AdkModule;
  /** Runs the tree with the recorder and the plugins; services come with the trial. */
  readonly base: AdkRunner;
  readonly recorder: Recorder;
  readonly environment: EnvironmentPlugin;
  /** Model names by agent. */
  readonly models: Readonly<Record<string, string>>;
}

/** The user's own runner, untouched, or a new one, with the recorder as first plugin: a plugin that answers hides the call from those after it. */
function prepare(adk: AdkModule, root: object, options: AdkTargetOptions, cache: DetailsCache): Prepared {
  const extra = options.extraPlugins ?? [];
  const made = isAdk('runner', root) ? (root as AdkRunner) : new adk.Runner(isAdk('app', root) ? { app: root } : { agent: root, appName: defaultAppName });
  const recorder = createRecorder(adk, cache);
  const environment = createEnvironmentPlugin(adk);
  // Registered without the plugin manager, which would log each of them.
  const plugins = new Set([recorder.plugin, environment.plugin, ...made.pluginManager.plugins, ...extra]);
  const pluginManager = Object.create(made.pluginManager, { plugins: { value: plugins } }) as object;
  const base = Object.create(made, { pluginManager: { value: pluginManager } }) as AdkRunner;
  return { adk, base, recorder, environment, models: modelNames(isAdk('runner', root) ? made.agent : root) };
}

/** What the sessions of one trial work with. */
interface TrialServices extends Required<Omit<AdkServices, 'credentialService'>> {
  readonly credentialService: object | undefined;
}

/** The services given, else the runner's own, else new ones in memory. */
function servicesOf({ adk, base }: Prepared, options: AdkTargetOptions): TrialServices {
  const given = (options.services ?? {}) as AdkServices;
  return {
    sessionService: given.sessionService ?? base.sessionService ?? new adk.InMemorySessionService(),
    artifactService: given.artifactService ?? base.artifactService ?? new adk.InMemoryArtifactService(),
    memoryService: given.memoryService ?? base.memoryService ?? new adk.InMemoryMemoryService(),
    credentialService: given.credentialService ?? base.credentialService,
  };
}

/** The runner of one session. */
function trialRunner(base: AdkRunner, { appName }: SessionKey, services: TrialServices, onNested: (event: AdkEvent, tool: string) => void): AdkRunner {
  const own = { ...services, appName, sessionService: watchingService(services.sessionService, appName, onNested) };
  return Object.assign(Object.create(base) as AdkRunner, own);
}

/**
 * Finds the pinned session, or makes one with the state of the case. State of the user and of the app is written by an event, which
 * shares it with later sessions as in Python; in the initial state the SDK would keep it in this session.
 */
async function prepareSession(adk: AdkModule, service: SessionService, key: SessionKey, input: OpenSession): Promise<void> {
  if (input.sessionId !== undefined && (await service.getSession(key)) !== undefined) return;
  const state = toPlain(input.state ?? {}) as Record<string, unknown>;
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
  readonly record: SessionRecorder;
  readonly nested: AgentEvent[];
  readonly runConfig: object | undefined;
}

/** One turn. Events from inside `AgentTool`s come before the event that follows them. */
async function* sendTurn({ runner, key, record, nested, runConfig }: Sending, content: Content, signal: AbortSignal): AsyncIterable<AgentEvent> {
  record.startTurn();
  nested.length = 0;
  // A copy: the SDK writes the role into it and stores it.
  const newMessage = toPlain(content) as Content;
  for await (const event of runner.runAsync({ userId: key.userId, sessionId: key.sessionId, newMessage, ...(runConfig === undefined ? {} : { runConfig }), abortSignal: signal })) {
    yield* nested.splice(0);
    yield fromAdkEvent(event);
  }
  yield* nested.splice(0);
}
