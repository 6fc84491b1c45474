/** An answer as it comes in: its head, its pieces, and what makes it none. */
import type { IncomingMessage } from 'node:http';
import { bodyExcerpt, bodyWords } from './excerpt';
import { connectionFailure, type FailureDetails } from './failure';

/** Bytes that an answer may have. */
const largestAnswer = 64 * 1024 * 1024;

/** What is in front of an answer's body. */
export interface Head {
  readonly status: number;
  /** `404 Not Found` */
  readonly statusLine: string;
  /** Media type in lower case, without parameters; empty when there is none. */
  readonly contentType: string;
  readonly location?: string | undefined;
  readonly retryAfter?: string | undefined;
}

/** Takes an answer as it comes. What a method throws ends the request. */
export interface AnswerReader<T> {
  head(head: Head): void;
  data(chunk: Buffer): void;
  end(): T;
}

/** Who waits for an answer. Only the first call counts. */
export interface Waiting<T> {
  done(value: T): void;
  failed(details: FailureDetails, cause?: unknown): void;
  /** What the reader threw. */
  threw(thrown: unknown): void;
}

/** Gives an answer to its reader, up to the largest size. */
export function readAnswer<T>(response: IncomingMessage, reader: AnswerReader<T>, address: string, { done, failed, threw }: Waiting<T>): void {
  const broken = (error: unknown): void => failed(connectionFailure(error, address, 'while it was answering'), error);
  const tooLarge = (): void => failed({ code: 'http_too_large', reason: `was answered with more than ${largestAnswer / 1024 / 1024} MiB` });
  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (thrown) {
      threw(thrown);
    }
  };
  response.on('error', broken);
  response.on('close', () => broken({ code: 'ECONNRESET' }));
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return failed({ code: 'http_answer', reason: `was answered in the encoding ${JSON.stringify(encoding)}, which was not asked for` });
  if (Number(response.headers['content-length'] ?? 0) > largestAnswer) return tooLarge();
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > largestAnswer) tooLarge();
    else guarded(() => reader.data(chunk));
  });
  const { socket } = response;
  response.on('end', () => {
    // Python's server closes the connection after an exception, and a request that is sent just then is lost.
    if (!isSuccess(response.statusCode)) socket.destroy();
    guarded(() => done(reader.end()));
  });
  guarded(() => reader.head(headOf(response)));
}

function headOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage): Head {
  return {
    status: statusCode,
    statusLine: `${statusCode} ${statusMessage}`.trim(),
    contentType: (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
    location: headers.location,
    retryAfter: headers['retry-after'],
  };
}

/** Whether a status says that what was asked for was done. */
export function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300;
}

/** A whole answer. */
export interface Answer extends Head {
  readonly text: string;
}

/** Reads an answer as text. */
export function textReader(): AnswerReader<Answer> {
  let head: Head | undefined;
  const chunks: Buffer[] = [];
  return {
    head: (given) => void (head = given),
    data: (chunk) => void chunks.push(chunk),
    end: () => ({ ...(head as Head), text: Buffer.concat(chunks).toString('utf8').replace(/^\uFEFF/, '') }),
  };
}

/** Why an answer with such a status is none; undefined for 2xx. A redirect is shown, not followed: it would take the headers elsewhere. */
export function statusFailure({ status, statusLine, location, retryAfter }: Head, body: string): FailureDetails | undefined {
  if (isSuccess(status)) return undefined;
  if (status >= 300 && status < 400 && location !== undefined) {
    return { code: 'http_redirect', status, reason: `was redirected (${statusLine}) to ${location.replace(/\/\/[^/@]*@/, '//***@').slice(0, 300)}, and redirects are not followed`, hint: 'Give the address it points to, if that is the server.' };
  }
  const words = bodyWords(body);
  return { code: 'http_status', status, reason: `was answered ${statusLine}${words === '' ? '' : `: ${words}`}`, ...(status === 401 || status === 403 ? { hint: 'Is a header missing that says who asks?' } : {}), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** An answer that is not what was wanted, with its beginning: `was answered 200 OK with text/html, which is no JSON: "<html>…"`. */
export function unwantedAnswer({ statusLine, contentType }: Head, what: string, body: string): FailureDetails {
  return { code: 'http_answer', reason: `was answered ${statusLine}${contentType === '' ? '' : ` with ${contentType}`}, which is ${what}: ${bodyExcerpt(body)}` };
}
