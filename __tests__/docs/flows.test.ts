import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../support/package-under-test';
import { answersOnly, evalSet } from '../support/eval-sets';
import { startFakeServer } from '../support/fake-server';
import { createProject, removeProjects } from '../support/run-jest';
import { codeBlocks } from './markdown';

jest.setTimeout(180_000);
afterAll(removeProjects);

/** The named blocks of a page, as files of a project. */
function named(page: string): Record<string, string> {
  return Object.fromEntries(codeBlocks(page).flatMap((block) => (block.name === undefined ? [] : [[block.name, block.text] as const])));
}

const sdk = ['@google/adk', '@google/genai', 'zod'];
const typescript = ['ts-jest', 'typescript', '@types/jest', '@types/node'];
const tsconfig = { compilerOptions: { target: 'es2022', module: 'node20', strict: true, esModuleInterop: true, skipLibCheck: true, isolatedModules: true } };

describe('docs/getting-started.md', () => {
  it('runs as it stands', async () => {
    const project = createProject({ packages: [...sdk, ...typescript], files: { ...named('docs/getting-started.md'), 'tsconfig.json': tsconfig } });
    const run = await project.jest([], { json: true });
    const failed = run.json?.testResults.flatMap((file) => [file.message, ...file.assertionResults.flatMap((test) => test.failureMessages)]).filter((text) => text !== '');
    expect(failed).toEqual([]);
    expect(run.json).toMatchObject({ success: true, numPassedTests: 5, numFailedTests: 0 });
    expect(run.stderr).toContain('ADK eval results');
  });

  it('runs one case by name', async () => {
    const project = createProject({ files: named('docs/getting-started.md') });
    const run = await project.jest(['shop.test.js', 'cases.test.js'], { env: { JEST_ADK_ONLY: 'nothing_else' }, json: true });
    const titles = run.json?.testResults.flatMap((file) => file.assertionResults.filter((test) => test.status === 'passed').map((test) => test.title));
    expect(titles).not.toContain('price_of_an_apple');
    expect(run.status).toBe(0);
  });
});

describe('docs/jest.md', () => {
  it('shows matchers that do what it says', async () => {
    const page = named('docs/jest.md');
    const project = createProject({ files: { 'jest.config.js': "module.exports = { preset: 'jest-adk' };", 'matchers.test.js': page['matchers.test.js'] } });
    const run = await project.jest([], { json: true });
    expect(run.json?.testResults.flatMap((file) => [file.message])).toEqual(['']);
    expect(run.json).toMatchObject({ success: true, numPassedTests: 2 });
  });

  it.each(['jest.config.js', 'with-options.config.js'])('shows a configuration that Jest takes: %s', async (name) => {
    const project = createProject({ files: { 'jest.config.js': named('docs/jest.md')[name], 'some.eval.test.js': "test('has options', () => { expect(typeof AgentEvaluator.evaluate).toBe('function'); });" } });
    const run = await project.jest([], { json: true });
    expect(run.output).not.toContain('Validation');
    expect(run.json).toMatchObject({ success: true, numPassedTests: 1 });
  });
});

describe('docs/sessions.md', () => {
  it('goes on with a session as it says', async () => {
    const agent = `const { LlmAgent, BaseLlm } = require('@google/adk');
      class Echo extends BaseLlm { async *generateContentAsync({ contents }) { yield { content: { role: 'model', parts: [{ text: JSON.stringify(contents) }] } }; } async connect() { throw new Error('no'); } }
      exports.rootAgent = new LlmAgent({ name: 'house', model: new Echo({ model: 'echo' }) });`;
    const project = createProject({ packages: sdk, files: { ...named('docs/sessions.md'), 'agent.cjs': agent, 'jest.config.js': "module.exports = { preset: 'jest-adk' };" } });
    const run = await project.jest([], { json: true });
    expect(run.json?.testResults.map((file) => file.message)).toEqual(['']);
    expect(run.json).toMatchObject({ success: true, numPassedTests: 1 });
  });
});

describe('README.md', () => {
  const agent = Object.fromEntries(['agent.ts', 'scripted-model.ts'].map((name) => [name, readFileSync(join(repoRoot, 'examples/home-automation', name), 'utf8')]));

  it('shows the failure that a user would see', async () => {
    const files: Record<string, unknown> = { ...named('README.md'), ...agent, 'tsconfig.json': tsconfig };
    const project = createProject({ packages: [...sdk, ...typescript], files: { ...files, 'evals/home.test.json': (files['evals/home.test.json'] as string).replace('"level": 30', '"level": 35') } });
    const run = await project.jest();
    expect(run.status).toBe(1);
    const shown = codeBlocks('README.md').find((block) => block.language === 'text')?.text ?? '';
    for (const line of shown.split('\n').filter((text) => text.trim() !== '' && !text.includes('…'))) expect(run.output).toContain(line.trim());
  });
});

describe('examples/home-automation', () => {
  it('is scored by `npm run demo`, which prints each case and where its results are', async () => {
    const project = createProject();
    const run = await project.node([join(repoRoot, 'node_modules/jest/bin/jest.js'), '--config', join(repoRoot, 'examples/home-automation/jest.config.js')]);
    for (const id of ['turn_on_kitchen', 'dim_bedroom_then_ask', 'hall_was_on', 'not_about_lamps']) expect(run.output).toContain(id);
    expect(run.output).toContain('ADK eval results');
    expect(run.output).toMatch(/eval_history/);
    expect(run.status).toBe(0);
  });
});

describe('docs/targets.md', () => {
  it('shows how an agent behind a URL is evaluated', async () => {
    const server = await startFakeServer();
    await server.script({ apps: ['home'], requireHeaders: { authorization: 'Bearer a-token-of-ours-7' } });
    const example = named('docs/targets.md')['remote.test.js'] ?? '';
    const files = { 'jest.config.js': "module.exports = { preset: 'jest-adk' };", 'evals/home.test.json': evalSet('home', { hello: 'echo: hello' }), 'evals/test_config.json': answersOnly };
    // The URL without a token is another server's.
    const project = createProject({ files: { ...files, 'remote.test.js': example.replace('http://127.0.0.1:8000', server.url) } });
    const env = { AGENT_URL: server.url, AGENT_TOKEN: 'a-token-of-ours-7' };
    const run = await project.jest(['-t', 'the deployed agent'], { env, json: true });
    await server.script({ apps: ['other'] });
    const open = await project.jest(['-t', 'URL is enough'], { env, json: true });
    await server.stop();
    expect([run.json?.numPassedTests, open.json?.numPassedTests, run.json?.success && open.json?.success ? '' : run.output + open.output]).toEqual([1, 1, '']);
    expect(run.output).not.toContain('a-token-of-ours-7');
  });
});
