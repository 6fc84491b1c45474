/** Asks one model: within its limit, with a time limit, again when that may help, from the cache where there is one, and counted. */
import { pause, systemClock, type Clock } from '../support/clock';
import { JestAdkError, toErrorInfo } from '../support/errors';
import { BudgetSpent, type CallBudget } from './budget';
import type { AnswerCache } from './cache';
import type { ModelLimit } from './limit';
import { defaultAttempts, emptyReason, failureOf, waitBefore } from './retry';
import { identityOf } from './identity';
import type { Model, ModelAnswer, ModelRequest, ModelRole } from './types';
import type { UsageLedger } from './usage';

/** What all models of an evaluation share, and what tests replace. */
export interface ModelServices {
  readonly ledger: UsageLedger;
  /** Requests that judges may still be sent, tries and second questions among them; undefined: as many as it takes. */
  readonly budget?: CallBudget | undefined;
  readonly cache?: AnswerCache | undefined;
  /** Tries of one request, the first one included; 5 unless given. */
  readonly attempts?: number | undefined;
  /** Milliseconds that one try may take; 120,000 unless given. */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** Milliseconds that one request to a model may take. */
const defaultTimeoutMs = 120_000;

/** A model that did not answer, however often it was asked. Never a verdict on the agent. */
export class ModelError extends JestAdkError {
  constructor(
    code: string,
    message: string,
    /** What it did answer, cut short. */
    readonly excerpt: string | undefined,
    cause?: unknown,
  ) {
    super(code, [{ code, message }], { cause });
  }
}

/** One model as one role of an evaluation asks it. */
export class ModelClient {
  constructor(
    readonly model: Model,
    private readonly role: ModelRole,
    private readonly limit: ModelLimit,
    private readonly services: ModelServices,
  ) {}

  /**
   * Asks, and asks again after failures that may pass.
   *
   * @param empty  an answer without text is worth another try as well; otherwise it is returned
   * @throws {ModelError} `model_failed` for what the model threw, `model_silent` when it gave no text; whatever the signal was aborted with
   */
  async ask(request: ModelRequest, signal: AbortSignal, empty: 'retry' | 'return' = 'retry'): Promise<ModelAnswer> {
    const key = this.model.kind === 'function' ? undefined : this.services.cache?.keyOf(identityOf(this.model), request);
    const kept = key === undefined ? undefined : this.services.cache?.read(key);
    if (kept !== undefined) {
      this.services.ledger.addCached(this.role, this.model.name);
      return kept;
    }
    const answer = await this.askUntilAnswered(request, signal, empty);
    if (key !== undefined && emptyReason(answer) === undefined) this.services.cache?.write(key, answer);
    return answer;
  }

  private async askUntilAnswered(request: ModelRequest, signal: AbortSignal, empty: 'retry' | 'return'): Promise<ModelAnswer> {
    const { attempts = defaultAttempts, random = Math.random } = this.services;
    for (let attempt = 1; ; attempt += 1) {
      let waitMs: number;
      try {
        const answer = await this.limit.run(() => {
          if (this.role === 'judge') this.services.budget?.spend();
          return this.once(request, signal);
        }, signal);
        this.limit.succeeded();
        this.services.ledger.add(this.role, this.model.name, answer.usage);
        const nothing = empty === 'return' ? undefined : emptyReason(answer);
        if (nothing === undefined) return answer;
        if (!nothing.worthRetrying || attempt >= attempts) throw this.silent(nothing.reason, answer, attempt);
        waitMs = waitBefore(attempt, undefined, random());
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        if (thrown instanceof ModelError || thrown instanceof BudgetSpent) throw thrown;
        this.services.ledger.add(this.role, this.model.name, undefined);
        const { status, retryAfterMs, worthRetrying } = failureOf(thrown);
        if (status === 429) this.limit.refused(retryAfterMs ?? 0);
        if (!worthRetrying || attempt >= attempts) throw this.failed(thrown, status, attempt);
        waitMs = waitBefore(attempt, retryAfterMs, random());
      }
      await pause(waitMs, this.services.clock ?? systemClock, signal);
    }
  }

  /** One try; a model that ignores the signal is left to itself. */
  private once(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const { timeoutMs = defaultTimeoutMs, clock = systemClock } = this.services;
    const controller = new AbortController();
    return new Promise<ModelAnswer>((resolve, reject) => {
      const stop = (reason: unknown): void => {
        settled();
        controller.abort(reason);
        reject(reason);
      };
      const onAbort = (): void => stop(signal.reason);
      // 408, as a server would say it: worth another try.
      const disarm = clock.after(timeoutMs, () => stop(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { status: 408 })));
      const settled = (): void => {
        disarm();
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      // Also for models that throw before they give a promise.
      new Promise<ModelAnswer>((run) => run(this.model.generate(request, controller.signal))).then(resolve, reject).finally(settled);
    });
  }

  private failed(thrown: unknown, status: number | undefined, attempts: number): ModelError {
    const { message } = toErrorInfo(thrown);
    const what = status === undefined ? `failed${times(attempts)}: ${message}` : `answered ${status}${times(attempts)}: ${message}`;
    return new ModelError('model_failed', `${this.role} ${this.model.name} ${what}`, undefined, thrown);
  }

  private silent(reason: string, { content }: ModelAnswer, attempts: number): ModelError {
    const text = textOf(content, true);
    const shown = text === '' ? '' : `: ${excerptOf(text)}`;
    return new ModelError('model_silent', `${this.role} ${this.model.name} was asked${times(attempts)}; ${reason}${shown}`, text === '' ? undefined : excerptOf(text));
  }
}

function times(count: number): string {
  return count === 1 ? ' once' : count === 2 ? ' twice' : ` ${count} times`;
}

/** Text of an answer: its text parts joined by line breaks. */
export function textOf(content: ModelAnswer['content'], thoughts: boolean): string {
  return (content?.parts ?? []).flatMap(({ text, thought }) => (text === undefined || text === '' || (thought === true && !thoughts) ? [] : [text])).join('\n');
}

/** Beginning of a model's answer, for messages. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > 160 ? `${line.slice(0, 159)}…` : line);
}
