/** The requests that `adk api_server` answers, of google-adk and of `@google/adk-devtools`: what is sent, and what is taken for an answer. */
import type { Content, JsonObject } from '../evalset/types';
import { JestAdkError } from '../support/errors';
import { contentFromJson, eventFromJson, secondsFrom } from './event-json';
import { unwantedAnswer } from './http/answer';
import type { Call, HttpClient } from './http/client';
import { requestJson } from './http/json-answer';
import { type RetryOptions, withRetries } from './http/retry';
import { streamJson } from './http/sse';
import type { AgentEvent } from './types';

/** Names one session of a server. */
export interface RemoteSessionKey {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** A session as a server made it. */
export interface CreatedSession {
  readonly id: string;
  /** Its state, where the answer has it. */
  readonly state?: JsonObject;
}

/** The server's apps, as it lists them. @throws {RequestFailure} `http_answer` for what is no list of texts, and as the client */
export async function listApps(client: HttpClient, retry: RetryOptions): Promise<readonly string[]> {
  const call: Call = { method: 'GET', segments: ['list-apps'], signal: retry.signal };
  const { value, answer } = await withRetries((timeoutMs) => requestJson(client, { ...call, timeoutMs }), retry);
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw client.failure(call, unwantedAnswer(answer, 'no list of names', answer.text));
}

/**
 * Makes a session. No id is sent: some session services reject ids of clients, and the server's is the one that counts.
 *
 * @param owner   whose session
 * @param state   sent when the case has a session input
 * @param retry   when its own signal is aborted, no further attempt is made
 * @param signal  ends the request
 */
export async function createSession(client: HttpClient, owner: Omit<RemoteSessionKey, 'sessionId'>, state: JsonObject | undefined, retry: RetryOptions, signal: AbortSignal): Promise<CreatedSession> {
  const call: Call = { method: 'POST', segments: sessionsPath(owner.appName, owner.userId), body: state === undefined ? {} : { state }, signal };
  const { value, answer } = await withRetries((timeoutMs) => requestJson(client, { ...call, timeoutMs }), retry);
  const { id, state: made } = (isObject(value) ? value : {}) as { readonly id?: unknown; readonly state?: unknown };
  if (typeof id !== 'string' || id === '') throw client.failure(call, unwantedAnswer(answer, 'no session: it has no id', answer.text));
  return isObject(made) ? { id, state: made as JsonObject } : { id };
}

/** Adds what was said in a session to the memory of the server. */
export async function addSessionToMemory(client: HttpClient, { appName, userId, sessionId }: RemoteSessionKey, signal: AbortSignal): Promise<void> {
  await client.request({ method: 'PATCH', segments: ['apps', appName, 'users', userId, 'memory'], body: { sessionId }, signal });
}

/** Deletes a session. */
export async function deleteSession(client: HttpClient, { appName, userId, sessionId }: RemoteSessionKey, signal: AbortSignal): Promise<void> {
  await client.request({ method: 'DELETE', segments: [...sessionsPath(appName, userId), sessionId], signal });
}

function sessionsPath(appName: string, userId: string): readonly string[] {
  return ['apps', appName, 'users', userId, 'sessions'];
}

/** One turn. Never sent twice: tools have effects. */
export async function* runTurn(client: HttpClient, key: RemoteSessionKey, content: Content, stream: boolean, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
  const body = { ...key, newMessage: contentFromJson(content, 'newMessage') };
  if (!stream) return yield* wholeTurn(client, { method: 'POST', segments: ['run'], body, signal });
  const call: Call = { method: 'POST', segments: ['run_sse'], body: { ...body, streaming: true }, signal };
  let index = 0;
  for await (const block of streamJson(client, call)) {
    if (isObject(block) && block.error !== undefined && block.author === undefined) throw client.failure(call, { code: 'http_answer', reason: `ended with an error: ${words(block.error)}` });
    yield remoteEvent(client, call, block, index++);
  }
}

async function* wholeTurn(client: HttpClient, call: Call): AsyncGenerator<AgentEvent, void, undefined> {
  const { value, answer } = await requestJson(client, call);
  if (!Array.isArray(value)) throw client.failure(call, unwantedAnswer(answer, 'no list of events', answer.text));
  // All are read before the first is taken: a list with something else in it is no turn.
  yield* value.map((event: unknown, index) => remoteEvent(client, call, event, index));
}

function remoteEvent(client: HttpClient, call: Call, value: unknown, index: number): AgentEvent {
  const refused = (what: string): never => {
    throw client.failure(call, { code: 'http_answer', reason: `was answered with something that is no event: ${what}` });
  };
  if (!isObject(value) || typeof value.author !== 'string') return refused(`events[${index}] is ${isObject(value) ? 'an object without an author' : words(value)}`);
  try {
    const event = eventFromJson(value, ['events', index]);
    return event.timestamp === undefined ? event : { ...event, timestamp: secondsFrom(event.timestamp) };
  } catch (thrown) {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    return refused(thrown.problems.map(({ message }) => message).join(' '));
  }
}

function words(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
