import type { AdkProvider } from './adk-copy';
import { isRunnable } from './adk-shapes';
import { type AdkTargetOptions, adkTarget } from './adk-target';
import { type AgentFunction, authorName, defaultAppName, functionSession, functionTarget, newSessionId } from './function-target';
import type { OpenSession, Target, TargetSession } from './types';

const mark = Symbol.for('jest-adk.functionKind');

/** Says that a function makes agents: it is called once for each trial. */
export function factory<T extends () => unknown>(make: T): T {
  return marked(make, 'factory');
}

/** Says that a function is itself under evaluation, whatever it returns. */
export function agentFunction<T extends AgentFunction>(fn: T): T {
  return marked(fn, 'function');
}

/** What a function was said to be. */
export function markedTarget(fn: object): 'factory' | 'function' | undefined {
  const kind = (fn as { [mark]?: unknown })[mark];
  return kind === 'factory' || kind === 'function' ? kind : undefined;
}

function marked<T extends (...args: never[]) => unknown>(fn: T, kind: 'factory' | 'function'): T {
  // A function of its own, so that the user's stays as it is.
  const copy = (...args: never[]): unknown => fn(...args);
  return Object.defineProperties(copy, { [mark]: { value: kind }, name: { value: fn.name }, length: { value: fn.length } }) as unknown as T;
}

/** What a call gave, kept for whoever needs it first: no call is made twice. */
type Outcome = { readonly value: unknown } | { readonly thrown: unknown };

/**
 * A function without parameters either makes agents or is itself under evaluation. What it returns decides: an agent, an `App` or a
 * `Runner` means a factory. It is called once here; that outcome then serves the first trial (as its agent, or as its first answer),
 * so the function is called as often as if its kind had been known.
 */
export async function functionOrFactory(fn: () => unknown, provider: AdkProvider, options: AdkTargetOptions | undefined): Promise<Target> {
  const first = outcomeOf(fn);
  const early = await withinReason(first);
  if (early === undefined) return undecided(fn, first, provider, options);
  return isAgent(early) ? factoryTarget(fn, early.value, provider, options) : functionWithFirst(fn, early);
}

/** A factory whose first agent is there. */
function factoryTarget(fn: () => unknown, firstAgent: object, provider: AdkProvider, options: AdkTargetOptions | undefined): Target {
  let unused: object | undefined = firstAgent;
  const next = async (): Promise<object> => {
    const agent = unused ?? (await fn());
    unused = undefined;
    return agent as object;
  };
  return adkTarget({ first: firstAgent, next }, provider, options);
}

/** A function under evaluation whose first answer is there already. */
function functionWithFirst(fn: () => unknown, first: Outcome): Target {
  return functionTarget(answerWithFirst(fn, first));
}

/** The function, with the outcome of its first call given out at that call. */
function answerWithFirst(fn: () => unknown, first: Outcome): AgentFunction {
  let unused: Outcome | undefined = first;
  const answer: AgentFunction = (turn, session) => {
    if (unused === undefined) return (fn as AgentFunction)(turn, session);
    const outcome = unused;
    unused = undefined;
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.value;
  };
  return Object.defineProperty(answer, 'name', { value: fn.name });
}

/**
 * The first call takes its time, and must not hold up the plan: each trial waits for a call of its own as part of its first turn, so
 * that time limits apply, and takes what it gives for an agent or for an answer.
 */
function undecided(fn: () => unknown, first: Promise<Outcome>, provider: AdkProvider, options: AdkTargetOptions | undefined): Target {
  let unused: Promise<Outcome> | undefined = first;
  const agents: object[] = [];
  const made = adkTarget({ next: () => agents.pop() ?? Promise.reject(new Error('no agent')) }, provider, options);
  const call = (): Promise<Outcome> => {
    const outcome = unused ?? outcomeOf(fn);
    unused = undefined;
    return outcome;
  };
  const decide = async (input: OpenSession, signal: AbortSignal): Promise<TargetSession> => {
    const outcome = await call();
    if (!isAgent(outcome)) return functionSession(answerWithFirst(fn, outcome), authorName(fn), input);
    agents.push(outcome.value);
    return made.openSession(input, signal);
  };
  return {
    kind: 'function',
    get appName() {
      return made.appName;
    },
    capabilities: { appDetails: false, state: true, plugins: false, cancel: true },
    openSession: (input) => Promise.resolve(lateSession(decide, input)),
    close: () => made.close(),
  };
}

/** A session that learns with its first turn what it is a session of. */
function lateSession(decide: (input: OpenSession, signal: AbortSignal) => Promise<TargetSession>, input: OpenSession): TargetSession {
  const named = { ...input, sessionId: input.sessionId ?? newSessionId() };
  let session: TargetSession | undefined;
  return {
    get ids() {
      return session?.ids ?? { appName: input.appName ?? defaultAppName, userId: named.userId, sessionId: named.sessionId };
    },
    async *send(content, signal) {
      session ??= await decide(named, signal);
      yield* session.send(content, signal);
    },
    observations: () => session?.observations?.(),
    state: () => session?.state?.() ?? Promise.resolve({ ...input.state }),
    artifacts: () => session?.artifacts?.() ?? Promise.resolve([]),
    close: async () => session?.close(),
  };
}

function outcomeOf(fn: () => unknown): Promise<Outcome> {
  return (async (): Promise<Outcome> => {
    try {
      return { value: await fn() };
    } catch (thrown) {
      return { thrown };
    }
  })();
}

function isAgent(outcome: Outcome): outcome is { readonly value: object } {
  return 'value' in outcome && isRunnable(outcome.value);
}

/** Milliseconds that planning waits for a factory, so that the name of its `App` is known. */
const patienceMs = 100;

function withinReason(first: Promise<Outcome>): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs, undefined);
    void first.then((outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
}
