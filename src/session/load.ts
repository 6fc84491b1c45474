/** Sessions that a server or a session service of either SDK exported. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { problemsOf } from '../evalset/loaded';
import { readOptions } from '../evalset/reader';
import type { JsonObject } from '../evalset/types';
import { readModel } from '../schema/read';
import { parseDocument, readDocument } from '../support/document';
import { JestAdkError, refusal } from '../support/errors';
import { defaultProfile } from '../support/profile';
import { secondsFrom } from '../target/event-json';
import type { AgentEvent } from '../target/types';

/** An exported session. Times in seconds since the epoch, whichever SDK wrote it. */
export interface ExportedSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  /** As it was when the session was exported, after all its events. */
  readonly state: JsonObject;
  readonly events: readonly AgentEvent[];
  readonly lastUpdateTime: number;
}

/**
 * Reads an exported session, Python's or TypeScript's, in either spelling (google-adk's community name: `load_session_from_json`).
 *
 * @param pathOrJson  a text whose first character is `{` or `[` is JSON itself; anything else a path, relative to the working directory
 * @throws {JestAdkError} `file_not_found` naming the path, `not_json`, `invalid_session` with every problem and its place
 */
export function loadSessionFromJson(pathOrJson: string): ExportedSession {
  if (/^\s*[{[]/.test(pathOrJson)) return sessionFromValue(parseDocument(pathOrJson, 'session.json'));
  const file = resolve(pathOrJson);
  if (!existsSync(file)) throw refusal('file_not_found', `There is no session file ${file} (given as ${JSON.stringify(pathOrJson)}).`);
  const document = readDocument(file);
  return sessionFromValue(document.value, document);
}

/** The same for a value that is there already. */
export function sessionFromValue(value: unknown, source?: { readonly file: string; readonly text: string }): ExportedSession {
  const { value: read, issues } = readModel('Session', value, readOptions(defaultProfile));
  if (issues.length > 0) throw new JestAdkError('invalid_session', problemsOf(issues, source));
  const session = read as ExportedSession;
  return { ...session, lastUpdateTime: secondsFrom(session.lastUpdateTime), events: session.events.map((event) => (event.timestamp === undefined ? event : { ...event, timestamp: secondsFrom(event.timestamp) })) };
}

/**
 * The state before the events, as far as it can be known: keys that an event set are left out, since what they were before is in no export;
 * all others never changed. Replaying the events onto it gives the exported state.
 */
export function stateBefore({ state, events }: Pick<ExportedSession, 'state' | 'events'>): JsonObject {
  const set = new Set(events.filter((event) => event.partial !== true).flatMap((event) => Object.keys(event.actions?.stateDelta ?? {})));
  return Object.fromEntries(Object.entries(state).filter(([key]) => !set.has(key)));
}
