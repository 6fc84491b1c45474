import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runTrial } from '../../src/inference/trial';
import { agentFunction, factory } from '../../src/target/function-or-factory';
import { functionTarget } from '../../src/target/function-target';
import { resolveTarget, type TargetContext } from '../../src/target/resolve-target';
import { evalCase, manualClock, settle } from '../inference/helpers';
import { ensureBuilt, repoRoot } from '../support/package-under-test';

const context: TargetContext = {
  callerDir: '/nowhere',
  rootDir: '/nowhere',
  loader: { load: () => Promise.reject(new Error('not here')), loadPackage: () => Promise.reject(new Error('not here')) },
};
const info = { evalSetId: 's', evalId: 'c', trial: 0 };

async function answer(value: unknown): Promise<string | undefined> {
  const target = await resolveTarget(value, context);
  const record = await runTrial(target, evalCase('c', ['hi']), info, {}, new AbortController().signal);
  return record.error?.message ?? record.invocations[0]?.finalResponse?.parts?.[0]?.text;
}

describe('functions', () => {
  test.each<[string, unknown, string]>([
    ['with a parameter', (turn: { text: string }) => `you said ${turn.text}`, 'you said hi'],
    ['without parameters', () => 'always this', 'always this'],
    ['slow, without parameters', () => new Promise((resolve) => setTimeout(() => resolve('late'), 5)), 'late'],
    ['a mock, which hides its parameters', jest.fn((turn: { text: string }) => Promise.resolve(`you said ${turn.text}`)), 'you said hi'],
    ['with an optional parameter', (turn = { text: 'nothing' }) => `you said ${turn.text}`, 'you said hi'],
    ['a generator without parameters', function* () { yield 'generated'; }, 'generated'],
    ['that throws at once', () => { throw new Error('broken'); }, 'turn 1: broken'],
    ['that rejects', () => Promise.reject(new Error('broken')), 'turn 1: broken'],
    ['said to be under evaluation', agentFunction(() => 'marked'), 'marked'],
    ['a ready target', functionTarget(() => 'ready'), 'ready'],
  ])('%s', async (_name, value, said) => {
    expect(await answer(value)).toBe(said);
  });

  test('a function without parameters is called once for each turn, and not once more to see what it is', async () => {
    let calls = 0;
    const target = await resolveTarget(() => `call ${(calls += 1)}`, context);
    const run = (): Promise<unknown> =>
      runTrial(target, evalCase('c', ['1', '2']), info, {}, new AbortController().signal).then((record) => record.invocations.map((turn) => turn.finalResponse?.parts?.[0]?.text));
    expect([await run(), await run()]).toEqual([['call 1', 'call 2'], ['call 3', 'call 4']]);
    expect(calls).toBe(4);
  });

  test('D49 one that never comes back holds up neither the plan nor the other trials', async () => {
    let calls = 0;
    const target = await resolveTarget(() => ((calls += 1) === 1 ? new Promise(() => undefined) : Promise.resolve('fine')), context);
    const clock = manualClock();
    const run = (): ReturnType<typeof runTrial> => runTrial(target, evalCase('c', ['hi']), info, { clock, caseTimeoutMs: 200 }, new AbortController().signal);
    const [hangs, goesOn] = [run(), run()];
    expect((await goesOn).invocations[0]?.outcome).toBe('answered');
    await settle();
    clock.advance(200);
    expect((await hangs).error?.message).toContain('timed out in turn 1');
  });

  test('a factory that makes something else says so', async () => {
    expect(await answer(factory(() => 'no agent'))).toBe('opening the session failed: The factory gave "no agent", which is no agent, App or Runner.');
  });

  test.each<[string, unknown, string]>([
    ['a factory', factory(() => function lamp() { return 'on'; }), 'opening the session failed: The factory gave the function lamp, which is no agent, App or Runner.'],
    ['an unmarked one', () => () => 'on', 'turn 1: The agent function returned a function, which is no answer. Return a text, a content ({ parts: [...] }), an event ({ author, content }), a list or (async) generator of these, or nothing.'],
  ])('%s that makes a function is told how a function is evaluated', async (_name, value, said) => {
    expect(await answer(value)).toBe(`${said} A function (turn, session) => answer is evaluated as it is: pass it itself, as agentFunction(fn) where its parameters cannot be seen. It needs no factory; what lasts for a trial goes into session.state.`);
  });
});

