import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { parseBaseUrl } from '../../../src/target/http/base-url';
import { HttpClient } from '../../../src/target/http/client';
import { type Environment, proxyFor } from '../../../src/target/http/proxy';
import { listen, requestInChild, serve } from '../../support/http-server';
import { startProxy } from '../../support/proxy-server';
import { ensureBuilt, repoRoot } from '../../support/package-under-test';

test.each<[string, Environment, string | undefined]>([
  ['http://h', {}, undefined],
  ['http://h', { HTTP_PROXY: 'http://p:1' }, 'http://p:1'],
  ['http://h', { http_proxy: 'http://low:1', HTTP_PROXY: 'http://up:1' }, 'http://low:1'],
  ['http://h', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://h', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://h', { https_proxy: 'p:1' }, 'http://p:1'],
  ['https://h', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://h', { ALL_PROXY: 'socks5://p:1' }, 'socks5://p:1'],
  ['https://h', { HTTPS_PROXY: '', ALL_PROXY: 'http://all' }, 'http://all'],
  ['http://h', { HTTP_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['http://h', { HTTP_PROXY: 'http://p:1', no_proxy: 'a.com, h' }, undefined],
  ['http://a.h.com', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'h.com' }, undefined],
  ['http://a.h.com', { HTTP_PROXY: 'http://p:1', NO_PROXY: '.h.com' }, undefined],
  ['http://a.h.com', { HTTP_PROXY: 'http://p:1', NO_PROXY: '*.H.com' }, undefined],
  ['http://ah.com', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'h.com' }, 'http://p:1'],
  ['http://h:81', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'h:80' }, 'http://p:1'],
  ['http://h:80', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'h:80' }, undefined],
  ['http://10.0.0.1', { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.1' }, undefined],
  ['http://[fd00::1]', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'fd00::1' }, undefined],
  ['http://[fd00::1]:8', { HTTP_PROXY: 'http://p:1', NO_PROXY: '[fd00::1]:8' }, undefined],
  ['http://10.2.3.4', { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, undefined],
  ['http://11.2.3.4', { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, 'http://p:1'],
  ['http://[fd00::7]:8', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'a.com,fd00::/8' }, undefined],
  ['http://[fe00::7]:8', { HTTP_PROXY: 'http://p:1', NO_PROXY: '[fd00::]/8' }, 'http://p:1'],
  ['http://10.2.3.4', { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/33, 10.0.0/8, /8' }, 'http://p:1'],
  ['http://ten.example', { HTTP_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, 'http://p:1'],
  ['http://h', { HTTP_PROXY: 'http://p:1', NO_PROXY: '' }, 'http://p:1'],
  ['http://localhost:8000', { HTTP_PROXY: 'http://p:1', ALL_PROXY: 'http://p:1' }, undefined],
  ['https://127.0.0.1', { HTTPS_PROXY: 'http://p:1' }, undefined],
])('%s with %j goes through %s', (url, env, expected) => {
  expect(proxyFor(parseBaseUrl(url), env)).toBe(expected);
});

describe('a real proxy, asked from a process of its own', () => {
  const running: { close(): Promise<void> }[] = [];
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    running.push(started);
    return started;
  };
  beforeAll(() => ensureBuilt(), 240_000);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.close()));
  });

  test('gets plain requests with their whole URL, headers repeated and body whole, and its own password', async () => {
    const target = await kept(serve((request, response) => request.pipe(response)));
    const proxy = await kept(startProxy(target.port));
    const outcomes = await requestInChild({
      url: 'http://agent.example.com:8000/pre',
      headers: [['X-Many', 'a'], ['X-Many', 'b']],
      env: { HTTP_PROXY: proxy.url.replace('//', '//user:p%40ss@') },
      calls: [{ method: 'POST', segments: ['run it'], body: { ü: 1 } }, { method: 'POST', segments: ['run it'], body: { ü: 2 } }, { method: 'GET', segments: ['..', 'x'] }],
    });
    expect(outcomes).toEqual([{ text: '{"ü":1}' }, { text: '{"ü":2}' }, { code: 'bad_path', message: expect.stringContaining('/pre/%2E%2E/x') }]);
    expect(proxy.seen.map(([method, url]) => [method, url])).toEqual(Array(2).fill(['POST', 'http://agent.example.com:8000/pre/run%20it']));
    const headers = proxy.seen[0]?.[2] ?? [];
    expect(headers.filter((_value, index) => index % 2 === 1 && headers[index - 1] === 'X-Many')).toEqual(['a', 'b']);
    expect(headers).toContain(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  }, 60_000);

  test('is asked for a tunnel to a TLS server', async () => {
    const pem = (name: string): Buffer => readFileSync(join(repoRoot, '__tests__/fixtures/tls', name));
    const target = await kept(listen(createTlsServer({ key: pem('key.pem'), cert: pem('other.pem') }, (request, response) => response.end(request.headers.authorization))));
    const proxy = await kept(startProxy(target.port));
    const calls = [{ method: 'GET', segments: ['x'] }];
    const [outcome] = await requestInChild({ url: 'https://agent.example.com/pre', headers: [['Authorization', 'Bearer s3cret']], env: { HTTPS_PROXY: proxy.url }, calls }, { NODE_EXTRA_CA_CERTS: join(repoRoot, '__tests__/fixtures/tls/other.pem') });
    expect(outcome).toEqual({ text: 'Bearer s3cret' });
    expect(proxy.seen.map(([method, url]) => [method, url])).toEqual([['CONNECT', 'agent.example.com:443']]);
    expect(JSON.stringify(proxy.seen)).not.toContain('s3cret');
  }, 60_000);

  test('that is not there is a failure', async () => {
    const proxy = await startProxy(1);
    await proxy.close();
    const calls = [{ method: 'GET', segments: ['x'] }];
    expect(await requestInChild({ url: 'http://agent.example.com', env: { ALL_PROXY: proxy.url }, calls })).toEqual([{ code: 'http_refused', message: expect.stringContaining('agent.example.com, through a proxy') }]);
  }, 60_000);
});

test('a proxy whose URL cannot be used is refused, its password not shown', async () => {
  const client = new HttpClient({ base: parseBaseUrl('http://agent.example.com'), headers: [], timeoutMs: 20_000, env: { HTTP_PROXY: 'gopher://me:s3cret@p' } });
  const failure = await client.request({ method: 'GET', segments: ['x'] }).catch((thrown: Error) => thrown);
  expect(failure).toMatchObject({ code: 'bad_proxy' });
  expect((failure as Error).message).not.toContain('s3cret');
});

test('this machine is asked directly whatever the environment says', async () => {
  const target = await serve((_request, response) => void response.end('direct'));
  const client = new HttpClient({ base: parseBaseUrl(target.url), headers: [], timeoutMs: 20_000, env: { HTTP_PROXY: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' } });
  expect((await client.request({ method: 'GET', segments: [] })).text).toBe('direct');
  client.close();
  await target.close();
});
