import { getEventListeners } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { parseBaseUrl } from '../../../src/target/http/base-url';
import { type Call, type ClientOptions, HttpClient } from '../../../src/target/http/client';
import { RequestFailure } from '../../../src/target/http/failure';
import { requestJson } from '../../../src/target/http/json-answer';
import { deferred } from '../../inference/helpers';
import { bodyOf, listen, type LocalServer, requestInChild, serve } from '../../support/http-server';
import { ensureBuilt, repoRoot } from '../../support/package-under-test';

const clients: HttpClient[] = [];
const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function clientOf(url: string, more: Partial<ClientOptions> = {}): HttpClient {
  const client = new HttpClient({ base: parseBaseUrl(url), headers: [], timeoutMs: 20_000, env: {}, ...more });
  clients.push(client);
  return client;
}

async function opened<T extends LocalServer>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  servers.push(server);
  return server;
}

/** A server that speaks bytes: what it sends after the first data of a connection. */
async function tcp(onRequest: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => onRequest(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const run: Call = { method: 'POST', segments: ['run'], body: { text: 'hi' } };

async function failureOf(work: Promise<unknown>): Promise<RequestFailure> {
  const outcome = await work.then(() => new Error('it did not fail'), (thrown: unknown) => thrown);
  if (!(outcome instanceof RequestFailure)) throw outcome;
  return outcome;
}

describe('what is sent', () => {
  test('headers in their order, repeated names apart, JSON, and nothing that asks for gzip', async () => {
    let seen: { readonly raw: readonly string[]; readonly body: string; readonly url: string | undefined } | undefined;
    const server = await opened(
      serve((request, response) => {
        void bodyOf(request).then((body) => {
          seen = { raw: request.rawHeaders, body, url: request.url };
          response.end('{}');
        });
      }),
    );
    await clientOf(`${server.url}/pre/`, { headers: [['X-Many', 'a'], ['Authorization', 'Bearer t'], ['x-many', 'b: c'], ['Cookie', '1'], ['Cookie', '2']] }).request({ ...run, segments: ['a b', '..'], body: { big: 12345678901234567890n, text: 'ü' } });
    expect(seen?.url).toBe('/pre/a%20b/%2E%2E');
    expect(seen?.body).toBe('{"big":12345678901234567890,"text":"ü"}');
    expect(seen?.raw).toEqual(['host', `127.0.0.1:${server.port}`, 'accept', 'application/json', 'content-type', 'application/json', 'content-length', '40', 'X-Many', 'a', 'Authorization', 'Bearer t', 'x-many', 'b: c', 'Cookie', '1', 'Cookie', '2', 'Connection', 'keep-alive']);
  });

  test('a connection serves one request after the other, and each of many at once has its own', async () => {
    const waiting: (() => void)[] = [];
    const server = await opened(
      serve((request, response) => {
        if (request.url === '/one') return response.end('1');
        waiting.push(() => response.end('2'));
        if (waiting.length === 70) for (const answer of waiting) answer();
        return undefined;
      }),
    );
    const client = clientOf(server.url);
    for (let count = 0; count < 5; count += 1) await client.request({ method: 'GET', segments: ['one'] });
    expect(server.opened).toBe(1);
    const answers = await Promise.all(Array.from({ length: 70 }, () => client.request({ method: 'GET', segments: ['many'] })));
    expect(answers.map(({ text }) => text)).toEqual(Array(70).fill('2'));
    expect(server.opened).toBe(70);
  });
});

describe('answers that are none', () => {
  const long = `<html><body>${'x'.repeat(1000)}</body></html>`;
  test.each<[string, number, Readonly<Record<string, string>>, string, string]>([
    ['404 with FastAPI’s words', 404, { 'content-type': 'application/json' }, '{"detail":"Session not found"}', 'POST /run was answered 404 Not Found: Session not found.'],
    ['409', 409, {}, '{"detail":"Session already exists: 7"}', 'POST /run was answered 409 Conflict: Session already exists: 7.'],
    ['422', 422, {}, '{"detail":[{"loc":["body","userId"],"msg":"Field required"}]}', 'POST /run was answered 422 Unprocessable Entity: body.userId: Field required.'],
    ['429', 429, { 'retry-after': '3' }, '', 'POST /run was answered 429 Too Many Requests.'],
    ['500 as text', 500, { 'content-type': 'text/plain' }, 'Internal Server Error', 'POST /run was answered 500 Internal Server Error: Internal Server Error.'],
    ['500 with the TypeScript server’s words', 500, {}, '{"error":"Failed to run agent: boom","events":[]}', 'POST /run was answered 500 Internal Server Error: Failed to run agent: boom.'],
    ['502 as a page', 502, { 'content-type': 'text/html' }, '<html><title>502 Bad Gateway</title></html>', 'POST /run was answered 502 Bad Gateway: 502 Bad Gateway.'],
    ['a redirect', 307, { location: 'https://me:pw@login.example.com/?next=run' }, '', 'POST /run was redirected (307 Temporary Redirect) to https://***@login.example.com/?next=run, and redirects are not followed. Give the address it points to, if that is the server.'],
    ['a page for JSON', 200, { 'content-type': 'text/html; charset=utf-8' }, '<html>sign in</html>', 'POST /run was answered 200 OK with text/html, which is no JSON: "<html>sign in</html>".'],
    ['cut JSON', 200, { 'content-type': 'application/json' }, '[{"content": {"par', 'POST /run was answered 200 OK with application/json, which is no JSON: "[{\\"content\\": {\\"par".'],
    ['nothing', 200, {}, '', 'POST /run was answered 200 OK, which is no JSON: nothing.'],
    ['204', 204, {}, '', 'POST /run was answered 204 No Content, which is no JSON: nothing.'],
    ['gzip', 200, { 'content-encoding': 'gzip' }, '…', 'POST /run was answered in the encoding "gzip", which was not asked for.'],
    ['a long page', 200, {}, long, `POST /run was answered 200 OK, which is no JSON: ${JSON.stringify(`${long.slice(0, 299)}…`)}.`],
  ])('%s', async (_name, status, headers, body, message) => {
    const server = await opened(serve((_request, response) => response.writeHead(status, headers).end(body)));
    const failure = await failureOf(requestJson(clientOf(server.url), run));
    expect(failure.message).toBe(message);
    expect(failure.retryAfter).toBe(headers['retry-after']);
  });

  test('header values that the server repeats are hidden', async () => {
    const server = await opened(serve((request, response) => response.writeHead(401).end(`bad ${request.headers.authorization} and ${request.headers['x-key']}; token abc.def-ghi`)));
    const failure = await failureOf(clientOf(server.url, { headers: [['Authorization', 'Bearer abc.def-ghi'], ['X-Key', 'k3y-k3y']] }).request(run));
    expect(failure.message).toBe('POST /run was answered 401 Unauthorized: bad [redacted] and [redacted]; token [redacted]. Is a header missing that says who asks?');
  });

  test('64 MiB and a byte are refused while they come in; 64 MiB are read', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    const server = await opened(
      serve((request, response) => {
        const pieces = Number(request.url?.slice(1));
        sent = 0;
        const more = (): void => {
          while (sent < pieces && !response.destroyed) {
            sent += 1;
            if (!response.write(piece)) return void response.once('drain', more);
          }
          response.end(request.url === '/64' ? '' : 'y');
        };
        more();
      }),
    );
    const client = clientOf(server.url);
    expect((await client.request({ method: 'GET', segments: ['64'] })).text).toHaveLength(64 * 1024 * 1024);
    const failure = await failureOf(client.request({ method: 'GET', segments: ['1000'] }));
    expect([failure.code, failure.message]).toEqual(['http_too_large', 'GET /1000 was answered with more than 64 MiB.']);
    expect(sent).toBeLessThan(200);
  }, 30_000);

  test('more than 64 MiB that are announced are not read', async () => {
    const url = await tcp((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 70000000\r\n\r\nx'));
    expect((await failureOf(clientOf(url).request(run))).code).toBe('http_too_large');
  });
});

describe('connections that fail', () => {
  test('nobody listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const failure = await failureOf(clientOf(server.url).request(run));
    expect([failure.code, failure.message]).toEqual(['http_refused', `POST /run found nobody listening: the connection was refused (ECONNREFUSED, 127.0.0.1:${server.port}). Is the server running, and is the port right?`]);
  });

  test('nobody listens on any of the addresses of a name', async () => {
    const server = await serve(() => undefined);
    await server.close();
    expect((await failureOf(clientOf(`http://localhost:${server.port}`).request(run))).message).toContain(`the connection was refused (ECONNREFUSED, localhost:${server.port})`);
  });

  test('there is no such host', async () => {
    const failure = await failureOf(clientOf('http://nowhere.invalid').request(run));
    expect(failure.code).toBe('http_dns');
    expect(failure.message).toMatch(/\((ENOTFOUND|EAI_AGAIN), nowhere\.invalid\)/);
  });

  test.each<[string, string, (socket: Socket) => void, string]>([
    ['reset before an answer', 'http_reset', (socket) => socket.resetAndDestroy(), 'failed: the server closed the connection before it had answered (ECONNRESET'],
    ['closed before an answer', 'http_reset', (socket) => socket.end(), 'failed: the server closed the connection before it had answered (ECONNRESET'],
    ['closed after the headers', 'http_reset', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'), 'failed: the server closed the connection while it was answering (ECONNRESET'],
    ['closed in the body', 'http_reset', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[1'), 'while it was answering'],
    ['closed in a chunk', 'http_reset', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'), 'while it was answering'],
    ['closed between chunks', 'http_reset', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n'), 'while it was answering'],
    ['no HTTP', 'http_protocol', (socket) => socket.end('220 smtp.example.com ready\r\n'), 'failed: the answer is no HTTP (HPE_'],
    ['TLS where HTTP was asked for', 'http_protocol', (socket) => socket.end(Buffer.from('15030300020246', 'hex')), 'or is the URL to begin with https://?'],
  ])('%s', async (_name, code, onRequest, message) => {
    const failure = await failureOf(clientOf(await tcp(onRequest)).request(run));
    expect(failure.message).toContain(message);
    expect(failure.code).toBe(code);
  });

  test('after an answer that is an error the connection is not used again: the server may be about to close it', async () => {
    let count = 0;
    const server = await opened(
      serve((request, response) => {
        count += 1;
        if (count !== 1) return response.end('ok');
        // As Python's server does after an exception.
        response.writeHead(500).end('Internal Server Error', () => setImmediate(() => request.socket.destroy()));
        return undefined;
      }),
    );
    const client = clientOf(server.url);
    expect((await failureOf(client.request(run))).status).toBe(500);
    expect((await client.request(run)).text).toBe('ok');
    expect(server.opened).toBe(2);
  });

  test('the connection of a later request dies: that request alone fails', async () => {
    let count = 0;
    const server = await opened(serve((request, response) => void (++count === 2 ? request.socket.destroy() : response.end('ok'))));
    const client = clientOf(server.url);
    await client.request(run);
    expect((await failureOf(client.request(run))).code).toBe('http_reset');
    expect((await client.request(run)).text).toBe('ok');
    expect(count).toBe(3);
  });
});

describe('time', () => {
  test('D49 a server that never answers', async () => {
    const closed = deferred();
    const server = await opened(serve((request) => void request.on('close', () => closed.resolve())));
    const failure = await failureOf(clientOf(server.url, { timeoutMs: 60 }).request(run));
    expect([failure.code, failure.message]).toEqual(['http_timeout', 'POST /run was not answered within 60 ms.']);
    await closed.promise;
  });

  test('D49 a server that drips: the limit is for the whole answer, not for the gaps', async () => {
    const closed = deferred();
    const server = await opened(
      serve((_request, response) => {
        const timer = setInterval(() => response.write('x'), 5);
        response.on('close', () => {
          clearInterval(timer);
          closed.resolve();
        });
      }),
    );
    expect((await failureOf(clientOf(server.url, { timeoutMs: 300 }).request(run))).message).toBe('POST /run was not answered within 300 ms.');
    await closed.promise;
  });

  test('a connection that does not come about', async () => {
    // A TLS handshake that nobody answers.
    const url = (await tcp(() => undefined)).replace('http:', 'https:');
    expect((await failureOf(clientOf(url, { timeoutMs: 60 }).request(run))).code).toBe('http_timeout');
  });

  test('an answer may take longer than an idle connection is kept, and one that idles is closed before the server does', async () => {
    const closed = deferred();
    const server = await opened(
      serve((request, response) => {
        request.socket.once('close', () => closed.resolve());
        setTimeout(() => response.end('slow'), 1_800);
      }),
    );
    expect((await clientOf(server.url).request(run)).text).toBe('slow');
    await closed.promise;
  });

  test('a limit beyond what timers know does not fire at once', async () => {
    const server = await opened(serve((_request, response) => void response.end('ok')));
    expect((await clientOf(server.url, { timeoutMs: 2 ** 40 }).request(run)).text).toBe('ok');
  });

  test('aborted: the server sees the connection close', async () => {
    const arrived = deferred();
    const closed = deferred();
    const server = await opened(
      serve((request) => {
        request.socket.on('close', () => closed.resolve());
        arrived.resolve();
      }),
    );
    const controller = new AbortController();
    const failing = failureOf(clientOf(server.url).request({ ...run, signal: controller.signal }));
    await arrived.promise;
    controller.abort();
    expect((await failing).code).toBe('http_aborted');
    await closed.promise;
  });

  test('aborted before it is sent: nothing is sent', async () => {
    const server = await opened(serve((_request, response) => void response.end('ok')));
    expect((await failureOf(clientOf(server.url).request({ ...run, signal: AbortSignal.abort() }))).code).toBe('http_aborted');
    expect(server.opened).toBe(0);
  });

  test('aborted after the answer: nothing happens', async () => {
    const server = await opened(serve((_request, response) => void response.end('ok')));
    const controller = new AbortController();
    const client = clientOf(server.url);
    await client.request({ ...run, signal: controller.signal });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    controller.abort();
    expect((await client.request(run)).text).toBe('ok');
    expect(server.opened).toBe(1);
  });
});

describe('TLS', () => {
  const pem = (name: string): string => readFileSync(join(repoRoot, '__tests__/fixtures/tls', name), 'utf8');
  const secureServer = (cert: string): Promise<LocalServer> => opened(listen(createTlsServer({ key: pem('key.pem'), cert: pem(cert) }, (_request, response) => response.end('"secure"'))));

  test('a certificate that nobody vouches for', async () => {
    const server = await secureServer('cert.pem');
    const failure = await failureOf(clientOf(`https://localhost:${server.port}`).request(run));
    expect([failure.code, failure.message]).toEqual(['http_tls', `POST /run failed: the certificate is signed by the server itself (DEPTH_ZERO_SELF_SIGNED_CERT, localhost:${server.port}). If you trust it, name its authority in NODE_EXTRA_CA_CERTS.`]);
  });

  test('a server without TLS', async () => {
    const server = await opened(serve((_request, response) => void response.end('ok')));
    const failure = await failureOf(clientOf(`https://127.0.0.1:${server.port}`).request(run));
    expect([failure.code, failure.message]).toEqual(['http_tls', expect.stringContaining('Is the URL to begin with http://?')]);
  });

  test.each([
    ['cert.pem', 'trusted: it is used', { text: '"secure"' }],
    ['other.pem', 'for another host: refused', { code: 'http_tls', message: expect.stringContaining('the certificate is for another host') }],
  ])('%s, %s', async (cert, _name, expected) => {
    ensureBuilt();
    const server = await secureServer(cert);
    const [outcome] = await requestInChild({ url: `https://localhost:${server.port}`, calls: [{ method: 'GET', segments: [] }] }, { NODE_EXTRA_CA_CERTS: join(repoRoot, '__tests__/fixtures/tls', cert) });
    expect(outcome).toMatchObject(expected);
  }, 60_000);
});
