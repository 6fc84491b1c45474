import { answersOnly, evalSet } from '../support/eval-sets';
import { type FakeServer, startFakeServer } from '../support/fake-server';
import { startProxy } from '../support/proxy-server';
import { createProject, removeProjects } from '../support/run-jest';

jest.setTimeout(180_000);
let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer('js');
});
afterAll(async () => {
  await server.stop();
  removeProjects();
});

const data = { 'evals/home.test.json': evalSet('home', { hello: 'echo: hello' }), 'evals/test_config.json': answersOnly };

it.each(['29', '30'] as const)('a test file of Jest %s evaluates an agent behind a URL: matchers, describeEvalSet, AgentEvaluator', async (jest) => {
  await server.script({ apps: ['lamp'], requireHeaders: { authorization: 'Bearer s3cret-k3y' } });
  const test = `
    const { describeEvalSet, remoteAgent } = require('jest-adk');
    const agent = remoteAgent('${server.url}', { headers: [['Authorization', 'Bearer s3cret-k3y']] });
    test('set', () => expect(agent).toPassEvalSet('./evals/home.test.json'));
    test('turn', () => expect(agent).toRespondTo('hi'));
    test('evaluator', () => AgentEvaluator.evaluate({ agent, evalDatasetFilePathOrDir: './evals' }));
    describeEvalSet(agent, './evals/home.test.json', { numRuns: 1 });
    test('refused', async () => {
      await expect('${server.url}').toPassEvalSet('./evals/home.test.json');
    });`;
  const project = createProject({ jest, packageJson: { jest: { preset: 'jest-adk' } }, files: { ...data, 'home.test.js': test } });
  const run = await project.jest([], { json: true });
  const outcomes = Object.fromEntries(run.json?.testResults.flatMap((file) => file.assertionResults.map((one) => [one.title, one.status])) ?? []);
  expect({ outcomes, output: run.json?.numFailedTests === 1 ? '' : run.output }).toEqual({ outcomes: { set: 'passed', turn: 'passed', evaluator: 'passed', hello: 'passed', refused: 'failed' }, output: '' });
  expect(run.output).toContain('GET /list-apps was answered 401 Unauthorized');
  expect(run.output).not.toContain('s3cret-k3y');
  expect(await server.stats()).toMatchObject({ sessionsLeftOver: 0 });
});

it('an ES module imports it too', async () => {
  await server.script({ apps: ['lamp'] });
  const test = `
    import { remoteAgent } from 'jest-adk';
    test('set', () => expect(remoteAgent('${server.url}', { stream: true })).toPassEvalSet('./evals/home.test.json'));`;
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files: { ...data, 'home.test.mjs': test } });
  const run = await project.jest(['--testMatch', '**/*.test.mjs'], { env: { NODE_OPTIONS: '--experimental-vm-modules' } });
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
  expect((await server.stats()).byRoute).toMatchObject({ run_sse: 2 });
});

it('a test file reaches a server through a proxy', async () => {
  await server.script({ apps: ['lamp'] });
  const proxy = await startProxy(server.port);
  const test = `
    const { remoteAgent } = require('jest-adk');
    test('set', () => expect(remoteAgent('http://agent.example.com')).toPassEvalSet('./evals/home.test.json'));`;
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files: { ...data, 'home.test.js': test } });
  const run = await project.jest([], { env: { HTTP_PROXY: proxy.url } });
  await proxy.close();
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
  expect(new Set(proxy.seen.map(([, url]) => url))).toContain('http://agent.example.com/run');
});
