import { adkServerTarget } from '../../src/target/adk-server';
import { deferred, evalCase } from '../inference/helpers';
import { type FakeServer, startFakeServer } from '../support/fake-server';
import { serve } from '../support/http-server';
import { answersOf, runRemote } from '../support/remote-run';

describe.each(['python', 'js'] as const)('a server that speaks %s', (dialect) => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await startFakeServer(dialect);
  });
  afterAll(() => server.stop());

  test('a case is run in a session of the server’s, which is deleted', async () => {
    await server.script({ replies: [{ match: 'hello', calls: [{ name: 'greet', args: { toWhom: 'you', snake_key: null } }], responses: [{ name: 'greet', response: { said: 'hi' } }], text: 'Hi!' }] });
    const { records, warnings } = await runRemote(server.url, [evalCase('a', ['hello', 'more'])]);
    expect(warnings).toEqual([]);
    expect(records).toMatchObject([{ endReason: 'completed', ids: { appName: 'my_agent', userId: 'eval_user' } }]);
    expect(records.map(answersOf)).toEqual([['Hi!', 'echo: more']]);
    expect(records[0]?.invocations[0]?.toolCalls).toMatchObject([{ name: 'greet', args: { toWhom: 'you', snake_key: null }, response: { response: { said: 'hi' } } }]);
    const turn = (text: string): object => ({ appName: 'my_agent', userId: 'eval_user', sessionId: records[0]?.ids.sessionId, newMessage: { role: 'user', parts: [{ text }] } });
    expect((await server.requests()).map(({ method, route, body, status }) => [method, route, body, status])).toEqual([
      ['GET', 'list-apps', undefined, 200],
      ['POST', 'create-session', {}, 200],
      ['POST', 'run', turn('hello'), 200],
      ['POST', 'run', turn('more'), 200],
      ['DELETE', 'delete-session', undefined, dialect === 'js' ? 204 : 200],
    ]);
    expect(await server.stats()).toMatchObject({ sessionsCreated: 1, sessionsLeftOver: 0 });
  });

  test('by a stream it is the same, pieces left out', async () => {
    await server.script({ replies: [{ match: 'hello', steps: [{ calls: [{ name: 'greet', args: {} }] }, { responses: [{ name: 'greet', response: {} }] }, { text: 'Good day to you' }], sse: { crlf: true, comments: true, splitBytes: 7, noBlank: true } }] });
    const [whole, streamed] = [await runRemote(server.url, [evalCase('a', ['hello', 'more'])]), await runRemote(server.url, [evalCase('a', ['hello', 'more'])], { stream: true })];
    expect(streamed.records.map(answersOf)).toEqual([['Good day to you', 'echo: more']]);
    expect(streamed.records.map(answersOf)).toEqual(whole.records.map(answersOf));
    expect(streamed.records[0]?.invocations.map(({ toolCalls, responses }) => [toolCalls.length, responses.length])).toEqual([[1, 1], [0, 1]]);
    const requests = await server.requests();
    expect(requests.filter(({ route }) => route === 'run_sse').map(({ body }) => (body as { streaming?: unknown }).streaming)).toEqual([true, true]);
    expect(requests.filter(({ route }) => route === 'run').map(({ body }) => Object.keys(body as object))).toEqual(Array(2).fill(['appName', 'userId', 'sessionId', 'newMessage']));
  });

  test('a base path, and headers with every request', async () => {
    await server.script({ basePath: '/pre%20fix', requireHeaders: { authorization: 'Bearer s3cret', 'x-many': ['a', 'b'] } });
    const headers = [['Authorization', 'Bearer s3cret'], ['X-Many', 'a'], ['X-Many', 'b']] as const;
    const { records } = await runRemote(`${server.url}/pre%20fix/`, [evalCase('a', ['hello'])], { headers });
    expect(records.map(answersOf)).toEqual([['echo: hello']]);
    const seen = await server.requests();
    expect(seen.length).toBeGreaterThan(0);
    for (const { url, rawHeaders } of seen) {
      expect(url).toMatch(/^\/pre%20fix\//);
      expect(rawHeaders.filter((_value, index) => index % 2 === 1 && /^x-many$/i.test(rawHeaders[index - 1] ?? ''))).toEqual(['a', 'b']);
    }
  });
});

