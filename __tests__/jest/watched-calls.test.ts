import { WatchedCalls } from '../../environment/watched-calls';

const makeCalls = (): WatchedCalls => new WatchedCalls((message) => new Error(message));

/** What `expect` does with the promise of a matcher, in 29.7 and 30. */
const asExpect = <T>(promise: Promise<T>): Promise<T> => promise.then((value) => value).catch((error: unknown) => Promise.reject(error as Error));
/** Should it do without the second step one day. */
const asLaterExpect = <T>(promise: Promise<T>): Promise<T> => promise.then((value) => value, (error: unknown) => Promise.reject(error as Error));

/** `await` of another realm: it always calls `then`. */
const awaitOutside = <T>(promise: Promise<T>): Promise<T> => new Promise((resolve, reject) => void queueMicrotask(() => void promise.then(resolve, reject)));

describe.each([['as expect does it', asExpect], ['as expect might do it', asLaterExpect]])('a call made through a matcher, %s', (_name, expectLike) => {
  const start = (calls: WatchedCalls, work: () => Promise<number>): Promise<number> => expectLike(calls.start('toPass()', 'a test', work, true));

  it.each([
    ['await', (promise: Promise<number>): unknown => awaitOutside(promise)],
    ['then', (promise: Promise<number>): unknown => promise.then(() => undefined)],
    ['finally', (promise: Promise<number>): unknown => promise.finally(() => undefined)],
  ])('is waited for by %s', async (_how, wait) => {
    const calls = makeCalls();
    await wait(start(calls, () => Promise.resolve(1)));
    expect(await calls.collect('a test')).toEqual([]);
  });

  it('is told when nobody waits, also after it has ended', async () => {
    const calls = makeCalls();
    void start(calls, () => Promise.resolve(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await calls.collect('a test')).map(({ message }) => message)).toEqual([expect.stringContaining('toPass() was not awaited') as string]);
    expect(await calls.collectAll()).toEqual([]);
  });

  it('is stopped when the test ends before it', async () => {
    const calls = makeCalls();
    let stopped: unknown;
    void expectLike(
      calls.start(
        'toPass()',
        'a test',
        (signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              stopped = signal.reason;
              reject(new Error('stopped'));
            });
          }),
        true,
      ),
    );
    expect(calls.running).toBe(1);
    expect(await calls.collect('another test')).toEqual([]);
    expect(await calls.collect('a test')).toHaveLength(1);
    expect(stopped).toEqual(new Error('the test ended before this call did (is an "await" missing?)'));
    expect(calls.running).toBe(0);
  });
});

it('passes on what the work gives', async () => {
  const calls = makeCalls();
  await expect(calls.start('x', undefined, () => Promise.resolve(3), false)).resolves.toBe(3);
  await expect(calls.start('x', undefined, () => Promise.reject(new Error('no')), false)).rejects.toThrow('no');
  await expect(calls.start('x', undefined, () => {
    throw new Error('at once');
  }, false)).rejects.toThrow('at once');
});

it('points to the place of the call', async () => {
  const calls = makeCalls();
  void asExpect(calls.start('toPass()', 'a test', () => Promise.resolve(1), true));
  const [error] = await calls.collect('a test');
  expect(error?.stack).toMatch(/^Error: toPass\(\) was not awaited.*\n\s+at /);
});

it('knows how long calls were under way, overlaps counted once', async () => {
  let now = 0;
  const calls = new WatchedCalls((message) => new Error(message), () => now);
  const ends: (() => void)[] = [];
  const one = (): Promise<void> => calls.start('x', undefined, () => new Promise<void>((resolve) => ends.push(resolve)), false);
  const first = one();
  now = 10;
  const second = one();
  now = 30;
  expect(calls.busyMs()).toBe(30);
  ends[0]?.();
  await first;
  now = 50;
  ends[1]?.();
  await second;
  now = 100;
  await calls.idle();
  expect(calls.busyMs()).toBe(50);
});