test.each<[string, unknown, string]>([
  ['an object', { name: 'x' }, 'an object with the keys name'],
  ['a class', class Agent {}, 'the class Agent: pass an instance'],
  ['a number', 5, '5'],
  ['an empty path', '', 'an empty path'],
  ['nothing', undefined, 'undefined'],
])('%s is refused, and what can be passed is named', async (_name, value, seen) => {
  await expect(resolveTarget(value, context)).rejects.toMatchObject({ code: 'no_target', message: expect.stringContaining(seen) });
  await expect(resolveTarget(value, context)).rejects.toThrow('Pass an agent, an App, a Runner');
});

test.each<[string, unknown, string, string]>([
  ['a function', (turn: { text: string }) => `you said ${turn.text}`, './agent', 'you said hi'],
  ['a function with an agent beside it', Object.assign(() => 'the function', { agent: () => 'the other' }), './agent', 'the function'],
  ['an object of functions', { agent: () => 'named' }, './agent', 'named'],
])('a module whose exports are %s (`module.exports = …`), as require gives it', async (_name, exported, path, said) => {
  const here = { ...context, callerDir: join(repoRoot, '__tests__/fixtures/agent-modules/folder'), loader: { ...context.loader, load: () => Promise.resolve(exported as Record<string, unknown>) } };
  const target = await resolveTarget(path, here);
  const record = await runTrial(target, evalCase('c', ['hi']), info, {}, new AbortController().signal);
  expect(record.invocations[0]?.finalResponse?.parts?.[0]?.text).toBe(said);
});

describe('module paths, in plain Node with the real SDK', () => {
  type Outcome = { readonly kind?: string; readonly appName?: string; readonly answer?: string; readonly code?: string; readonly message?: string };
  let outcomes: Record<string, Outcome>;
  beforeAll(() => {
    ensureBuilt();
    const printed = execFileSync(process.execPath, [join(repoRoot, '__tests__/fixtures/agent-modules/run.mjs')], { encoding: 'utf8', timeout: 60_000 });
    outcomes = JSON.parse(printed) as Record<string, Outcome>;
  }, 240_000);

  test.each([
    ['common', { kind: 'agent', appName: 'common', answer: 'CommonJS' }],
    ['common.cjs', { answer: 'CommonJS' }],
    ['../common', { answer: 'CommonJS' }],
    ['<here>/common.cjs', { answer: 'CommonJS' }],
    ['typed', { answer: 'TypeScript' }],
    ['typed.js', { answer: 'TypeScript' }],
    ['shipped', { appName: 'shipped', answer: 'App' }],
    ['shipped#other', { appName: 'other', answer: 'other' }],
    ['factory', { appName: 'made', answer: 'factory' }],
    ['helper', { appName: 'beside', answer: 'beside a function' }],
    ['func', { kind: 'function', answer: 'function: hi' }],
    ['folder', { appName: 'in_folder', answer: 'folder' }],
    ['./agent', { appName: 'in_folder', answer: 'folder' }],
  ])('D53 %s', (path, expected) => {
    expect(outcomes[path]).toMatchObject(expected);
  });

  test('D61 an agent that uses import.meta loads, and so does a CommonJS one in the same process', () => {
    expect([outcomes.modern?.answer, outcomes.common?.answer]).toEqual(['ESM modern.mjs', 'CommonJS']);
  });

  test.each([
    ['nothing', 'agent_not_exported', /nothing\.cjs exports no agent: looked for default, app, rootApp, rootAgent, agent\. It exports .*something/],
    ['common#nobody', 'agent_not_exported', /looked for nobody/],
    ['./absent', 'agent_module_not_found', /<here>\/folder\/absent\.ts\n/],
    ['no-such-package', 'agent_module_not_found', /the package no-such-package from/],
    ['throwing', 'module_failed', /throwing\.cjs could not be loaded: no key/],
  ])('%s: says what was looked for', (path, code, message) => {
    expect(outcomes[path]).toEqual({ code, message: expect.stringMatching(message) });
  });
});
