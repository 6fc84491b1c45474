/** Answers that should be JSON. */
import { parseJson } from '../../support/json';
import { type Answer, unwantedAnswer } from './answer';
import type { Call, HttpClient } from './client';

/**
 * Asks for JSON.
 *
 * @throws {RequestFailure} as `HttpClient.request`, and `http_answer` with the beginning of the body when it is no JSON
 */
export async function requestJson(client: HttpClient, call: Call): Promise<{ readonly value: unknown; readonly answer: Answer }> {
  const answer = await client.request(call);
  const value = jsonOf(answer.text);
  if (value === undefined) throw client.failure(call, unwantedAnswer(answer, 'no JSON', answer.text));
  return { value, answer };
}

/**
 * Parses JSON with all digits of big integers; undefined for what is none. Half a surrogate, which a model's answer cut in two may hold, is
 * taken as it is.
 */
export function jsonOf(text: string): unknown {
  const digits = /\d{16}/.test(text);
  try {
    if (!digits) return JSON.parse(text);
  } catch {
    // Python writes NaN and Infinity.
  }
  try {
    return parseJson(text);
  } catch {
    return digits ? plainJson(text) : undefined;
  }
}

function plainJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
