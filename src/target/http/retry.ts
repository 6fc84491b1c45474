/** Asking again, where that does no harm. */
import { RequestFailure } from './failure';

/** How often, and how long. */
export interface RetryOptions {
  /** Attempts after the first. */
  readonly retries: number;
  /** Milliseconds for all attempts and the pauses between them. */
  readonly timeoutMs: number;
  /** No attempt is started once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds before the second attempt; doubled for each one after it. */
const firstPauseMs = 250;

/**
 * Asks again after 429, 503 and refused connections: what was asked for was not done. A Retry-After is honoured when the time is enough.
 *
 * @param attempt  asks once, within that many milliseconds
 */
export async function withRetries<T>(attempt: (timeoutMs: number) => Promise<T>, { retries, timeoutMs, signal }: RetryOptions): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let count = 0; ; count += 1) {
    try {
      return await attempt(Math.max(1, deadline - performance.now()));
    } catch (thrown) {
      if (count >= retries || !(thrown instanceof RequestFailure) || !isTemporary(thrown) || signal?.aborted === true) throw thrown;
      const pause = retryAfterMs(thrown.retryAfter) ?? firstPauseMs * 2 ** count;
      if (performance.now() + pause >= deadline || !(await paused(pause, signal))) throw thrown;
    }
  }
}

function isTemporary({ status, code }: RequestFailure): boolean {
  return status === 429 || status === 503 || code === 'http_refused';
}

/** Seconds or a date. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const at = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(at) ? undefined : Math.max(0, at);
}

/** Whether the pause came to its end. */
function paused(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (whole: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(whole);
    };
    const onAbort = (): void => end(false);
    const timer = setTimeout(() => end(true), milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
