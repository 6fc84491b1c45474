/** How many requests may be under way at once to one model, in this process: fewer when it says that it is too much. */
import { scheduler, type Lane } from '../support/scheduler';

/** Requests to one model at once, unless something else is asked for. */
export const defaultModelConcurrency = 10;

/**
 * Requests to one model: at most `limit` under way. A "too many requests" halves the limit and holds new requests back until the time that the
 * model named; as many successes in a row as the limit is high raise it by one, up to where it began. (Additive increase, multiplicative decrease, as TCP has it: RFC 5681.)
 */
export class ModelLimit {
  private readonly lane: Lane;
  private limit: number;
  private successes = 0;
  private held: Promise<void> = Promise.resolve();
  private heldUntil = 0;

  constructor(
    readonly model: string,
    readonly most: number,
  ) {
    this.limit = most;
    this.lane = scheduler.lane(`judge:${model}`, most);
  }

  /** Requests that may be under way at once, as of now. */
  get current(): number {
    return this.limit;
  }

  /** Runs one request when there is room for it. */
  run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.lane.run(
      async () => {
        while (this.heldUntil > Date.now()) await this.held;
        signal.throwIfAborted();
        return request();
      },
      { signal },
    );
  }

  /** A request was answered. */
  succeeded(): void {
    this.successes += 1;
    if (this.limit >= this.most || this.successes < this.limit) return;
    this.change(this.limit + 1);
  }

  /**
   * A request was refused because there are too many.
   *
   * @param waitMs  milliseconds in which no new one is to be sent; 0 when the model did not say
   */
  refused(waitMs: number): void {
    this.change(Math.max(1, Math.floor(this.limit / 2)));
    const until = Date.now() + waitMs;
    if (waitMs <= 0 || until <= this.heldUntil) return;
    this.heldUntil = until;
    this.held = new Promise((resolve) => void setTimeout(resolve, waitMs));
  }

  private change(limit: number): void {
    this.successes = 0;
    this.limit = limit;
    this.lane.setLimit(limit);
  }
}

const limits = new Map<string, ModelLimit>();

/** The limit of a model, the same for everyone in this process; the first who asks says how high it is. */
export function limitOf(model: string, most: number): ModelLimit {
  const known = limits.get(model);
  if (known !== undefined && known.most === most) return known;
  const made = new ModelLimit(model, most);
  limits.set(model, made);
  return made;
}
