import type { Content, JsonObject, Part } from '../evalset/types';
import { type Problem, JestAdkError, formatPath } from '../support/errors';
import type { AgentEvent } from './types';

type Raw = Readonly<Record<string, unknown>>;

/** Objects inside a part whose fields have two spellings; everything else below a part is data. */
const aliasedParts = new Set([
  'functionCall', 'functionResponse', 'inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'videoMetadata',
]);

/** Fields of an event that hold plain text, true/false, or lists of texts. */
const textFields = ['id', 'errorCode', 'errorMessage', 'modelVersion', 'branch'] as const;

/**
 * Reads an event in either spelling (an SDK's, a Python server's, a hand-written one). Unknown keys are dropped; where a field
 * is there in both spellings the camelCase one counts. `timestamp` is taken as seconds.
 *
 * @param value  the event
 * @param where  names the event in messages: words, or its path, e.g. `['events', 2]`
 * @throws {JestAdkError} `bad_event` with every field that is not of its kind
 */
export function eventFromJson(value: unknown, where: string | readonly (string | number)[]): AgentEvent {
  const problems: Problem[] = [];
  const event = readEvent(value, typeof where === 'string' ? [where] : where, problems);
  if (problems.length > 0) throw new JestAdkError('bad_event', problems);
  return event;
}

/** A time of an event in seconds. The TypeScript SDK counts in milliseconds; seconds are that large only in the year 5138. */
export function secondsFrom(timestamp: number): number {
  return timestamp > 1e11 ? timestamp / 1000 : timestamp;
}

/**
 * Reads a content in either spelling: camelCase, without absent values; what belongs to the user (arguments, responses) is left as it is.
 *
 * @param where  names the content in messages
 * @throws {JestAdkError} `bad_event` with everything that is not of its kind
 */
export function contentFromJson(value: unknown, where: string): Content {
  const problems: Problem[] = [];
  const content = contentFromValue(value, [where], problems);
  if (problems.length > 0) throw new JestAdkError('bad_event', problems);
  return content;
}

/** Reads a content in either spelling; adds to `problems` what is not of its kind. */
function contentFromValue(value: unknown, path: readonly (string | number)[], problems: Problem[]): Content {
  if (!isObject(value)) {
    problems.push(wrong(path, 'a content object', value, 'Write { role: "model", parts: [{ text: "…" }] }.'));
    return {};
  }
  const parts = value.parts;
  const role = value.role;
  if (role !== undefined && role !== null && typeof role !== 'string') problems.push(wrong([...path, 'role'], 'a text', role));
  if (parts !== undefined && parts !== null && !Array.isArray(parts)) problems.push(wrong([...path, 'parts'], 'a list of parts', parts));
  const content: { parts?: readonly Part[]; role?: string } = {};
  if (Array.isArray(parts)) content.parts = parts.map((part: unknown, index) => readPart(part, [...path, 'parts', index], problems));
  if (typeof role === 'string') content.role = role;
  return content;
}

function readEvent(value: unknown, path: readonly (string | number)[], problems: Problem[]): AgentEvent {
  if (!isObject(value)) {
    problems.push(wrong(path, 'an event object', value, 'An event is { author, content: { parts: [...] } }.'));
    return { invocationId: '', author: '' };
  }
  const raw = camelKeys(value);
  const texts: Record<string, string> = {};
  for (const name of textFields) {
    const text = textOf(raw, name, path, problems);
    if (text !== undefined) texts[name] = text;
  }
  const longRunning = raw.longRunningToolIds;
  return {
    invocationId: textOf(raw, 'invocationId', path, problems) ?? '',
    author: textOf(raw, 'author', path, problems) ?? '',
    ...texts,
    ...(raw.content === undefined ? {} : { content: contentFromValue(raw.content, [...path, 'content'], problems) }),
    ...(raw.partial === true ? { partial: true } : {}),
    ...(isListOfTexts(longRunning) ? { longRunningToolIds: longRunning } : {}),
    ...(isObject(raw.actions) ? { actions: camelKeys(raw.actions) } : {}),
    ...(isObject(raw.usageMetadata) ? { usageMetadata: camelKeys(raw.usageMetadata) } : {}),
    ...(isObject(raw.groundingMetadata) ? { groundingMetadata: raw.groundingMetadata as JsonObject } : {}),
    ...(typeof raw.timestamp === 'number' ? { timestamp: raw.timestamp } : {}),
    ...(typeof raw.nestedIn === 'string' ? { nestedIn: raw.nestedIn } : {}),
  };
}

function readPart(value: unknown, path: readonly (string | number)[], problems: Problem[]): Part {
  if (!isObject(value)) {
    problems.push(wrong(path, 'a part object', value, 'A text is { text: "…" }.'));
    return {};
  }
  const part: Record<string, unknown> = camelKeys(value);
  for (const name of aliasedParts) {
    const inner = part[name];
    if (inner === undefined) continue;
    if (!isObject(inner)) problems.push(wrong([...path, name], 'an object', inner));
    else part[name] = camelKeys(inner);
  }
  if (part.text !== undefined && typeof part.text !== 'string') problems.push(wrong([...path, 'text'], 'a text', part.text));
  return part;
}

function textOf(raw: Raw, name: string, path: readonly (string | number)[], problems: Problem[]): string | undefined {
  const value = raw[name];
  if (value === undefined || typeof value === 'string') return value;
  problems.push(wrong([...path, name], 'a text', value));
  return undefined;
}

/** One level of keys in camelCase, without absent values; values are left as they are. */
function camelKeys(value: Raw): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null || item === undefined) continue;
    const camel = key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    if (camel === key || !Object.hasOwn(value, camel) || value[camel] === null) result[camel] = item;
  }
  return result;
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function wrong(path: readonly (string | number)[], wanted: string, seen: unknown, hint?: string): Problem {
  const shown = typeof seen === 'string' ? JSON.stringify(seen.slice(0, 60)) : Array.isArray(seen) ? 'a list' : seen === null ? 'null' : typeof seen === 'object' ? 'an object' : String(seen);
  return { code: 'bad_event', path, message: `Wanted ${wanted}, got ${shown} (at ${formatPath(path)}).`, ...(hint === undefined ? {} : { hint }) };
}
