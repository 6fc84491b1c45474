import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentEvaluator } from '../../src/agent-evaluator';
import { planEvaluation } from '../../src/evaluation/plan';
import { runSingleTurn } from '../../src/evaluation/single-turn';
import type { EvaluateRequest, Host } from '../../src/evaluation/types';
import { adkServerTarget } from '../../src/target/adk-server';
import { type FakeServer, startFakeServer } from '../support/fake-server';
import { hostOf, temporaryFolder } from './planned';

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
beforeEach(() => server.script({ apps: ['lamp_agent'] }));
afterAll(() => server.stop());

const turn = (text: string): object => ({ user_content: { parts: [{ text }] }, final_response: { parts: [{ text: `echo: ${text}` }] } });
const set = { eval_set_id: 'home', eval_cases: [{ eval_id: 'a', conversation: [turn('hello')] }, { eval_id: 'b', conversation: [turn('one'), turn('two')] }] };
const config = { criteria: { response_match_score: 0.8 } };

function host(): Host {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'evals'));
  writeFileSync(join(folder, 'evals/home.test.json'), JSON.stringify(set));
  writeFileSync(join(folder, 'evals/test_config.json'), JSON.stringify(config));
  return hostOf({ rootDir: folder, resultsDir: join(folder, 'results') });
}

const routes = async (): Promise<readonly string[]> => (await server.requests()).map(({ route }) => route);

describe('an agent behind a URL', () => {
  test.each<[string, () => object]>([
    ['its URL as the agent', () => ({ agent: server.url })],
    ['its URL as the agent’s module', () => ({ agentModule: `${server.url}/` })],
    ['remoteAgent', () => ({ agent: adkServerTarget(server.url, { retries: 0 }) })],
  ])('D53 is scored like any other: %s', async (_name, how) => {
    const result = await createAgentEvaluator(host()).evaluate({ ...how(), evalDatasetFilePathOrDir: 'evals' });
    expect(result.sets[0]).toMatchObject({ outcome: 'passed', appName: 'lamp_agent', warnings: [], resultFile: expect.stringContaining('/results/lamp_agent/.adk/eval_history/lamp_agent_home_') });
    expect(result.sets[0]?.cases.map(({ evalId, outcome, trials }) => [evalId, outcome, trials.length])).toEqual([['a', 'passed', 2], ['b', 'passed', 2]]);
    expect(await server.stats()).toMatchObject({ byRoute: { 'list-apps': 1, run: 6, 'create-session': 4, 'delete-session': 4 }, sessionsLeftOver: 0 });
  });

  test('an app name in the options of the evaluation is the one that is asked', async () => {
    const result = await createAgentEvaluator(host()).evaluate({ agent: server.url, appName: 'other app', evalDatasetFilePathOrDir: 'evals', numRuns: 1 });
    expect(result.sets[0]?.appName).toBe('other app');
    expect((await server.requests())[0]?.url).toBe('/apps/other%20app/users/test_user_id/sessions');
    expect(await routes()).not.toContain('list-apps');
  });

  test('D46 one case that cannot be asked is an error; the others are scored', async () => {
    await server.script({ replies: [{ match: 'two', status: 500 }], deleteSession: { status: 500 } });
    const result = await createAgentEvaluator(host()).evaluate({ agent: server.url, evalDatasetFilePathOrDir: 'evals', numRuns: 1, throwOnFailure: false });
    expect(result.sets[0]?.cases.map(({ outcome }) => outcome)).toEqual(['passed', 'error']);
    expect(result.sets[0]?.cases[1]?.trials[0]?.error?.message).toBe('turn 2: POST /run was answered 500 Internal Server Error: scripted 500.');
    expect(result.sets[0]?.warnings).toEqual([expect.stringMatching(/^2 sessions of the app "my_agent" could not be deleted \(was answered 500 .*\): [\w-]+, [\w-]+$/)]);
  });

  test('one agent serves several evaluations at once', async () => {
    const agent = adkServerTarget(server.url);
    const evaluate = () => createAgentEvaluator(host()).evaluate({ agent, evalDatasetFilePathOrDir: 'evals', numRuns: 1 });
    expect((await Promise.all([evaluate(), evaluate(), evaluate()])).map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed']);
    expect((await evaluate()).outcome).toBe('passed');
    expect(await server.stats()).toMatchObject({ sessionsLeftOver: 0 });
  });

  test('answers one turn', async () => {
    const record = await runSingleTurn(adkServerTarget(server.url), { content: { role: 'user', parts: [{ text: 'hi' }] }, state: { a: 1 } }, {}, host());
    expect(record).toMatchObject({ endReason: 'completed', ids: { appName: 'lamp_agent' }, finalState: { a: 1 } });
    expect(await routes()).toEqual(['list-apps', 'create-session', 'run', 'delete-session']);
  });
});

describe('planning', () => {
  const plan = (request: Partial<EvaluateRequest> = {}, world = host()) => planEvaluation({ target: server.url, evalSets: 'evals', ...request }, world);

  test('the server is asked for its apps, last of all, and for nothing else', async () => {
    const made = await plan();
    expect([made.target.appName, made.sets[0]?.appName, await routes()]).toEqual(['lamp_agent', 'lamp_agent', ['list-apps']]);
  });

  test.each<[string, Partial<EvaluateRequest>]>([
    ['a wrong option', { options: { numRuns: 0 } }],
    ['no such file', { evalSets: 'nope.test.json' }],
    ['a set without cases', { evalSets: { evalSetId: 'x', evalCases: [] } }],
    ['an unknown metric', { options: { config: { criteria: { nope: 1 } } } }],
    ['an agent in a tree', { options: { agentName: 'sub' } }],
    ['options of a runner', { options: { runConfig: {}, extraPlugins: [] } }],
  ])('with %s it is not contacted', async (_name, request) => {
    await expect(plan(request)).rejects.toMatchObject({ name: 'JestAdkError' });
    expect(await routes()).toEqual([]);
  });

  test('every problem of the URL and of the files is told at once', async () => {
    await expect(plan({ target: 'http://h/?x', evalSets: 'nope.test.json', options: { numRuns: 0 } })).rejects.toMatchObject({ problems: [{ code: 'bad_option' }, { code: 'bad_url' }, expect.anything()] });
  });

  test('an app that cannot be found out refuses the evaluation', async () => {
    await server.script({ apps: ['b', 'a'] });
    await expect(plan()).rejects.toMatchObject({ code: 'several_apps', message: expect.stringContaining('2 apps (GET /list-apps): a, b') });
  });

  test('a plan to look at asks nobody', async () => {
    const made = await plan({ offline: true });
    expect([made.target.kind, made.target.appName, made.sets[0]?.appName, await routes()]).toEqual(['adk-server', undefined, 'test_app', []]);
    expect((await plan({ offline: true, target: adkServerTarget(server.url, { appName: 'x' }) })).sets[0]?.appName).toBe('x');
  });

  test('a user id that cannot be part of a path is an error of its case, before anything is asked', async () => {
    const bad = { eval_id: 'c', session_input: { app_name: '', user_id: 'a/b' }, conversation: [turn('x')] };
    const result = await createAgentEvaluator(host()).evaluateEvalSet({ agent: server.url, evalSet: { ...set, eval_cases: [bad, ...set.eval_cases] }, config, numRuns: 1, throwOnFailure: false });
    expect(result.sets[0]?.cases.map(({ outcome, error }) => [outcome, error?.code])).toEqual([['error', 'bad_user_id'], ['passed', undefined], ['passed', undefined]]);
    expect((await server.stats()).sessionsCreated).toBe(2);
  });
});
