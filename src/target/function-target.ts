import { randomUUID } from 'node:crypto';
import type { Content, JsonValue } from '../evalset/types';
import { refusal } from '../support/errors';
import { merge } from '../support/merge';
import { eventFromJson, secondsFrom } from './event-json';
import { toPlain } from './plain';
import type { AgentEvent, FunctionSession, FunctionTurn, OpenSession, Target, TargetSession } from './types';

/** What a function under evaluation may return: nothing, a text, a content, an event, or several of them, now or later. */
export type FunctionAnswer = unknown;

/** A function under evaluation: `(turn, session) => answer`. */
export type AgentFunction = (turn: FunctionTurn, session: FunctionSession) => FunctionAnswer;

/** Options of `functionTarget`. */
export interface FunctionTargetOptions {
  /** Name for results, and the author of answers that name none; the function's own name, else `agent`. */
  readonly name?: string;
}

const legalAnswers =
  'Return a text, a content ({ parts: [...] }), an event ({ author, content }), a list or (async) generator of these, or nothing.';

/** Author of answers that name none. */
export function authorName(fn: { readonly name: string }): string {
  return fn.name === '' ? 'agent' : fn.name;
}

/** Id of a session that nobody pinned, as google-adk makes it. */
export function newSessionId(): string {
  return `adk-eval-session-${randomUUID()}`;
}

/** App name of a session that nobody named, as in google-adk. */
export const defaultAppName = 'EvaluationGenerator';

/** Evaluates a function instead of an agent: every turn is one call of it. */
export function functionTarget(fn: AgentFunction, options: FunctionTargetOptions = {}): Target {
  const name = options.name ?? authorName(fn);
  return {
    kind: 'function',
    ...(options.name === undefined ? {} : { appName: options.name }),
    capabilities: { appDetails: false, state: true, artifacts: false, plugins: false, cancel: true },
    openSession: (input) => Promise.resolve(functionSession(fn, name, input)),
    close: () => Promise.resolve(),
  };
}

/** A session whose turns call `fn`; what stays in `state` is the final state. */
export function functionSession(fn: AgentFunction, author: string, input: OpenSession): TargetSession {
  const session = grouped(input, {
    appName: input.appName ?? defaultAppName,
    userId: input.userId,
    sessionId: input.sessionId ?? newSessionId(),
    state: toPlain(input.state ?? {}) as Record<string, unknown>,
  });
  let index = 0;
  return {
    ids: { appName: session.appName, userId: session.userId, sessionId: session.sessionId },
    async *send(content, signal) {
      const turn: FunctionTurn = { text: textOf(content), content: toPlain(content) as Content, index: index++, signal };
      const invocationId = `e-${randomUUID()}`;
      const answer: unknown = await fn(turn, session);
      const defaults = { author, invocationId, session };
      if (isIterable(answer)) for await (const item of answer) yield* eventsOf(item, defaults);
      else yield* eventsOf(answer, defaults);
    },
    state: () => Promise.resolve((toPlain(session.state) ?? {}) as Record<string, JsonValue>),
    close: () => Promise.resolve(),
  };
}

/** Sessions of one trial, so that later ones find what earlier ones left. */
const sessionsByGroup = new WeakMap<object, FunctionSession[]>();

/** As a session service does, what belongs to the user or the app is found again; `memory` is the user's. */
function grouped({ group, userId }: OpenSession, session: Omit<FunctionSession, 'memory'>): FunctionSession {
  const earlier = (group === undefined ? undefined : sessionsByGroup.get(group)) ?? [];
  const kept = earlier.flatMap((one) => Object.entries(one.state).filter(([key]) => key.startsWith('app:') || (key.startsWith('user:') && one.userId === userId)));
  const memory = earlier.find((one) => one.userId === userId)?.memory ?? {};
  const made = { ...session, state: { ...Object.fromEntries(kept), ...session.state }, memory };
  if (group !== undefined) sessionsByGroup.set(group, [...earlier, made]);
  return made;
}

interface Defaults {
  readonly author: string;
  readonly invocationId: string;
  readonly session: FunctionSession;
}

/** The user's text: all text parts that are no thoughts, one a line. */
function textOf(content: Content): string {
  return (content.parts ?? []).flatMap((part) => (part.text === undefined || part.thought === true ? [] : [part.text])).join('\n');
}

function eventsOf(item: unknown, defaults: Defaults): readonly AgentEvent[] {
  return item === undefined || item === null ? [] : [toEvent(item, defaults)];
}

/** Duck-typed: generators of a test file belong to another realm. A text is an answer, not a list of letters. */
function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function' || typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function';
}

function toEvent(item: unknown, defaults: Defaults): AgentEvent {
  if (typeof item === 'string') return { author: defaults.author, invocationId: defaults.invocationId, content: { role: 'model', parts: [{ text: item }] }, timestamp: Date.now() / 1000 };
  const value = toPlain(item);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badAnswer(item);
  const fields = value as Readonly<Record<string, JsonValue>>;
  const whole = 'parts' in fields ? { content: fields } : fields;
  if (!isEventLike(whole)) throw badAnswer(item);
  const event = eventFromJson(whole, 'the event that the agent function returned');
  applyState(event, defaults.session.state);
  return merge(event, {
    author: event.author === '' ? defaults.author : event.author,
    invocationId: event.invocationId === '' ? defaults.invocationId : event.invocationId,
    timestamp: event.timestamp === undefined ? Date.now() / 1000 : secondsFrom(event.timestamp),
  });
}

const eventKeys = ['content', 'author', 'actions', 'errorCode', 'error_code', 'errorMessage', 'error_message', 'groundingMetadata', 'grounding_metadata'];

function isEventLike(value: object): boolean {
  return eventKeys.some((key) => key in value);
}

/** As a session does with the events it is given. */
function applyState(event: AgentEvent, state: Record<string, unknown>): void {
  if (event.partial === true || event.nestedIn !== undefined) return;
  for (const [key, value] of Object.entries(event.actions?.stateDelta ?? {})) if (!key.startsWith('temp:')) state[key] = value;
}

/** What to do with a function that stands where an agent or an answer is expected. */
export const functionAdvice =
  'A function (turn, session) => answer is evaluated as it is: pass it itself, as agentFunction(fn) where its parameters cannot be seen. It needs no factory; what lasts for a trial goes into session.state.';

function badAnswer(item: unknown): Error {
  if (typeof item === 'function') return refusal('bad_answer', `The agent function returned ${item.name === '' ? 'a function' : `the function ${item.name}`}, which is no answer.`, `${legalAnswers} ${functionAdvice}`);
  const seen = typeof item === 'object' && item !== null ? `an object with the keys ${Object.keys(item).slice(0, 8).map((key) => JSON.stringify(key)).join(', ') || '(none)'}` : `${typeof item} ${String(item).slice(0, 60)}`;
  return refusal('bad_answer', `The agent function returned something that is no answer: ${seen}.`, legalAnswers);
}
