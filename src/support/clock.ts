/** Where time comes from; tests hand in one that they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from some start; never goes back. */
  elapsed(): number;
  /** Calls back once after that many milliseconds; keeps the process alive until then. Returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that timers know; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longestDelay));
    return () => clearTimeout(timer);
  },
};

/** Waits, unless the signal is aborted first: then it rejects with the signal's reason. */
export function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      disarm();
      reject(signal.reason as Error);
    };
    const disarm = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
