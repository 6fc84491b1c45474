/** The sessions of one evaluation on a server: made, used, and deleted whatever happened. */
import type { JsonObject, JsonValue } from '../evalset/types';
import { refusal } from '../support/errors';
import { type Lane, scheduler } from '../support/scheduler';
import { sharedController } from '../support/signals';
import { addSessionToMemory, createSession, deleteSession, type RemoteSessionKey, runTurn } from './adk-server-api';
import { segmentProblem } from './http/base-url';
import type { HttpClient } from './http/client';
import { RequestFailure } from './http/failure';
import type { AgentEvent, OpenSession, TargetSession } from './types';

/** Deletes under way at once. */
const deletesAtOnce = 64;

/** Milliseconds that a session which nobody waits for any more has to come into being; its id is needed to delete it. */
const lateMs = 5_000;

/** Failures after which a server may have done all the same what it was asked for. */
const unansweredCodes: ReadonlySet<string> = new Set(['http_timeout', 'http_aborted', 'http_reset']);

/** How sessions are made and used. */
export interface SessionsOptions {
  readonly client: HttpClient;
  readonly appName: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly stream: boolean;
  readonly keepSessions: boolean;
}

/** All sessions of one evaluation. */
export class RemoteSessions {
  /** Made and not yet closed. */
  private readonly open = new Set<RemoteSessionKey>();
  /** Requests that outlive their trial: deletes, and the making of sessions. */
  private readonly pending = new Set<Promise<unknown>>();
  /** Ids of sessions that are still there, by cause. */
  private readonly left = new Map<string, string[]>();
  /** How many requests for a session went out and were never answered. */
  private unanswered = 0;
  private readonly over = sharedController();
  private lane: Lane | undefined;

  constructor(private readonly options: SessionsOptions) {}

  /** Opens the session of a trial: the pinned one as it is, or one that the server makes. */
  async start(input: OpenSession, signal: AbortSignal): Promise<TargetSession> {
    const { appName } = this.options;
    const { userId, sessionId } = input;
    if (sessionId !== undefined) return this.session({ appName, userId, sessionId }, undefined, () => undefined);
    const creating = this.create(input, signal);
    this.track(creating);
    const { key, state } = await creating;
    return this.session(key, { ...(state ?? input.state) }, () => {
      if (this.open.delete(key)) this.remove(key);
    });
  }

  /**
   * Deletes what is left and waits for it.
   *
   * @param signal  aborted when the time is over
   * @returns a line for each cause for which sessions are still there, with their ids, and one for those that may be there
   */
  async finish(signal: AbortSignal | undefined): Promise<readonly string[]> {
    const giveUp = (): void => this.over.abort();
    const timer = setTimeout(giveUp, Math.min(this.options.timeoutMs, 2 ** 31 - 1));
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted === true) giveUp();
    try {
      do {
        for (const key of this.open) this.remove(key);
        this.open.clear();
        await Promise.allSettled(this.pending);
      } while (this.pending.size + this.open.size > 0);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.lane?.close();
    }
    const count = (number: number): string => `${number === 1 ? 'a session' : `${number} sessions`} of the app "${this.options.appName}"`;
    return [
      ...[...this.left].map(([cause, ids]) => `${count(ids.length)} could not be deleted (${cause}): ${ids.join(', ')}`),
      ...(this.unanswered === 0 ? [] : [`${count(this.unanswered)} may be left on the server: the request for it was not answered, so the id is not known`]),
    ];
  }

  /** A session that nobody waits for any more is still made, if it comes soon, and deleted at once. */
  private async create({ userId, state }: OpenSession, signal: AbortSignal): Promise<{ readonly key: RemoteSessionKey; readonly state?: JsonObject }> {
    const { client, appName, timeoutMs, retries, keepSessions } = this.options;
    const late = new AbortController();
    const giveUp = (): void => late.abort();
    let timer: NodeJS.Timeout | undefined;
    const onAbort = (): void => void (timer = setTimeout(giveUp, lateMs));
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    this.over.signal.addEventListener('abort', giveUp, { once: true });
    try {
      const { id, ...created } = await createSession(client, { appName, userId }, state, { retries, timeoutMs, signal }, late.signal);
      const key = { appName, userId, sessionId: id };
      if (!keepSessions) this.enter(key);
      if (signal.aborted && this.open.delete(key)) this.remove(key);
      return { key, ...created };
    } catch (thrown) {
      if (!keepSessions && thrown instanceof RequestFailure && unansweredCodes.has(thrown.code)) this.unanswered += 1;
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.over.signal.removeEventListener('abort', giveUp);
    }
  }

  /** Notes a session that is to be deleted. */
  private enter(key: RemoteSessionKey): void {
    const { sessionId } = key;
    const problem = segmentProblem(sessionId);
    if (problem === undefined) return void this.open.add(key);
    this.note(sessionId, `its id cannot be part of a path: ${problem}`);
    throw refusal('bad_session_id', `The server gave the session the id ${JSON.stringify(sessionId)}, with which it could not be deleted: ${problem}.`, 'With keepSessions (--keep-sessions) it is used and left there.');
  }

  private session(key: RemoteSessionKey, state: Record<string, JsonValue> | undefined, onClose: () => void): TargetSession {
    const { client, stream } = this.options;
    return {
      ids: key,
      async *send(content, signal) {
        for await (const event of runTurn(client, key, content, stream, signal)) {
          if (state !== undefined) applyState(event, state);
          yield event;
        }
      },
      addToMemory: (signal) => addSessionToMemory(client, key, signal),
      ...(state === undefined ? {} : { state: () => Promise.resolve(state as JsonObject) }),
      close: () => {
        onClose();
        return Promise.resolve();
      },
    };
  }

  /** Deletes in the background: the trial's slot is for trials. */
  private remove(key: RemoteSessionKey): void {
    this.lane ??= scheduler.lane('delete-session', deletesAtOnce);
    const deleting = this.lane.run(() => deleteSession(this.options.client, key, this.over.signal));
    this.track(deleting.catch((thrown: unknown) => this.note(key.sessionId, this.causeOf(thrown))));
  }

  private causeOf(thrown: unknown): string {
    if (this.over.signal.aborted) return 'the time for it was over';
    return thrown instanceof RequestFailure ? thrown.reason : String(thrown);
  }

  private note(id: string, cause: string): void {
    this.left.set(cause, [...(this.left.get(cause) ?? []), id]);
  }

  private track(work: Promise<unknown>): void {
    this.pending.add(work);
    const settled = (): void => void this.pending.delete(work);
    work.then(settled, settled);
  }
}

/** As a session service does with the events it is given. */
function applyState(event: AgentEvent, state: Record<string, JsonValue>): void {
  if (event.partial === true) return;
  for (const [name, value] of Object.entries(event.actions?.stateDelta ?? {})) {
    if (!name.startsWith('temp:')) Object.defineProperty(state, name, { value, enumerable: true, writable: true, configurable: true });
  }
}
