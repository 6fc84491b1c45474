import fc from 'fast-check';
import { parseBaseUrl } from '../../../src/target/http/base-url';
import { type Call, HttpClient } from '../../../src/target/http/client';
import { RequestFailure } from '../../../src/target/http/failure';
import { streamJson } from '../../../src/target/http/sse';
import { deferred, settle } from '../../inference/helpers';
import { type LocalServer, serve } from '../../support/http-server';

const call: Call = { method: 'POST', segments: ['run_sse'], body: {} };

/** What the next answer is made of: it is written piece by piece. */
let pieces: readonly (Buffer | string)[] = [];
let head: { readonly status: number; readonly type: string } = { status: 200, type: 'text/event-stream' };
/** How the answer ends. */
let ending: 'end' | 'drop' | 'open' = 'end';
let closed = deferred();
let server: LocalServer;
let client: HttpClient;

beforeAll(async () => {
  server = await serve((request, response) => {
    response.once('close', () => closed.resolve());
    void (async () => {
      response.writeHead(head.status, { 'content-type': head.type });
      for (const piece of pieces) {
        response.write(piece);
        await settle();
      }
      if (ending === 'end') response.end();
      else if (ending === 'drop') request.socket.destroy();
    })();
  });
  client = new HttpClient({ base: parseBaseUrl(server.url), headers: [], timeoutMs: 20_000, env: {} });
});
afterAll(async () => {
  client.close();
  await server.close();
});
beforeEach(() => {
  head = { status: 200, type: 'text/event-stream' };
  ending = 'end';
  closed = deferred();
});

async function blocks(given: readonly (Buffer | string)[], more: Partial<Call> = {}): Promise<readonly unknown[]> {
  pieces = given;
  const seen: unknown[] = [];
  try {
    for await (const block of streamJson(client, { ...call, ...more })) seen.push(block);
  } catch (thrown) {
    if (!(thrown instanceof RequestFailure)) throw thrown;
    seen.push(`${thrown.code}: ${thrown.message}`);
  }
  return seen;
}

test.each<[string, readonly string[], readonly unknown[]]>([
  ['blocks', ['data: {"a":1}\n\n', 'data: {"a":2}\n\n'], [{ a: 1 }, { a: 2 }]],
  ['CRLF', ['data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n'], [{ a: 1 }, { a: 2 }]],
  ['comments, names and ids', [': keep-alive\n\nevent: message\nid: 7\nretry: 10\ndata: {"a":1}\n\n: bye\n\n'], [{ a: 1 }]],
  ['one block over several data lines', ['data: {"a":\ndata: 1}\n\n'], [{ a: 1 }]],
  ['no blank after the colon', ['data:{"a":1}\n\n'], [{ a: 1 }]],
  ['no blank line at the end', ['data: {"a":1}\n\ndata: {"a":2}'], [{ a: 1 }, { a: 2 }]],
  ['no line break at the end', ['data: {"a":1}\n'], [{ a: 1 }]],
  ['nothing', [], []],
  ['only comments', [': x\n\n'], []],
  ['unknown fields', ['foo: bar\n\ndata: {"a":1}\n\n'], [{ a: 1 }]],
  ['big integers', ['data: {"a":12345678901234567890}\n\n'], [{ a: 12345678901234567890n }]],
  ['half a surrogate', ['data: {"a":"\\ud83d"}\n\n'], [{ a: '\ud83d' }]],
])('%s', async (_name, given, expected) => {
  expect(await blocks(given)).toEqual(expected);
});

test('a stream cut anywhere, also within a character, is the same stream', async () => {
  const events = [{ text: 'grün 🌱 ここ' }, { text: 'a\nb' }, { n: [1, 2] }];
  for (const lineBreak of ['\n', '\r\n']) {
    const bytes = Buffer.from(events.map((event) => `: c${lineBreak}${lineBreak}data: ${JSON.stringify(event)}${lineBreak}${lineBreak}`).join(''));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(await blocks(at.slice(1).map((end, index) => bytes.subarray(at[index], end)).filter(({ length }) => length > 0))).toEqual(events);
      }),
      { numRuns: 40 },
    );
  }
});

test('blocks are there as they come, not when the stream has ended', async () => {
  ending = 'open';
  pieces = ['data: 1\n\n', 'data: 2\n\n'];
  const stream = streamJson(client, call);
  expect([(await stream.next()).value, (await stream.next()).value]).toEqual([1, 2]);
  await stream.return();
  await closed.promise;
});

test('the connection breaks: what came is there, then the failure', async () => {
  ending = 'drop';
  expect(await blocks(['data: {"a":1}\n\n', 'data: {"a":2}'])).toEqual([{ a: 1 }, expect.stringMatching(/^http_reset: POST \/run_sse failed: the server closed the connection while it was answering \(ECONNRESET/)]);
});

test('a stream that never ends is over when the time is', async () => {
  ending = 'open';
  expect(await blocks(['data: {"a":1}\n\n'], { timeoutMs: 80 })).toEqual([{ a: 1 }, 'http_timeout: POST /run_sse was not answered within 80 ms.']);
  await closed.promise;
});

test('aborted in the middle: the server sees it', async () => {
  ending = 'open';
  pieces = ['data: 1\n\n'];
  const controller = new AbortController();
  const stream = streamJson(client, { ...call, signal: controller.signal });
  await stream.next();
  const next = stream.next();
  controller.abort();
  await expect(next).rejects.toMatchObject({ code: 'http_aborted' });
  await closed.promise;
});

test.each<[string, number, string, readonly string[], string]>([
  ['an error', 500, 'text/plain', ['Internal ', 'Server Error'], 'http_status: POST /run_sse was answered 500 Internal Server Error: Internal Server Error.'],
  ['an error with the type of a stream', 404, 'text/event-stream', ['{"detail":"Session not found"}'], 'http_status: POST /run_sse was answered 404 Not Found: Session not found.'],
  ['a page', 200, 'text/html', ['<p>sign in</p>'], 'http_answer: POST /run_sse was answered 200 OK with text/html, which is no stream of events: "<p>sign in</p>".'],
  ['a block that is no JSON', 200, 'text/event-stream', ['data: {"a":\n\n'], 'http_answer: POST /run_sse was answered 200 OK with text/event-stream, which is no stream of JSON: "{\\"a\\":".'],
  ['a cut block at the end', 200, 'text/event-stream', ['data: {"a":'], 'http_answer: POST /run_sse was answered 200 OK with text/event-stream, which is no stream of JSON: "{\\"a\\":".'],
])('%s in place of a stream', async (_name, status, type, given, expected) => {
  head = { status, type };
  expect(await blocks(given)).toEqual([expected]);
});

test('a block that does not end is refused', async () => {
  expect(await blocks(Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x')))).toEqual(['http_too_large: POST /run_sse was answered with a block of more than 16 Mi characters.']);
});