describe('which app', () => {
  const unnamed = 'Name the app yourself: --app-name on the command line, the option "appName" in code.';
  test.each<[string, number, Readonly<Record<string, string>>, string, string, string]>([
    ['none', 200, {}, '[]', 'no_app', 'The server has no apps: GET /list-apps was answered with an empty list.'],
    ['several', 200, {}, '["b","a","c"]', 'several_apps', 'The server has 3 apps (GET /list-apps): a, b, c.'],
    ['an error', 500, {}, '{"detail":"boom"}', 'http_status', 'GET /list-apps was answered 500 Internal Server Error: boom.'],
    ['a redirect', 302, { location: 'https://login.example.com' }, '', 'http_redirect', 'GET /list-apps was redirected (302 Found) to https://login.example.com, and redirects are not followed.'],
    ['a page', 200, { 'content-type': 'text/html' }, '<p>hi</p>', 'http_answer', 'GET /list-apps was answered 200 OK with text/html, which is no JSON: "<p>hi</p>".'],
    ['an object', 200, {}, '{"apps":[]}', 'http_answer', 'GET /list-apps was answered 200 OK, which is no list of names: "{\\"apps\\":[]}".'],
    ['a list of objects', 200, {}, '[{"name":"a"}]', 'http_answer', 'which is no list of names'],
    ['detailed information', 200, {}, '{"apps":[{"name":"a"}]}', 'http_answer', 'which is no list of names'],
  ])('%s', async (_name, status, headers, body, code, message) => {
    const server = await serve((_request, response) => response.writeHead(status, headers).end(body));
    const failure = await runRemote(server.url, []).catch((thrown: Error) => thrown);
    await server.close();
    expect(failure).toMatchObject({ code });
    expect((failure as Error).message).toContain(message);
    expect((failure as Error).message).toContain(unnamed);
  });

  test.each(['', '.', '..', 'a/b', 'a\\b', 'C:', 'C:x', 'a\0'])('a listed name %j is not trusted', async (name) => {
    const server = await serve((_request, response) => response.end(JSON.stringify([name])));
    await expect(runRemote(server.url, [])).rejects.toMatchObject({ code: 'unsafe_id', message: expect.stringContaining('The app name') });
    await server.close();
  });

  test('nobody listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    await expect(runRemote(server.url, [], { retries: 0 })).rejects.toMatchObject({ code: 'http_refused', message: expect.stringContaining('GET /list-apps found nobody listening') });
  });

  test('a name that is given is not asked for, and the options of the evaluation may give it', async () => {
    const target = await adkServerTarget('http://127.0.0.1:9', { appName: 'own' }).prepare?.({ appName: 'other' });
    expect(target?.appName).toBe('own');
    expect((await adkServerTarget('http://127.0.0.1:9').prepare?.({ appName: 'other' }))?.appName).toBe('other');
    await expect(adkServerTarget('http://127.0.0.1:9').prepare?.({ appName: '../x' })).rejects.toMatchObject({ code: 'unsafe_id' });
  });

  test('aborted while it is asked for', async () => {
    const arrived = deferred();
    const server = await serve(() => arrived.resolve());
    const controller = new AbortController();
    const preparing = adkServerTarget(server.url).prepare?.({ signal: controller.signal });
    await arrived.promise;
    controller.abort(new Error('interrupted by SIGINT'));
    await expect(preparing).rejects.toMatchObject({ code: 'http_aborted', message: expect.stringContaining('was aborted: interrupted by SIGINT') as string });
    await server.close();
  });

  test('busy at first: asked again', async () => {
    let count = 0;
    const server = await serve((_request, response) => void (++count < 3 ? response.writeHead(count === 1 ? 503 : 429, { 'retry-after': '0' }).end() : response.end('["a"]')));
    expect(await runRemote(server.url, [])).toEqual({ records: [], warnings: [] });
    expect(count).toBe(3);
    await server.close();
  });
});

test('everything that is wrong with the URL and the options is told at once, values of headers never', () => {
  const options = { appName: 'a/b', headers: [['x', 's3cret\n'], ['', 's3cret']], timeoutMs: 0, retries: -1, stream: 'yes', keep: true, env: 1 } as object;
  let thrown: Error | undefined;
  try {
    adkServerTarget('ftp://me:s3cret@h', options);
  } catch (error) {
    thrown = error as Error;
  }
  expect(thrown?.message.split('\n')).toEqual([
    'The URL "ftp://***@h" does not start with http:// or https://. Write it like https://agent.example.com or http://127.0.0.1:8000/prefix.',
    'The option "timeoutMs" must be a number of milliseconds above 0; got 0.',
    'The option "retries" must be a whole number of at least 0; got -1.',
    'The option "stream" must be true or false; got "yes".',
    expect.stringContaining('Unknown option "keep".'),
    'The option "env" must be an object; got 1.',
    expect.stringContaining('The app name "a/b" cannot be used as a file name.'),
    'The value of the header "x" contains a line break or a character that is not ASCII.',
    'A header has an empty name.',
  ]);
  expect(thrown).toMatchObject({ code: 'bad_url' });
});
