import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { atCallSite } from './call-site';

/** Milliseconds that a call which was stopped may take to end; something that never ends must not hold up the run. */
const graceMs = 5000;

/** A test that succeeded without what it started. */
const endedEarly = 'the test ended before this call did (is an "await" missing?)';

/** A call under way, or one that has ended. */
interface Entry {
  readonly what: string;
  readonly testName: string | undefined;
  /** Where the test made the call: its stack points into the test file. */
  readonly callSite: Error;
  readonly stop: AbortController;
  settled: boolean;
  /** Somebody waits for the outcome: `await`, `return`, `.then`, `Promise.all`. */
  consumed: boolean;
  done: Promise<void>;
}

/** Makes an error in the test file's realm, so that `instanceof Error` holds there and its stack is mapped to sources. */
export type MakeError = (message: string) => Error;

/**
 * The calls of one test file that a test has to await. It knows which of them nobody waited for, and how long evaluations have run.
 */
export class WatchedCalls {
  readonly #entries = new Set<Entry>();
  #running = 0;
  #busySince = 0;
  #busyMs = 0;
  #idle: (() => void)[] = [];

  constructor(private readonly makeError: MakeError, private readonly now: () => number = () => performance.now()) {}

  /** Calls that have not ended. */
  get running(): number {
    return this.#running;
  }

  /** Milliseconds during which at least one call was under way. */
  busyMs(): number {
    return this.#busyMs + (this.#running > 0 ? this.now() - this.#busySince : 0);
  }

  /** Resolves when no call is under way. */
  idle(): Promise<void> {
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /**
   * Starts a call for a test.
   *
   * The returned promise is one of the outer realm whose `then` notes that somebody waits: `await` in the sandbox always calls it,
   * since the promise is none of its own. `expect` makes a promise of its own from it, so the note is made on that.
   */
  start<T>(what: string, testName: string | undefined, work: (signal: AbortSignal) => Promise<T>, viaExpect: boolean): Promise<T> {
    const stop = new AbortController();
    const entry: Entry = { what, testName, callSite: this.makeError(''), stop, settled: false, consumed: false, done: Promise.resolve() };
    this.#entries.add(entry);
    if (this.#running++ === 0) this.#busySince = this.now();
    const promise = new Promise<T>((resolve, reject) => {
      try {
        // Not awaited here: a thenable of the sandbox is adopted as it is.
        work(stop.signal).then(resolve, (error: unknown) => reject(atCallSite(error, entry.callSite) as Error));
      } catch (error) {
        reject(atCallSite(error, entry.callSite));
      }
    });
    const settle = (): void => {
      entry.settled = true;
      if (--this.#running > 0) return;
      this.#busyMs += this.now() - this.#busySince;
      for (const resolve of this.#idle.splice(0)) resolve();
    };
    entry.done = promise.then(settle, settle);
    return viaExpect ? noteFollowers(promise, entry) : noteWaiting(promise, entry);
  }

  /**
   * Ends what a test left behind, and says what it forgot. Called when the test function has returned, and after its hooks.
   *
   * @param why  what ended the test, for those who are told that their call was aborted
   */
  async collect(testName: string | undefined, why = endedEarly): Promise<Error[]> {
    const mine = [...this.#entries].filter((entry) => entry.testName === testName);
    return this.#end(mine, why);
  }

  /** Ends whatever is left, at the end of the file. */
  async collectAll(): Promise<Error[]> {
    return this.#end([...this.#entries], endedEarly);
  }

  async #end(entries: readonly Entry[], why: string): Promise<Error[]> {
    for (const entry of entries) this.#entries.delete(entry);
    const forgotten = entries.filter((entry) => !entry.settled || !entry.consumed);
    if (forgotten.length === 0) return [];
    for (const entry of forgotten) if (!entry.settled) entry.stop.abort(new Error(why));
    await endedOrLate(forgotten.map((entry) => entry.done));
    // `expect` rejects a promise of its own some microtasks later: Jest must still be listening then, or the process ends.
    await new Promise((resolve) => setImmediate(resolve));
    return forgotten.map((entry) => {
      const message = `${entry.what} was not awaited: the test ended without waiting for its outcome. Write "await" before it, or return its promise.`;
      return atCallSite(this.makeError(message), entry.callSite) as Error;
    });
  }
}

function endedOrLate(calls: readonly Promise<void>[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, graceMs);
    void Promise.all(calls).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Notes on the promise itself that somebody waits for it. A rejection that nobody waits for is told by the note, not by the process. */
function noteWaiting<T>(promise: Promise<T>, entry: Entry): Promise<T> {
  promise.catch(() => undefined);
  return Object.defineProperty(promise, 'then', {
    configurable: true,
    value: (...args: Parameters<Promise<T>['then']>) => {
      entry.consumed = true;
      return Promise.prototype.then.apply(promise, args);
    },
  });
}

/**
 * Notes on the promise that `expect` makes from this one and gives to the test. It calls `then`, and on what that returns at once `catch`
 * (29.7 and 30); if one day it did without the `catch`, the promise in between would be the test's.
 */
function noteFollowers<T>(promise: Promise<T>, entry: Entry): Promise<T> {
  return Object.defineProperty(promise, 'then', {
    configurable: true,
    value: (...args: Parameters<Promise<T>['then']>) => {
      const between = noteWaiting(Promise.prototype.then.apply(promise, args) as Promise<T>, entry);
      let atOnce = true;
      queueMicrotask(() => (atOnce = false));
      const waiting = between.then;
      return Object.defineProperty(between, 'catch', {
        configurable: true,
        value: (handle: (error: unknown) => T) => (atOnce ? noteWaiting(Promise.prototype.then.call(between, undefined, handle) as Promise<T>, entry) : waiting.call(between, undefined, handle)),
      });
    },
  });
}
