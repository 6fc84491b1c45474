import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerCache } from '../../src/judge/cache';
import { ModelError } from '../../src/judge/client';
import { ModelLimit } from '../../src/judge/limit';
import { failureOf, waitBefore } from '../../src/judge/retry';
import { manualClock, settle } from '../inference/helpers';
import { httpError, never, scriptedClient } from './support';

const ask = { prompt: 'p', sample: 0 };

describe('a model that fails', () => {
  test.each([408, 429, 500, 502, 503, 504])('is asked again after %d', async (status) => {
    const { client, requests } = scriptedClient((_request, call) => {
      if (call < 3) throw httpError(status);
      return 'fine';
    });
    expect((await client.ask(ask, never)).content?.parts?.[0]?.text).toBe('fine');
    expect(requests).toHaveLength(3);
  });

  test.each([
    ['a refused key', httpError(401, 'bad key'), 1],
    ['a bug', new TypeError('x is not a function'), 1],
    ['503 to the end', httpError(503, 'busy'), 5],
    ['a broken connection to the end', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 5],
  ])('is an error in the end: %s', async (_name, thrown, tries) => {
    const { client, requests } = scriptedClient(() => {
      throw thrown;
    });
    const failure = client.ask(ask, never);
    await expect(failure).rejects.toBeInstanceOf(ModelError);
    await expect(failure).rejects.toMatchObject({ code: 'model_failed', message: expect.stringMatching(/^judge scripted-\d+ .*: /) as string });
    expect(requests).toHaveLength(tries);
  });

  test('E64 an empty or cut-off answer is asked for again, and then an error with what there was', async () => {
    const { client, requests } = scriptedClient(() => ({ content: { parts: [{ text: '{"is_the_agent' }] }, finishReason: 'MAX_TOKENS' }));
    await expect(client.ask(ask, never)).rejects.toMatchObject({ code: 'model_silent', message: expect.stringContaining('its answer was cut off (MAX_TOKENS): "{\\"is_the_agent"') as string, excerpt: '"{\\"is_the_agent"' });
    expect(requests).toHaveLength(5);
    const silent = scriptedClient(() => ({ content: { parts: [{ text: 'hm', thought: true }] } }));
    await expect(silent.client.ask(ask, never)).rejects.toThrow('its answer was empty');
  });

  test('a blocked answer is an error at once', async () => {
    const { client, requests } = scriptedClient(() => ({ errorCode: 'SAFETY', errorMessage: 'blocked' }));
    await expect(client.ask(ask, never)).rejects.toThrow('it gave no answer (SAFETY: blocked)');
    expect(requests).toHaveLength(1);
  });

  test('one that never answers is given up on, and asked again', async () => {
    const clock = manualClock();
    const { client, requests } = scriptedClient((_request, call) => (call === 1 ? new Promise<string>(() => undefined) : 'late'), { clock, timeoutMs: 1000 });
    const answer = client.ask(ask, never);
    await settle();
    clock.advance(1000);
    await settle();
    clock.advance(60_000);
    expect((await answer).content?.parts?.[0]?.text).toBe('late');
    expect(requests).toHaveLength(2);
  });

  test('an abort ends waiting and asking at once', async () => {
    const stop = new AbortController();
    const { client } = scriptedClient(() => new Promise<string>(() => undefined));
    const answer = client.ask(ask, stop.signal);
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });
});

describe('how long to wait', () => {
  test.each([
    ['seconds in a header', { headers: { 'Retry-After': '7' } }, 7000],
    ['Headers of fetch', { response: { headers: new Headers({ 'retry-after': '2' }) } }, 2000],
    ['a Google API error', { message: '{"error":{"details":[{"@type":"…RetryInfo","retryDelay":"3.5s"}]}}' }, 3500],
    ['milliseconds of a client', { retryAfterMs: 40 }, 40],
    ['nothing', {}, undefined],
  ])('%s', (_name, more, expected) => {
    expect(failureOf({ status: 429, ...more }).retryAfterMs).toBe(expected);
  });

  test('twice as long each time, up to a minute, unless the model says how long', () => {
    expect([1, 2, 3, 4, 9].map((attempt) => waitBefore(attempt, undefined, 0.5))).toEqual([1000, 2000, 4000, 8000, 60_000]);
    expect(waitBefore(1, undefined, 0)).toBe(750);
    expect(waitBefore(1, 12_000, 0.9)).toBe(12_000);
  });
});

describe('how many at once', () => {
  test('never more than the limit', async () => {
    const { client, peak } = scriptedClient(() => Promise.resolve('ok'), { atOnce: 3 });
    await Promise.all(Array.from({ length: 12 }, (_, sample) => client.ask({ prompt: 'p', sample }, never)));
    expect(peak()).toBe(3);
  });

  test('"too many requests" halves it, and success grows it back', async () => {
    const limit = new ModelLimit('growing', 8);
    const { client } = scriptedClient((_request, call) => {
      if (call <= 2) throw httpError(429);
      return 'ok';
    }, { limit });
    await client.ask(ask, never);
    expect(limit.current).toBe(2);
    for (let sample = 0; sample < 8; sample += 1) await client.ask({ prompt: 'p', sample }, never);
    // 2 successes at 2, 3 at 3, 4 at 4: the first of them is the one above.
    expect(limit.current).toBe(5);
    for (let sample = 0; sample < 60; sample += 1) await client.ask({ prompt: 'p', sample }, never);
    expect(limit.current).toBe(8);
  });
});

describe('the cache', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-cache-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('answers the same question once, and another sample, model setting or prompt anew', async () => {
    const cache = new AnswerCache(folder);
    const { client, requests, ledger } = scriptedClient((_request, call) => ({ content: { parts: [{ text: `answer ${call}` }] }, usage: { totalTokenCount: 5 } }), { cache });
    const text = async (request: Parameters<typeof client.ask>[0]): Promise<string | undefined> => (await client.ask(request, never)).content?.parts?.[0]?.text;
    expect(await text(ask)).toBe('answer 1');
    expect(await text({ ...ask, config: {} })).toBe('answer 1');
    expect(await text({ ...ask, sample: 1 })).toBe('answer 2');
    expect(await text({ ...ask, config: { temperature: 0 } })).toBe('answer 3');
    expect(await text({ ...ask, prompt: 'q' })).toBe('answer 4');
    expect(requests).toHaveLength(4);
    expect(ledger.report()).toMatchObject({ judge: [{ calls: 4, cached: 1, totalTokens: 20 }] });
  });

  test('keeps no failure, and takes a damaged file for none', async () => {
    const { client } = scriptedClient(() => ({ errorCode: 'SAFETY' }), { cache: new AnswerCache(folder) });
    const before = readdirSync(folder, { recursive: true }).length;
    await expect(client.ask(ask, never)).rejects.toThrow('SAFETY');
    expect(readdirSync(folder, { recursive: true })).toHaveLength(before);
  });
});
