import { systemClock, type Clock } from '../support/clock';
import { refusal } from '../support/errors';

/** A signal for one metric. */
export interface MetricLimit {
  /** Aborted with the evaluation, or with a `metric_timeout` when the metric has had its time. Made when it is asked for. */
  readonly signal: AbortSignal;
  /** Called when the metric has ended. */
  end(): void;
}

/**
 * Gives a metric as long as an agent has for a turn: code of the user's own, or a judge, may never come back.
 *
 * @param limitMs  none when undefined
 */
export function limitMetric(name: string, evaluation: AbortSignal, limitMs: number | undefined, clock: Clock = systemClock): MetricLimit {
  if (limitMs === undefined) return { signal: evaluation, end: () => undefined };
  const begun = clock.elapsed();
  let listening: { readonly stop: AbortController; readonly end: () => void } | undefined;
  return {
    get signal() {
      listening ??= listen(evaluation, clock, limitMs - (clock.elapsed() - begun), () => refusal('metric_timeout', `${name} gave no result within ${limitMs} ms (turnTimeoutMs; --timeout on the command line).`));
      return listening.stop.signal;
    },
    end: () => listening?.end(),
  };
}

/** Most metrics calculate and never look at the signal; a signal and a timer for each of thousands would cost more than scoring. */
function listen(evaluation: AbortSignal, clock: Clock, leftMs: number, reason: () => Error): { readonly stop: AbortController; readonly end: () => void } {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(evaluation.reason);
  const disarm = clock.after(Math.max(0, leftMs), () => stop.abort(reason()));
  if (evaluation.aborted) onAbort();
  else evaluation.addEventListener('abort', onAbort, { once: true });
  return {
    stop,
    end() {
      disarm();
      evaluation.removeEventListener('abort', onAbort);
    },
  };
}
