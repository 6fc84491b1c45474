import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, commandFolder, removeCommandFolders } from '../support/command';
import { startFakeServer } from '../support/fake-server';
import { repoRoot } from '../support/package-under-test';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

const evalSet = (id: string, answer = 'Hello.'): unknown => ({
  eval_set_id: id,
  eval_cases: [{ eval_id: `${id}_case`, conversation: [{ user_content: { role: 'user', parts: [{ text: 'Hi' }] }, final_response: { role: 'model', parts: [{ text: answer }] } }] }],
});
const agent = "exports.agent = async () => 'Hello.';\n";
const config = { criteria: { response_match_score: 1 } };
const pack = {
  'package.json': {},
  'app/agent.js': agent,
  'tests/eval/eval_config.json': config,
  'tests/eval/evalsets/a.evalset.json': evalSet('a'),
  'tests/eval/evalsets/b.evalset.json': evalSet('b'),
};

test('without words: the agent, the eval sets and the config where agent-starter-pack has them', async () => {
  const { code, stdout, stderr } = await commandFolder(pack).run(['eval-all']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('2 of 2 cases passed') as string });
  expect(stdout).toMatch(/✓ a \(.*\n✓ b \(/);
});

test('a failure is a 1, and all sets are run', async () => {
  const { code, stdout } = await commandFolder({ ...pack, 'tests/eval/evalsets/a.evalset.json': evalSet('a', 'Penguins swim.') }).run(['eval-all']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/✗ a [^]*✓ b /) as string });
});

test('--bail stops at the first failure', async () => {
  const folder = commandFolder({ ...pack, 'tests/eval/evalsets/a.evalset.json': evalSet('a', 'Penguins swim.') });
  const { code, stderr } = await folder.run(['eval-all', '--bail', '--parallelism', '1', '--num-runs', '1']);
  expect(code).toBe(1);
  expect(stderr).toContain('0 of 2 cases passed (0%), 1 failed');
});

test('another folder, another agent, a config of its own', async () => {
  const folder = commandFolder({ 'bot.cjs': agent, 'evals/a.test.json': evalSet('a'), 'evals/a.config.json': { criteria: { response_match_score: 0.1 } } });
  const { code, stdout } = await folder.run(['eval-all', 'evals', '--target', './bot.cjs', '--output-format', 'json']);
  expect(code).toBe(0);
  const { evaluations } = JSON.parse(stdout) as { evaluations: { result: { sets: { config: { file: string } }[] } }[] };
  const sets = evaluations.flatMap(({ result }) => result.sets);
  expect(sets.map(({ config: { file } }) => file)).toEqual([join(folder.dir, 'evals/a.config.json')]);
});

test.each([
  ['a variable', { JEST_ADK_TARGET: './bot.cjs' }, {}],
  ['the config file', {}, { 'jest-adk.config.json': { target: './bot.cjs', evalSets: ['evals'] } }],
])('agent from %s', async (_name, env, files) => {
  const folder = commandFolder({ 'bot.cjs': agent, 'evals/a.test.json': evalSet('a'), 'tests/eval/evalsets/a.evalset.json': evalSet('a'), ...files });
  expect((await folder.run(['eval-all'], env)).code).toBe(0);
});

test('a server as the agent', async () => {
  const server = await startFakeServer();
  await server.script({ apps: ['home'], default: { text: 'Hello.' } });
  const { code } = await commandFolder({ ...pack }).run(['eval-all', '--target', server.url]);
  await server.stop();
  expect(code).toBe(0);
});

test('everything that is missing is told at once', async () => {
  const { code, stderr } = await commandFolder({ 'package.json': {} }).run(['eval-all', '--num-runs', 'many']);
  expect(code).toBe(2);
  expect(stderr).toContain('--num-runs takes a whole number');
  expect(stderr).toContain('No agent was named, and there is none at app/agent, app/index, src/agent, agent (.ts, .js and the like). Name it: --target');
  expect(stderr).toContain('There is no folder tests/eval/evalsets. Name the folder');
});

test('two folders are refused', async () => {
  const { code, stderr } = await commandFolder(pack).run(['eval-all', 'tests', 'more']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('eval-all takes one folder; got "more", too. For several paths use eval.') as string });
});

test('two targets are refused', async () => {
  const { code, stderr } = await commandFolder(pack).run(['eval-all', '--target', './a', '--target', './b']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '--target was given more than once.\nSee: jest-adk eval-all --help\n' });
});

test('a set that cannot be read stops all of them, with its place', async () => {
  const { code, stderr } = await commandFolder({ ...pack, 'tests/eval/evalsets/b.evalset.json': '{ "eval_set_id": "b", "eval_cases": 3 }' }).run(['eval-all']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/b\.evalset\.json:1:/) as string });
});

describe('examples/starter-pack', () => {
  const hasMake = spawnSync('make', ['--version']).status === 0;
  (hasMake ? test : test.skip).each(['eval', 'eval-all'])('make %s', (goal) => {
    const { dir } = commandFolder();
    cpSync(join(repoRoot, 'examples/starter-pack'), join(dir, 'examples/starter-pack'), { recursive: true, filter: (path) => !path.includes('.adk') });
    symlinkSync(join(repoRoot, 'node_modules'), join(dir, 'node_modules'));
    const cwd = join(dir, 'examples/starter-pack');
    const run = spawnSync('make', [goal, `JEST_ADK="${process.execPath}" "${join(repoRoot, 'bin/jest-adk.js')}"`], { cwd, env: cleanEnv(), encoding: 'utf8' });
    expect({ status: run.status, stderr: run.status === 0 ? '' : run.stderr }).toEqual({ status: 0, stderr: '' });
    expect(run.stdout).toContain('✓ basic (tests/eval/evalsets/basic.evalset.json): 2 of 2 cases passed');
    expect(run.stdout.includes('✓ two_turns')).toBe(goal === 'eval-all');
    expect(existsSync(join(cwd, 'weather_agent/.adk/eval_history'))).toBe(true);
  });
});
