import { systemClock, type Clock } from '../inference/clock';
import { refusal } from '../support/errors';

/** A signal for one metric. */
export interface MetricLimit {
  /** Aborted with the evaluation, or with a `metric_timeout` when the metric has had its time. */
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
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(evaluation.reason);
  const disarm = clock.after(limitMs, () => stop.abort(refusal('metric_timeout', `${name} gave no result within ${limitMs} ms (turnTimeoutMs).`)));
  if (evaluation.aborted) onAbort();
  else evaluation.addEventListener('abort', onAbort, { once: true });
  return {
    signal: stop.signal,
    end() {
      disarm();
      evaluation.removeEventListener('abort', onAbort);
    },
  };
}
