import { abortReason } from '../support/abort-reason';
import type { ErrorInfo } from '../support/errors';
import type { Clock } from '../support/clock';
import { sharedController } from '../support/signals';
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
  private current: RunningStep | undefined;
  private controller: AbortController | undefined;
  private readonly onAbort = (): void => this.current?.stop(abortedBy(this.outer));

  constructor(
    private readonly clock: Clock,
    private readonly options: LimitOptions,
    private readonly outer: AbortSignal,
  ) {
    const { caseTimeoutMs } = options;
    this.cancelCase = caseTimeoutMs === undefined ? nothing : clock.after(caseTimeoutMs, () => this.endCase(caseTimeoutMs));
    outer.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Aborted when a step is given up on, which ends the trial. Made when it is asked for. */
  get signal(): AbortSignal {
    return (this.controller ??= sharedController()).signal;
  }

  /** Starts one step, such as a turn; they follow each other. `end` it in any case. */
  start(label: string): Step {
    const { turnTimeoutMs, caseTimeoutMs } = this.options;
    const step = new RunningStep(label, (stop) => this.controller?.abort(new Error(stop.error.message)));
    this.current = step;
    if (turnTimeoutMs !== undefined) step.cancel = this.clock.after(turnTimeoutMs, () => step.stop(limitStop('turn_limit', 'turn', turnTimeoutMs, 'turnTimeoutMs; --timeout on the command line')));
    if (this.outer.aborted) step.stop(abortedBy(this.outer));
    else if (this.caseOver) step.stop(limitStop('case_limit', 'case', caseTimeoutMs ?? 0, 'caseTimeoutMs'));
    return step;
  }

  /** Calls all timers off. */
  close(): void {
    this.cancelCase();
    this.outer.removeEventListener('abort', this.onAbort);
  }

  private endCase(milliseconds: number): void {
    this.caseOver = true;
    this.current?.stop(limitStop('case_limit', 'case', milliseconds, 'caseTimeoutMs'));
  }
}

class RunningStep implements Step {
  cancel = nothing;
  private stopped: Stop | undefined;
  private giveUp: ((reason: Stopped) => void) | undefined;

  constructor(
    private readonly label: string,
    private readonly onStop: (stop: Stop) => void,
  ) {}

  stop({ reason, error }: Stop): void {
    if (this.stopped !== undefined) return;
    this.stopped = { reason, error: { code: error.code, message: reason === 'aborted' ? error.message : `timed out in ${this.label}: ${error.message}` } };
    this.giveUp?.(new Stopped(this.stopped));
    this.onStop(this.stopped);
  }

  check(): void {
    if (this.stopped !== undefined) throw new Stopped(this.stopped);
  }

  race<T>(work: Promise<T>): Promise<T> {
    // Not Promise.race, which this is for one work at a time: it runs for every event.
    return new Promise<T>((resolve, reject) => {
      this.giveUp = reject;
      work.then(resolve, reject);
      if (this.stopped !== undefined) reject(new Stopped(this.stopped));
    });
  }

  end(): void {
    this.cancel();
    this.stopped ??= { reason: 'aborted', error: { code: 'ended', message: 'The step has ended.' } };
  }
}

const nothing = (): void => undefined;

/** One step under limits. */
export interface Step {
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

function abortedBy({ reason }: AbortSignal): Stop {
  return { reason: 'aborted', error: { code: 'aborted', message: `The evaluation was aborted${abortReason(reason)}.` } };
}

function limitStop(reason: 'turn_limit' | 'case_limit', what: string, milliseconds: number, option: string): Stop {
  return { reason, error: { code: reason, message: `no end within ${duration(milliseconds)}, the ${what} limit (${option}).` } };
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}
