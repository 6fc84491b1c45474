import { isLoopback, looksLikeUrl, parseBaseUrl, pathBelow, segmentProblem } from '../../../src/target/http/base-url';
import { JestAdkError } from '../../../src/support/errors';

describe('the address of a server', () => {
  test.each([
    ['http://127.0.0.1:8000', { secure: false, host: '127.0.0.1', port: 8000, authority: '127.0.0.1:8000', path: '', text: 'http://127.0.0.1:8000' }],
    ['http://127.0.0.1:8000/', { path: '', text: 'http://127.0.0.1:8000' }],
    ['https://agent.example.com', { secure: true, host: 'agent.example.com', port: 443, authority: 'agent.example.com' }],
    ['https://agent.example.com:443/', { port: 443, authority: 'agent.example.com' }],
    ['http://agent.example.com:443', { secure: false, port: 443, authority: 'agent.example.com:443' }],
    ['http://h/prefix', { path: '/prefix', text: 'http://h/prefix', port: 80 }],
    ['http://h/prefix/', { path: '/prefix' }],
    ['http://h/a/b//', { path: '/a/b' }],
    ['HTTP://H/Prefix', { host: 'h', path: '/Prefix' }],
    ['http://[::1]:8000/x', { host: '::1', port: 8000, authority: '[::1]:8000' }],
    ['http://h/a%20b', { path: '/a%20b' }],
    ['http://bücher.example/ä', { host: 'xn--bcher-kva.example', path: '/%C3%A4' }],
  ])('%s', (text, expected) => {
    expect(parseBaseUrl(text)).toMatchObject(expected);
  });

  test.each([
    ['ftp://h', '"ftp://h" does not start with http:// or https://'],
    ['localhost:8000', '"localhost:8000" does not start with http:// or https://'],
    ['', '"" does not start with http:// or https://'],
    [' http://h', '" http://h" does not start with'],
    ['http:h', 'does not start with'],
    ['http://', '"http://" cannot be read'],
    ['http:///h', 'cannot be read'],
    ['http://h:99999', '"http://h:99999" cannot be read'],
    ['http://h:port', 'cannot be read'],
    ['http://a b', 'cannot be read'],
    ['http://h/?q=1', 'carries a query or a hash'],
    ['http://h/#top', 'carries a query or a hash'],
    ['http://h?', 'carries a query or a hash'],
  ])('%j is refused', (text, message) => {
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ code: 'bad_url', message: expect.stringContaining(message) }));
  });

  test.each(['https://me:s3cret@h', 'https://s3cret@h/x', 'https://me:s3cret@h/?q', 'https://me:s3cret@h:x', 'ftp://me:s3cret@h', 'http:me:s3cret@h'])('credentials in %s are refused and not repeated', (text) => {
    let thrown: unknown;
    try {
      parseBaseUrl(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(JestAdkError);
    expect((thrown as Error).message).not.toContain('s3cret');
    expect((thrown as Error).message).toContain('***@');
  });
});

describe('a path below it', () => {
  test.each([
    [['run'], '/run'],
    [['apps', 'my app', 'users'], '/apps/my%20app/users'],
    [["it's (fine)!*"], '/it%27s%20%28fine%29%21%2A'],
    [['a-b._~c'], '/a-b._~c'],
    [['ü/?#%'], '/%C3%BC%2F%3F%23%25'],
    [['..'], '/%2E%2E'],
    [['.'], '/%2E'],
    [['...'], '/%2E%2E%2E'],
    [['a..b'], '/a..b'],
    [['\ud83d'], '/%EF%BF%BD'],
    [['+&=:@'], '/%2B%26%3D%3A%40'],
  ])('%j', (segments, path) => {
    expect(pathBelow('', segments)).toBe(path);
    expect(pathBelow('/pre', segments)).toBe(`/pre${path}`);
  });

  test.each([['', 'it is empty'], ['a/b', 'it contains "/"'], ['a\0', 'it contains a NUL character'], ['a\\b ü..', undefined]])('segment %j', (text, problem) => {
    expect(segmentProblem(text)).toBe(problem);
  });
});

test.each([
  ['http://localhost:1', true],
  ['http://agent.localhost', true],
  ['http://127.0.0.1', true],
  ['http://127.1.2.3', true],
  ['http://[::1]', true],
  ['http://[::ffff:127.0.0.1]', true],
  ['http://localhost.example.com', false],
  ['http://128.0.0.1', false],
  ['http://127.example.com', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isLoopback(parseBaseUrl(url))).toBe(expected);
});

test.each([['http://x', true], ['HTTPS://x', true], ['http:x', true], ['./http', false], ['https', false], ['package/http://', false]])('%s is an address and no module: %s', (text, expected) => {
  expect(looksLikeUrl(text)).toBe(expected);
});
