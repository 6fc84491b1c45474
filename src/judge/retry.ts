/** Which failures of a model are worth another try, and how long to wait before it. The only place that retries: the SDK's own retries are off. */
import type { ModelAnswer } from './types';

/** What of a failure matters for trying again. */
export interface Failure {
  /** HTTP status, where there is one. */
  readonly status: number | undefined;
  /** Milliseconds that the model asked to be left alone. */
  readonly retryAfterMs: number | undefined;
  readonly worthRetrying: boolean;
}

/** Statuses of a service that may answer the next time. Source: google-genai's own list, which google-adk sets for its judges. */
const retryStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Of Node, of undici, and of our own client. */
const networkCodes = /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_\w+|http_(refused|reset|unreachable|timeout))$/;

/** Looks at what a model threw. */
export function failureOf(thrown: unknown): Failure {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ThrownLike;
  const status = statusOf(error);
  const code = String(error.code ?? error.cause?.code ?? '');
  const network = networkCodes.test(code) || (error.name === 'TypeError' && error.message === 'fetch failed');
  return { status, retryAfterMs: retryAfterOf(error), worthRetrying: status === undefined ? network : retryStatuses.has(status) };
}

interface ThrownLike {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: { readonly code?: unknown };
  readonly retryAfterMs?: unknown;
  readonly retryAfter?: unknown;
  readonly headers?: unknown;
  readonly response?: { readonly status?: unknown; readonly headers?: unknown };
}

function statusOf({ status, statusCode, code, response }: ThrownLike): number | undefined {
  return [status, statusCode, code, response?.status].find((value): value is number => Number.isInteger(value) && (value as number) >= 100 && (value as number) < 600);
}

/** `retry-after` of the answer's headers (RFC 9110: seconds or a date), or `retryDelay` in the text of a Google API error. */
function retryAfterOf(error: ThrownLike): number | undefined {
  if (typeof error.retryAfterMs === 'number') return error.retryAfterMs;
  const header = typeof error.retryAfter === 'string' ? error.retryAfter : headerOf(error.headers ?? error.response?.headers, 'retry-after');
  if (header !== undefined) {
    const seconds = Number(header);
    const date = Date.parse(header);
    if (Number.isFinite(seconds)) return seconds * 1000;
    if (Number.isFinite(date)) return Math.max(0, date - Date.now());
  }
  const delay = /"?retryDelay\\?"?\s*:\s*\\?"(\d+(?:\.\d+)?)s/.exec(typeof error.message === 'string' ? error.message : '')?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const { get } = headers as { get?: unknown };
  const value: unknown = typeof get === 'function' ? (headers as Headers).get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Why an answer is none although nothing was thrown; undefined for one that has text. */
export function emptyReason({ content, errorCode, errorMessage, finishReason }: ModelAnswer): { readonly reason: string; readonly worthRetrying: boolean } | undefined {
  const code = errorCode ?? finishReason;
  if (code === 'MAX_TOKENS') return { reason: 'its answer was cut off (MAX_TOKENS)', worthRetrying: true };
  // The SDK's word for a candidate without parts that ended as it should.
  if (errorCode === 'STOP') return { reason: 'its answer was empty', worthRetrying: true };
  if (errorCode !== undefined) return { reason: `it gave no answer (${errorCode}${errorMessage === undefined ? '' : `: ${errorMessage}`})`, worthRetrying: false };
  const hasText = content?.parts?.some((part) => part.text !== undefined && part.text !== '' && part.thought !== true) ?? false;
  return hasText ? undefined : { reason: 'its answer was empty', worthRetrying: true };
}

/** Tries of one request, the first one included. */
export const defaultAttempts = 5;

const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/**
 * Milliseconds before the next try: what the model asked for, else twice as long each time, spread by a quarter so that requests that failed together do not return together.
 *
 * @param attempt  how many tries failed, from 1
 * @param random   in [0, 1)
 */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.75 + random / 2);
  return Math.max(retryAfterMs ?? 0, retryAfterMs === undefined ? backoff : 0);
}
