import type { CircusCallable, CircusState } from '../../environment/circus';
import { TimeLimits } from '../../environment/time-limits';
import { WatchedCalls } from '../../environment/watched-calls';
import type { Clock } from '../../src/support/clock';
import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

/** A clock that is moved by hand. */
class HandClock implements Clock {
  #now = 0;
  #waiting: { readonly at: number; readonly callback: () => void }[] = [];
  now = (): number => this.#now;
  elapsed = (): number => this.#now;
  after = (ms: number, callback: () => void): (() => void) => {
    const one = { at: this.#now + ms, callback };
    this.#waiting.push(one);
    return () => void (this.#waiting = this.#waiting.filter((other) => other !== one));
  };
  async move(ms: number): Promise<void> {
    this.#now += ms;
    for (const one of this.#waiting.filter(({ at }) => at <= this.#now)) {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      one.callback();
    }
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  }
}

const state = { testTimeout: 5000 } as CircusState;

function prepared(fn: () => unknown, { userSet = false, unlimited = false, fileLimit = false, timeout = undefined as number | undefined } = {}): { clock: HandClock; calls: WatchedCalls; limits: TimeLimits; callable: CircusCallable } {
  const clock = new HandClock();
  const calls = new WatchedCalls((message) => new Error(message), clock.elapsed);
  const limits = new TimeLimits(calls, userSet, unlimited, clock);
  const callable: CircusCallable = { fn, timeout };
  limits.prepare(callable, state, fileLimit);
  return { clock, calls, limits, callable };
}

describe('the limit of a test', () => {
  it('is Jest\'s for what is not an evaluation', async () => {
    const { clock, callable } = prepared(() => new Promise(() => undefined));
    const outcome = Promise.resolve(callable.fn?.()).catch((error: unknown) => error);
    await clock.move(5000);
    expect(await outcome).toMatch(/^Exceeded timeout of 5000 ms/);
  });

  it('stands still while an evaluation runs, and goes on after it', async () => {
    let finish: () => void = () => undefined;
    const evaluation = new Promise<void>((resolve) => (finish = resolve));
    const { clock, calls, callable } = prepared(async () => {
      await calls.start('evaluation', undefined, () => evaluation, false);
      await new Promise(() => undefined);
    });
    let outcome: unknown;
    void Promise.resolve(callable.fn?.()).catch((error: unknown) => (outcome = error));
    await clock.move(600_000);
    expect(outcome).toBeUndefined();
    finish();
    await clock.move(0);
    await clock.move(4999);
    expect(outcome).toBeUndefined();
    await clock.move(1);
    expect(outcome).toMatch(/Exceeded timeout of 5000 ms/);
  });

  it('does not count an evaluation that has ended', async () => {
    const { clock, calls, callable } = prepared(async () => {
      await calls.start('evaluation', undefined, () => clock.move(4000), false);
      return new Promise(() => undefined);
    });
    let outcome: unknown;
    void Promise.resolve(callable.fn?.()).catch((error: unknown) => (outcome = error));
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
    await clock.move(4999);
    expect(outcome).toBeUndefined();
    await clock.move(1);
    expect(outcome).toMatch(/Exceeded timeout/);
  });

  it('passes on what the test gives', async () => {
    await expect(prepared(() => Promise.resolve(7)).callable.fn?.()).resolves.toBe(7);
    await expect(prepared(() => Promise.reject(new Error('own'))).callable.fn?.()).rejects.toThrow('own');
    expect(prepared(() => 7).callable.fn?.()).toBe(7);
  });

  it.each([
    ['the config', { userSet: true }],
    ['the file', { fileLimit: true }],
    ['the test', { timeout: 100 }],
  ])('is left alone where %s sets it', (_name, options) => {
    const fn = (): void => undefined;
    expect(prepared(fn, options).callable).toEqual({ fn, timeout: (options as { timeout?: number }).timeout });
  });

  it('is left to Jest for a function that takes done, and for a generator', () => {
    const withDone = ((_done: () => void) => undefined) as () => void;
    expect(prepared(withDone).callable).toEqual({ fn: withDone, timeout: undefined });
    const generator = function* (): Generator {};
    expect(prepared(generator).callable).toEqual({ fn: generator, timeout: undefined });
  });

  it('is lifted under a debugger, whoever set it', () => {
    expect(prepared(() => undefined, { unlimited: true, timeout: 100 }).callable.timeout).toBe(2 ** 31 - 1);
  });

  it('is set once for a test that is retried', () => {
    const { limits, callable } = prepared(() => undefined);
    const { fn } = callable;
    limits.prepare(callable, state, false);
    expect(callable.fn).toBe(fn);
  });

  it('is explained when it ends an evaluation', () => {
    const { calls, limits } = prepared(() => undefined);
    expect(limits.explain('Exceeded timeout of 5 ms for a test.')).toBeUndefined();
    void calls.start('evaluation', undefined, () => new Promise(() => undefined), false);
    expect(limits.explain('Exceeded timeout of 5 ms for a test.')).toMatch(/Raise the limit/);
    expect(limits.explain(new Error('thrown: "Exceeded timeout of 5 ms for a hook."'))).toMatch(/testTimeout/);
    expect(limits.explain(new Error('other'))).toBeUndefined();
  });
});

it('in Jest: a limit that is too short says which setting to raise, stops the evaluation, and lets the process end', async () => {
  const files = {
    'evals/home.test.json': evalSet('home', { hello: 'hello to you' }),
    'evals/test_config.json': answersOnly,
    'slow.test.js': `
      const slow = (turn, session) => new Promise(() => {});
      test('by config', async () => { await expect(slow).toPassEvalSet('./evals/home.test.json'); });
      test('by test', async () => { await expect(slow).toPassEvalSet('./evals/home.test.json'); }, 150);
      test('next', async () => { await expect(async (turn, session) => 'hello to you').toPassEvalSet('./evals/home.test.json'); }, 5000);`,
  };
  const project = createProject({ files, packageJson: { jest: { preset: 'jest-adk', testTimeout: 200, reporters: ['default', 'jest-adk/reporter'] } } });
  const run = await project.jest([], { json: true });
  expect(run.stderr).toContain('The evaluation was aborted: the test ran into its time limit.');
  const [byConfig, byTest, next] = run.json?.testResults[0]?.assertionResults ?? [];
  for (const one of [byConfig, byTest]) {
    expect(one?.failureMessages.join('\n')).toMatch(/Exceeded timeout of (150|200) ms[^]*Raise the limit that is set for this test/);
    expect(one?.failureMessages.join('\n')).not.toContain('not awaited');
  }
  expect(next?.status).toBe('passed');
  expect(run.stderr).not.toContain('did not exit');
});

it('in Jest: an evaluation outlives the default limit, inside projects too', async () => {
  const files = {
    'evals/home.test.json': evalSet('home', { hello: 'hello to you' }),
    'evals/test_config.json': answersOnly,
    'slow.test.js': `
      const slow = async (turn, session) => { await new Promise((resolve) => setTimeout(resolve, 5200)); return 'hello to you'; };
      test('slow', async () => { await expect(slow).toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });`,
  };
  const project = createProject({ files, packageJson: { jest: { projects: [{ preset: 'jest-adk' }], reporters: ['default', 'jest-adk/reporter'] } } });
  expect((await project.jest()).status).toBe(0);
});
