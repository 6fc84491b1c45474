/** Server-sent events: JSON blocks as they come. */
import { type AnswerReader, type Head, isSuccess, statusFailure, unwantedAnswer } from './answer';
import type { Call, HttpClient } from './client';
import { jsonOf } from './json-answer';

/** Characters that one block may have. */
const largestBlock = 16 * 1024 * 1024;

/**
 * Asks for a stream and yields the JSON of its blocks. Ending the iteration early ends the request.
 *
 * @throws {RequestFailure} as `HttpClient.request`, also in the middle: the connection broke, the time was up, a block is no JSON
 */
export async function* streamJson(client: HttpClient, call: Call): AsyncGenerator<unknown, void, undefined> {
  const queue: unknown[] = [];
  const early = new AbortController();
  const signal = call.signal === undefined ? early.signal : AbortSignal.any([call.signal, early.signal]);
  let wake = (): void => undefined;
  let ended = false;
  const whole = client
    .send({ ...call, accept: 'text/event-stream', signal }, blockReader(client, call, (block) => {
      queue.push(block);
      wake();
    }))
    .finally(() => {
      ended = true;
      wake();
    });
  whole.catch(() => undefined);
  try {
    for (;;) {
      if (queue.length > 0) yield queue.shift();
      else if (ended) return await whole;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    early.abort();
  }
}

function blockReader(client: HttpClient, call: Call, onBlock: (block: unknown) => void): AnswerReader<void> {
  const { createParser } = require('eventsource-parser') as typeof import('eventsource-parser');
  const decoder = new TextDecoder();
  let head: Head | undefined;
  /** Body of an answer that is no stream of events. */
  let other: string | undefined;
  const parser = createParser({
    maxBufferSize: largestBlock,
    onEvent: ({ data }) => {
      const block = jsonOf(data);
      if (block === undefined) throw client.failure(call, unwantedAnswer(head as Head, 'no stream of JSON', data));
      onBlock(block);
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw client.failure(call, { code: 'http_too_large', reason: `was answered with a block of more than ${largestBlock / 1024 / 1024} Mi characters` });
    },
  });
  return {
    head(given) {
      head = given;
      if (!isSuccess(given.status) || given.contentType !== 'text/event-stream') other = '';
    },
    data(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      if (other === undefined) parser.feed(text);
      else other += text;
    },
    end() {
      // The last block may lack its blank line.
      if (other === undefined) return parser.feed(`${decoder.decode()}\n\n`);
      throw client.failure(call, statusFailure(head as Head, other) ?? unwantedAnswer(head as Head, 'no stream of events', other));
    },
  };
}
