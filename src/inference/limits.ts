import { setMaxListeners } from 'node:events';
import type { ErrorInfo } from '../support/errors';
import type { Clock } from './clock';
import type { EndReason } from './types';

/** Why something was given up on. */
export interface Stop {
  readonly reason: Extract<EndReason, 'turn_limit' | 'case_limit' | 'aborted'>;
  readonly error: ErrorInfo;
}

/** Time limits of a trial in milliseconds; undefined means none. */
export interface LimitOptions {
  readonly turnTimeoutMs?: number | undefined;
  readonly caseTimeoutMs?: number | undefined;
}

/**
 * The limits of one trial. Every wait is raced against them with a timer of our own, and then abandoned: models and tools may
 * ignore the signal they are given, and `AbortSignal.timeout()` does not keep the process alive.
 */
export class TrialLimits {
  private readonly cancelCase: () => void;
  private caseOver = false;
  private readonly watchers = new Set<(stop: Stop) => void>();
  private readonly onAbort = (): void => this.stopAll(aborted);

  constructor(
    private readonly clock: Clock,
    private readonly options: LimitOptions,
    private readonly signal: AbortSignal,
  ) {
    const { caseTimeoutMs } = options;
    this.cancelCase = caseTimeoutMs === undefined ? () => undefined : clock.after(caseTimeoutMs, () => this.endCase(caseTimeoutMs));
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Starts the limits of one step, such as a turn; `end` it in any case. */
  start(label: string): Step {
    let controller: AbortController | undefined;
    let stopped: Stop | undefined;
    let announce: (stop: Stop) => void = () => undefined;
    const stop = new Promise<Stop>((resolve) => (announce = resolve));
    const watcher = (why: Stop): void => {
      if (stopped !== undefined) return;
      stopped = { reason: why.reason, error: { code: why.error.code, message: why.reason === 'aborted' ? why.error.message : `timed out in ${label}: ${why.error.message}` } };
      announce(stopped);
      controller?.abort(new Error(stopped.error.message));
    };
    this.watchers.add(watcher);
    const { turnTimeoutMs, caseTimeoutMs } = this.options;
    const cancelTurn = turnTimeoutMs === undefined ? () => undefined : this.clock.after(turnTimeoutMs, () => watcher(limitStop('turn_limit', 'turn', turnTimeoutMs, 'turnTimeoutMs')));
    if (this.signal.aborted) watcher(aborted);
    else if (this.caseOver) watcher(limitStop('case_limit', 'case', caseTimeoutMs ?? 0, 'caseTimeoutMs'));
    return {
      /** Made when it is asked for: most steps do without. */
      get signal() {
        if (controller !== undefined) return controller.signal;
        controller = new AbortController();
        // Each model call and tool of a turn may listen.
        setMaxListeners(0, controller.signal);
        if (stopped !== undefined) controller.abort(new Error(stopped.error.message));
        return controller.signal;
      },
      check() {
        if (stopped !== undefined) throw new Stopped(stopped);
      },
      race: (work) => Promise.race([stop.then((why) => Promise.reject(new Stopped(why))), work]),
      end: () => {
        cancelTurn();
        this.watchers.delete(watcher);
      },
    };
  }

  /** Calls all timers off. */
  close(): void {
    this.cancelCase();
    this.signal.removeEventListener('abort', this.onAbort);
  }

  private endCase(milliseconds: number): void {
    this.caseOver = true;
    this.stopAll(limitStop('case_limit', 'case', milliseconds, 'caseTimeoutMs'));
  }

  private stopAll(stop: Stop): void {
    for (const watcher of this.watchers) watcher(stop);
  }
}

/** One step under limits. */
export interface Step {
  /** Aborted when the step is given up on. */
  readonly signal: AbortSignal;
  /** Throws `Stopped` when it is too late to start. */
  check(): void;
  /** Waits for `work` or a limit, whichever is first; work that was given up on is left to itself. Rejects with `Stopped` at a limit. */
  race<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

/** Thrown by `Step.race` when a limit came first. */
export class Stopped extends Error {
  constructor(readonly why: Stop) {
    super(why.error.message);
  }
}

const aborted: Stop = { reason: 'aborted', error: { code: 'aborted', message: 'The evaluation was aborted.' } };

function limitStop(reason: 'turn_limit' | 'case_limit', what: string, milliseconds: number, option: string): Stop {
  return { reason, error: { code: reason, message: `no end within ${duration(milliseconds)}, the ${what} limit (${option}).` } };
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}
