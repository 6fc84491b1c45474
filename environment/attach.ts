import { placeBridge } from './bridge';
import type { CircusEvent, CircusState } from './circus';
import { FileSession, type JestConfig, type SandboxGlobal } from './session';

/** A Jest environment, as far as it is touched. */
export interface AnyEnvironment {
  readonly global: object;
  handleTestEvent?: (event: never, state: never) => void | Promise<void>;
}

const sessions = new WeakMap<object, FileSession>();

/** Attaches jest-adk to an environment: the bridge and the global `AgentEvaluator`, both without cost until they are used. */
export function attach(environment: AnyEnvironment, config: JestConfig, testPath: string): FileSession {
  const global = environment.global as SandboxGlobal;
  const session = new FileSession(global, config, testPath);
  placeBridge(global, session);
  Object.defineProperty(global, 'AgentEvaluator', {
    configurable: true,
    get: () => session.agentEvaluator,
    set: (value: unknown) => void Object.defineProperty(global, 'AgentEvaluator', { value, configurable: true, writable: true }),
  });
  sessions.set(environment, session);
  return session;
}

/** The session that is attached to an environment. */
export function sessionOf(environment: object): FileSession | undefined {
  return sessions.get(environment);
}

/** Passes an event on. What goes wrong here must not take the whole file with it: it becomes an error of the test, or of the file. */
export function passOn(session: FileSession, event: CircusEvent, state: CircusState): void | Promise<void> {
  const report = (error: unknown): void => void (event.test?.errors ?? state.unhandledErrors).push(error);
  try {
    return session.handle(event, state)?.catch(report);
  } catch (error) {
    report(error);
  }
}
