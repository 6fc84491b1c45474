import { systemClock, type Clock } from '../src/support/clock';
import type { CircusCallable, CircusState } from './circus';
import type { WatchedCalls } from './watched-calls';

/** Longest time that a Node timer can wait, in milliseconds. */
const longest = 2 ** 31 - 1;

/**
 * Jest's limits for tests that evaluate. Where the user set none, Jest's default holds for everything that is not an evaluation: while
 * one is under way, the clock of the test that waits for it stands still (an evaluation has limits of its own).
 */
export class TimeLimits {
  readonly #stretched = new WeakSet<object>();

  /**
   * @param userSet  the config sets `testTimeout`
   * @param unlimited  a debugger is attached: nothing is limited
   */
  constructor(
    private readonly calls: WatchedCalls,
    private readonly userSet: boolean,
    private readonly unlimited: boolean,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Called before a test or hook runs. `fileLimit` is true when the file called `jest.setTimeout`. */
  prepare(callable: CircusCallable, state: CircusState, fileLimit: boolean): void {
    const { fn } = callable;
    if (this.unlimited) {
      callable.timeout = longest;
      return;
    }
    if (fn === undefined || this.#stretched.has(fn) || callable.timeout !== undefined || this.userSet || fileLimit) return;
    // A function that takes `done`, or a generator, is driven by Jest itself and keeps Jest's limit.
    if (fn.length > 0 || /Generator/.test(Object.prototype.toString.call(fn))) return;
    const limitMs = state.testTimeout;
    const { calls, clock } = this;
    const wrapped = function (this: unknown): unknown {
      const returned = (fn).call(this);
      return isThenable(returned) ? stopAfter(returned, limitMs, calls, clock) : returned;
    };
    this.#stretched.add(wrapped);
    callable.fn = wrapped;
    callable.timeout = longest;
  }

  /** What to add to Jest's own message when its limit ended a test in the middle of an evaluation. */
  explain(error: unknown): string | undefined {
    const text = typeof error === 'string' ? error : (error as { message?: unknown } | null)?.message;
    if (typeof text !== 'string' || !/Exceeded timeout of/i.test(text) || this.calls.running === 0) return undefined;
    return (
      'An evaluation was still running, and it was stopped. Raise the limit that is set for this test: the number after the test function, ' +
      '`jest.setTimeout(ms)` in the file, or `testTimeout` in Jest\'s config. Where none is set, jest-adk lets evaluations take the time they need.'
    );
  }
}

/** True when a debugger is attached or waited for: limits would only get in the way. */
export function isDebugging(): boolean {
  const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (flags.some((flag) => /--inspect(-brk|-wait)?\b/.test(flag))) return true;
  return (require('node:inspector') as typeof import('node:inspector')).url() !== undefined;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function stopAfter(work: PromiseLike<unknown>, limitMs: number, calls: WatchedCalls, clock: Clock): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const started = clock.elapsed();
    const busyBefore = calls.busyMs();
    let disarm = (): void => undefined;
    let ended = false;
    const arm = (ms: number): void => void (disarm = clock.after(Math.max(1, ms), check));
    const check = (): void => {
      const used = clock.elapsed() - started - (calls.busyMs() - busyBefore);
      if (calls.running > 0) void calls.idle().then(() => ended || arm(limitMs - used));
      else if (used < limitMs) arm(limitMs - used);
      else {
        // A string, like Jest's own: it is then shown at the place of the test.
        reject(`Exceeded timeout of ${limitMs} ms, time spent in evaluations not counted. Give this test a longer one as its last argument.`);
      }
    };
    const end = (): void => {
      ended = true;
      disarm();
    };
    work.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
    arm(limitMs);
  });
}
