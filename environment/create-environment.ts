import { attach, passOn } from './attach';
import type { CircusEvent, CircusState } from './circus';
import type { FileSession } from './session';

/** What Jest asks of an environment. Written out here so that these types need no package of Jest's. */
export interface TestEnvironment {
  readonly global: object;
  setup(): Promise<void>;
  teardown(): Promise<void>;
  getVmContext(): object | null;
  exportConditions?(): string[];
  handleTestEvent?(event: unknown, state: unknown): void | Promise<void>;
}

/** A Jest environment class. */
export type TestEnvironmentClass = new (config: never, context: never) => TestEnvironment;

/**
 * Puts jest-adk around another environment, such as one of your own.
 *
 * @example
 * module.exports = createEnvironment(require('jest-environment-jsdom').TestEnvironment);
 */
export function createEnvironment(Base: TestEnvironmentClass): TestEnvironmentClass {
  return class AdkEnvironment extends Base {
    readonly #session: FileSession;

    constructor(config: never, context: never) {
      super(config, context);
      this.#session = attach(this, config, (context as { readonly testPath: string }).testPath);
    }

    /** With our condition, `import … from 'jest-adk'` in a test file finds the entry that is made for it. */
    override exportConditions(): string[] {
      return [...(super.exportConditions?.() ?? []), 'jest-adk'];
    }

    /** Some events are dispatched without waiting: for these nothing may happen later. */
    override handleTestEvent(event: unknown, state: unknown): void | Promise<void> {
      const before = super.handleTestEvent?.(event, state);
      const ours = (): void | Promise<void> => passOn(this.#session, event as CircusEvent, state as CircusState);
      return before === undefined ? ours() : before.then(ours);
    }

    override async teardown(): Promise<void> {
      await this.#session.end();
      await super.teardown();
    }
  };
}
