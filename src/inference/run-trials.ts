import type { EvalCase } from '../evalset/types';
import { toErrorInfo } from '../support/errors';
import { scheduler } from '../support/scheduler';
import { sharedController } from '../support/signals';
import type { Target } from '../target/types';
import { systemClock } from '../support/clock';
import { Stopped, TrialLimits } from './limits';
import { runTrial } from './trial';
import type { TrialInfo, TrialOptions } from './trial-options';
import type { TrialRecord } from './types';

/** One trial that is to be run. */
export interface TrialJob {
  readonly evalCase: EvalCase;
  readonly info: TrialInfo;
}

/** Options of all trials of an evaluation. */
export interface RunTrialsOptions extends TrialOptions {
  /** Trials that may be under way at once. */
  readonly concurrency: number;
  /** Hooks share something that only one trial of the process may use at a time. */
  readonly exclusive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when a trial gets its slot. */
  readonly onTrialStart?: ((job: TrialJob) => void) | undefined;
}

/**
 * Runs trials on the process's pool, started in the order given, and closes the target once after the last. A trial that fails
 * stops no other. What the callbacks throw is passed on after all trials have ended.
 *
 * @param target   what is evaluated
 * @param jobs     the trials; taken one by one, so that what waits costs nothing
 * @param options  see there
 * @param onTrial  called with each record as its trial ends; records are not kept here
 * @returns warnings: what went wrong while closing the target
 */
export async function runTrials(
  target: Target,
  jobs: Iterable<TrialJob>,
  options: RunTrialsOptions,
  onTrial: (record: TrialRecord, job: TrialJob) => void | Promise<void>,
): Promise<readonly string[]> {
  const limit = options.exclusive === true ? 1 : options.concurrency;
  const lane = scheduler.lane(options.exclusive === true ? 'target:exclusive' : 'target', limit);
  const { signal, release } = ownSignal(options.signal);
  const waiting = jobs[Symbol.iterator]();
  const failures: unknown[] = [];
  /** Takes one job after the other: what waits costs nothing. */
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const job = next.value;
      try {
        const record = await lane.run(async () => {
          options.onTrialStart?.(job);
          return runTrial(target, job.evalCase, job.info, options, signal);
        });
        await onTrial(record, job);
      } catch (thrown) {
        failures.push(thrown);
      }
    }
  };
  let warnings: readonly string[] = [];
  try {
    await Promise.all(Array.from({ length: limit }, worker));
  } finally {
    lane.close();
    release();
    warnings = await closeTarget(target, options);
  }
  if (failures.length > 0) throw failures[0];
  return warnings;
}

/** All trials listen to one signal of ours, so that the caller's has one listener however many there are. */
function ownSignal(outer: AbortSignal | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = sharedController();
  const abort = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, release: () => outer?.removeEventListener('abort', abort) };
}

async function closeTarget(target: Target, options: RunTrialsOptions): Promise<readonly string[]> {
  const limits = new TrialLimits(options.clock ?? systemClock, options.unlimited === true ? {} : { turnTimeoutMs: options.turnTimeoutMs }, new AbortController().signal);
  const limit = limits.start('closing the agent');
  const closing = (async () => (await target.close(limits.signal)) ?? [])();
  try {
    return await limit.race(closing);
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) return [`closing the agent failed: ${toErrorInfo(thrown).message}`];
    // A target that listens to the signal says what it could not do; one that does not is left behind.
    const said = await Promise.race([closing.catch(() => []), new Promise<readonly string[]>((resolve) => setImmediate(() => setImmediate(resolve, [])))]);
    return [thrown.message, ...said];
  } finally {
    limit.end();
    limits.close();
  }
}
