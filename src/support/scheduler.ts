import type PQueue from 'p-queue';

/** Calls of one kind from one caller, at most `limit` at once. */
export interface Lane {
  /**
   * Runs a task when the lane and its key have a free slot, in the order of the calls (higher `priority` first).
   * Rejects with the signal's reason when that is aborted before the task was started; a started task has the signal to itself.
   */
  run<T>(task: () => Promise<T>, options?: { readonly signal?: AbortSignal | undefined; readonly priority?: number }): Promise<T>;
  /** How many tasks are running, and how many wait. */
  readonly running: number;
  readonly waiting: number;
  /** Changes how many of the lane's tasks may be running at once. */
  setLimit(limit: number): void;
  /** Gives the lane's share of the key's limit back. Tasks already taken on still run. */
  close(): void;
}

/**
 * How many outgoing calls may be under way at once, in one place for the whole process. Calls have a key (`target`,
 * `judge:<model>`); each caller opens a lane on a key with its own limit. Under one key there are never more calls than the
 * largest limit of its open lanes, and in one lane never more than its own limit. The scheduler knows nothing of what it runs.
 */
export class Scheduler {
  private readonly keys = new Map<string, { readonly queue: PQueue; readonly limits: Map<object, number> }>();

  /**
   * Opens a lane.
   *
   * @throws {RangeError} for a limit that is no whole number of at least 1
   */
  lane(key: string, limit: number): Lane {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`A limit must be a whole number of at least 1, got ${limit}.`);
    const queue = newQueue(limit);
    const lane: Lane = {
      run: (task, options = {}) =>
        this.enqueue(queue, options, () => this.enqueue(this.keyed(key).queue, { ...options, signal: undefined }, task)),
      get running() {
        return queue.pending;
      },
      get waiting() {
        return queue.size;
      },
      setLimit: (next) => {
        queue.concurrency = next;
        const entry = this.keyed(key);
        entry.limits.set(lane, next);
        this.adjust(key, entry);
      },
      close: () => {
        const entry = this.keys.get(key);
        entry?.limits.delete(lane);
        if (entry !== undefined) this.adjust(key, entry);
      },
    };
    const entry = this.keyed(key);
    entry.limits.set(lane, limit);
    this.adjust(key, entry);
    return lane;
  }

  /** Limits by key, as they are now. */
  limits(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.keys].map(([key, entry]) => [key, entry.queue.concurrency]));
  }

  private keyed(key: string): { readonly queue: PQueue; readonly limits: Map<object, number> } {
    let entry = this.keys.get(key);
    if (entry === undefined) {
      entry = { queue: newQueue(1), limits: new Map() };
      this.keys.set(key, entry);
    }
    return entry;
  }

  private adjust(key: string, entry: { readonly queue: PQueue; readonly limits: Map<object, number> }): void {
    if (entry.limits.size > 0) entry.queue.concurrency = Math.max(...entry.limits.values());
    else if (entry.queue.size === 0 && entry.queue.pending === 0) this.keys.delete(key);
  }

  /** p-queue's own handling of a signal also ends tasks that have started; those are left to end by themselves here. */
  private async enqueue<T>(queue: PQueue, options: { readonly signal?: AbortSignal | undefined; readonly priority?: number }, task: () => Promise<T>): Promise<T> {
    const { signal, priority = 0 } = options;
    const outcome = await queue.add(
      () => {
        signal?.throwIfAborted();
        return task();
      },
      { priority },
    );
    return outcome;
  }
}

/** The process's scheduler. One per worker: the core is loaded once there. */
export const scheduler = new Scheduler();

/** The queue library is ESM and only needed once something runs. */
function newQueue(concurrency: number): PQueue {
  const { default: Queue } = require('p-queue') as typeof import('p-queue');
  return new Queue({ concurrency });
}
