import fc from 'fast-check';
import { JestAdkError, toErrorInfo } from '../../src/support/errors';
import { keepSecret, redact, redacted, redactKnown, refreshSecrets, watchEnvironment } from '../../src/support/secrets';

describe('what gives a secret away', () => {
  test.each([
    ['GET https://g.co/v1/m:generate?key=AIzaSyA1234567890abcdefghijklmnopqrs&alt=sse failed', 'GET https://g.co/v1/m:generate?key=[redacted]&alt=sse failed'],
    ['the key AIzaSyA1234567890abcdefghijklmnopqrs is not valid', 'the key [redacted] is not valid'],
    ['Authorization: Bearer abc.def-123', 'Authorization: [redacted]'],
    ['{"authorization":"Bearer abc.def-123","x":1}', '{"authorization":"[redacted]","x":1}'],
    ['x-goog-api-key: abcdef123', 'x-goog-api-key: [redacted]'],
    ['sent bearer abcdefghijkl1234', 'sent bearer [redacted]'],
    ['postgres://bob:hunter2@db:5432/x', 'postgres://[redacted]@db:5432/x'],
    ['token sk-proj-abcdefghijklmnop1234 expired', 'token [redacted] expired'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
    ['jwt eyJhbGciOiJI.eyJzdWIiOiIx.sig-1', 'jwt [redacted]'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nafter', '[redacted]\nafter'],
    ['client_secret=abcdef&x=1', 'client_secret=[redacted]&x=1'],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  test.each([
    'turn 1: the model answered 503 three times',
    'tool "set_token_budget" is unknown; did you mean "set_budget"?',
    'expected 3, got 4 at eval_cases[0].conversation[1]',
    'The key "tool_use" is unknown.',
    'https://agent.example.com:8000/apps/x/users/y',
    'password is wrong',
  ])('%j stays as it is', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('known secrets', () => {
  test('are taken out of every text, also where they are part of a JSON text or of a URL', () => {
    keepSecret('s3cret"va/lue');
    expect(redactKnown('a s3cret"va/lue b')).toBe(`a ${redacted} b`);
    expect(redactKnown(JSON.stringify({ a: 's3cret"va/lue' }))).toBe(JSON.stringify({ a: redacted }));
    expect(redactKnown('q=s3cret%22va%2Flue')).toBe(`q=${redacted}`);
  });

  test.each(['true', 'staging', 'PRODUCTION', '12345678', 'short1', '/etc/keys/account.json'])('%j is too common to be one', (value) => {
    keepSecret(value);
    expect(redactKnown(`is ${value} here`)).toBe(`is ${value} here`);
  });

  test.each(['MY_API_KEY', 'GOOGLE_API_KEY', 'DB_PASSWORD', 'GITHUB_TOKEN', 'CLIENT_SECRET', 'OPENAI_APIKEY', 'aws_secret_access_key'])('the environment variable %s holds one', (name) => {
    const stop = watchEnvironment(() => ({ [name]: 'v4lue-of-it', OTHER: 'plain-v4lue' }));
    try {
      expect(redactKnown('v4lue-of-it and plain-v4lue')).toBe(`${redacted} and plain-v4lue`);
    } finally {
      stop();
      refreshSecrets();
    }
    expect(redactKnown('v4lue-of-it')).toBe('v4lue-of-it');
  });

  test.each(['GOOGLE_APPLICATION_CREDENTIALS', 'TOKEN_BUDGET', 'KEYBOARD', 'MAX_TOKENS', 'NODE_ENV'])('%s does not', (name) => {
    const stop = watchEnvironment(() => ({ [name]: 'v4lue-of-that' }));
    try {
      expect(redactKnown('v4lue-of-that')).toBe('v4lue-of-that');
    } finally {
      stop();
      refreshSecrets();
    }
  });

  test('whatever stands around it, a known secret is gone', () => {
    const secret = 'x9-Known-Secret';
    keepSecret(secret);
    fc.assert(fc.property(fc.string(), fc.string(), (before, after) => {
      expect(redact(`${before}${secret}${after}`)).not.toContain(secret);
      expect(redactKnown(JSON.stringify([before + secret + after]))).not.toContain(secret);
    }));
  });
});

test('errors are made without secrets', () => {
  const text = 'POST /x?key=abcdef12345 failed';
  expect(toErrorInfo(new Error(text)).message).toBe('POST /x?key=[redacted] failed');
  expect(toErrorInfo(text).message).toBe('POST /x?key=[redacted] failed');
  const error = new JestAdkError('x', [{ code: 'x', message: text, hint: 'Bearer abcdefghijklmnop' }]);
  expect(error.message).toBe('POST /x?key=[redacted] failed Bearer [redacted]');
  expect(error.problems[0]?.message).not.toContain('abcdef12345');
});
