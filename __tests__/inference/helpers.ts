import type { Content, EvalCase } from '../../src/evalset/types';
import type { Clock } from '../../src/support/clock';

/** A user's text. */
export const user = (text: string): Content => ({ role: 'user', parts: [{ text }] });

/** A case with one turn per text. */
export function evalCase(evalId: string, texts: readonly string[], more: Partial<EvalCase> = {}): EvalCase {
  return {
    evalId,
    conversation: texts.map((text) => ({ invocationId: '', userContent: user(text), creationTimestamp: 0 })),
    creationTimestamp: 0,
    ...more,
  };
}

/** Time that moves only when the test says so. */
export function manualClock(): Clock & { advance(milliseconds: number): void; readonly timers: number } {
  let now = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => 1_700_000_000_000 + now,
    elapsed: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
    get timers() {
      return timers.size;
    },
  };
}

/** Lets everything run that waits for nothing but promises. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A promise and its handle. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
