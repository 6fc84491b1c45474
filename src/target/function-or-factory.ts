import type { AdkProvider } from './adk-copy';
import { isRunnable } from './adk-shapes';
import { type AdkTargetOptions, adkTarget } from './adk-target';
import { type AgentFunction, authorName, functionSession, newSessionId } from './function-target';
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

/**
 * A function whose parameters cannot be seen (none, or only optional or gathered ones, as in a mock) either makes agents or is itself
 * under evaluation. What it returns decides, trial by trial: its first call comes with the turn and the session, so that an answer is
 * an answer; an agent, an `App` or a `Runner` means that it is a factory, and the turn is sent to what it made. Nothing is called before.
 */
export function functionOrFactory(fn: AgentFunction, provider: AdkProvider, options: AdkTargetOptions | undefined): Target {
  const made: object[] = [];
  const agents = adkTarget({ next: () => made.pop() ?? Promise.reject(new Error('no agent was made')) }, provider, options);
  const openAgent = (agent: object, input: OpenSession, signal: AbortSignal): Promise<TargetSession> => {
    made.push(agent);
    return agents.openSession(input, signal).finally(() => {
      // A later session of a trial goes on with the agent of its first.
      if (made.includes(agent)) made.splice(made.indexOf(agent), 1);
    });
  };
  return {
    kind: 'function',
    get appName() {
      return agents.appName;
    },
    // Details of the agent and artifacts: only if it makes one.
    capabilities: { state: true, plugins: false, cancel: true },
    openSession: (input) => Promise.resolve(undecidedSession(fn, openAgent, { ...input, sessionId: input.sessionId ?? newSessionId() })),
    close: () => agents.close(),
  };
}

/** Leaves a function session when its first call gave an agent instead of an answer. */
class AgentMade extends Error {
  constructor(readonly agent: object) {
    super('an agent was made');
  }
}

/** A session that learns with its first turn what it is a session of. */
function undecidedSession(fn: AgentFunction, openAgent: (agent: object, input: OpenSession, signal: AbortSignal) => Promise<TargetSession>, input: OpenSession): TargetSession {
  let first = true;
  const watched: AgentFunction = async (turn, session) => {
    const answer: unknown = await fn(turn, session);
    if (first && isRunnable(answer)) throw new AgentMade(answer);
    return answer;
  };
  let session = functionSession(watched, authorName(fn), input);
  return {
    get ids() {
      return session.ids;
    },
    async *send(content, signal) {
      try {
        yield* session.send(content, signal);
      } catch (thrown) {
        if (!(thrown instanceof AgentMade)) throw thrown;
        session = await openAgent(thrown.agent, input, signal);
        yield* session.send(content, signal);
      } finally {
        first = false;
      }
    },
    observations: () => session.observations?.(),
    state: () => session.state?.() ?? Promise.resolve({}),
    get artifacts() {
      return session.artifacts as NonNullable<TargetSession['artifacts']>;
    },
    get addToMemory() {
      return session.addToMemory as NonNullable<TargetSession['addToMemory']>;
    },
    close: () => session.close(),
  };
}
