import { keepSecret } from '../support/secrets';
import { parseBaseUrl } from '../target/http/base-url';
import { HttpClient } from '../target/http/client';
import type { HeaderPair } from '../target/http/headers';
import { requestJson } from '../target/http/json-answer';
import type { Environment } from '../target/http/proxy';
import { sessionFromValue, type ExportedSession } from './load';

/** Where a session is. */
export interface SessionAddress {
  readonly url: string;
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly headers: readonly HeaderPair[];
  readonly env: Environment;
}

/** Milliseconds that the server has. */
const timeoutMs = 60_000;

/** Asks a server that answers like `adk api_server` for a session. @throws {RequestFailure} as the client, {JestAdkError} `invalid_session` */
export async function fetchSession({ url, appName, userId, sessionId, headers, env }: SessionAddress): Promise<ExportedSession> {
  for (const [, value] of headers) for (const secret of [value, ...value.split(/\s+/).slice(1)]) keepSecret(secret);
  const client = new HttpClient({ base: parseBaseUrl(url), headers, timeoutMs, env });
  try {
    const { value } = await requestJson(client, { method: 'GET', segments: ['apps', appName, 'users', userId, 'sessions', sessionId] });
    return sessionFromValue(value);
  } finally {
    client.close();
  }
}
