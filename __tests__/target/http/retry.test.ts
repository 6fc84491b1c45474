import { RequestFailure } from '../../../src/target/http/failure';
import { withRetries } from '../../../src/target/http/retry';

const failure = (code: string, status?: number, retryAfter?: string): RequestFailure => new RequestFailure('GET /x', { code, reason: 'failed', ...(status !== undefined && { status }), ...(retryAfter !== undefined && { retryAfter }) });
const busy = (status: number): RequestFailure => failure('http_status', status, '0');

/** Runs with an attempt for each outcome; gives how often it was tried and what came of it. */
async function tries(outcomes: readonly (RequestFailure | Error | string)[], options: { readonly retries?: number; readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}): Promise<readonly [number, unknown]> {
  let count = 0;
  const attempt = (): Promise<string> => {
    const outcome = outcomes[Math.min(count++, outcomes.length - 1)];
    return typeof outcome === 'string' ? Promise.resolve(outcome) : Promise.reject(outcome ?? new Error('none'));
  };
  const result = await withRetries(attempt, { retries: 2, timeoutMs: 20_000, ...options }).catch((thrown: unknown) => thrown);
  return [count, result];
}

test.each([429, 503])('%i is tried again, twice', async (status) => {
  expect(await tries([busy(status), busy(status), 'ok'])).toEqual([3, 'ok']);
  expect((await tries([busy(status)]))[0]).toBe(3);
});

test('a refused connection is tried again after a pause', async () => {
  const start = performance.now();
  expect(await tries([failure('http_refused'), 'ok'])).toEqual([2, 'ok']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(240);
});

test.each([
  ['500', failure('http_status', 500)],
  ['502', failure('http_status', 502)],
  ['404', failure('http_status', 404)],
  ['a reset', failure('http_reset')],
  ['a timeout', failure('http_timeout')],
  ['an abort', failure('http_aborted')],
  ['a redirect', failure('http_redirect', 302)],
  ['a wrong answer', failure('http_answer')],
  ['anything else', new TypeError('x')],
])('%s is not', async (_name, thrown) => {
  expect(await tries([thrown, 'ok'])).toEqual([1, thrown]);
});

test('not when nobody wants it', async () => {
  expect((await tries([busy(503), 'ok'], { retries: 0 }))[0]).toBe(1);
});

test.each(['3600', 'Wed, 01 Jan 2087 00:00:00 GMT'])('Retry-After %s is longer than the time: the answer is given at once', async (retryAfter) => {
  expect((await tries([failure('http_status', 503, retryAfter), 'ok'], { timeoutMs: 60_000 }))[0]).toBe(1);
});

test.each(['0', '0.01', 'Wed, 01 Jan 2020 00:00:00 GMT'])('Retry-After %s is short', async (retryAfter) => {
  expect(await tries([failure('http_status', 503, retryAfter), 'ok'])).toEqual([2, 'ok']);
});

test('all attempts and pauses share one limit', async () => {
  const limits: number[] = [];
  const attempt = (timeoutMs: number): Promise<string> => {
    limits.push(timeoutMs);
    return limits.length < 3 ? Promise.reject(busy(429)) : Promise.resolve('ok');
  };
  await withRetries(attempt, { retries: 2, timeoutMs: 20_000 });
  expect(limits[0]).toBeLessThanOrEqual(20_000);
  expect(limits[1]).toBeLessThan(limits[0] ?? 0);
  expect(limits[2]).toBeLessThan(limits[1] ?? 0);
});

test('aborted while it was tried: no further attempt, and no pause', async () => {
  expect((await tries([failure('http_status', 429, '3600'), 'ok'], { signal: AbortSignal.abort(), timeoutMs: 10_000_000 }))[0]).toBe(1);
});

test('aborted in a pause: no further attempt', async () => {
  const controller = new AbortController();
  const trying = tries([failure('http_status', 429, '10'), 'ok'], { signal: controller.signal });
  setImmediate(() => controller.abort());
  expect((await trying)[0]).toBe(1);
});
