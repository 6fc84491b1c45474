import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type JestMajor, type Project } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const agent = `const agent = async (turn, session) => 'hello to you';`;
const files = {
  'evals/home.test.json': evalSet('home', { hello: '<prompt:answer.txt>' }),
  'evals/answer.txt': 'hello to you',
  'evals/home.config.json': answersOnly,
  'more/deep/one.evalset.toml': `eval_set_id = "one"\n[[eval_cases]]\neval_id = "a"\n[[eval_cases.conversation]]\n[eval_cases.conversation.user_content]\nparts = [{ text = "hello" }]\n`,
  'other/other.test.json': evalSet('other', { hello: 'hello to you' }),
  'file.test.js': `${agent} test('file', async () => { await expect(agent).toPassEvalSet('./evals/home.test.json', { numRuns: 1, resultsDir: './results' }); });`,
  'tests/root.test.js': `${agent} test('root', async () => { await expect(agent).toPassEvalSet('evals/home.test.json:hello', { numRuns: 1 }); });`,
  'tests/folder.test.js': `test('folder', () => AgentEvaluator.evaluate({ agent: async (turn, session) => 'x', evalDatasetFilePathOrDir: '../more', numRuns: 1, throwOnFailure: false }));`,
  'tests/none.test.js': `test('none', () => {});`,
};

describe.each<JestMajor>(['29', '30'])('Jest %s', (major) => {
  let project: Project;
  beforeAll(() => {
    project = createProject({ jest: major, files, packageJson: { jest: { preset: 'jest-adk' } } });
  });

  it.each([
    ['an eval set', 'evals/home.test.json', ['file.test.js', 'tests/root.test.js']],
    ['the config that belongs to it', 'evals/home.config.json', ['file.test.js', 'tests/root.test.js']],
    ['a prompt that it names', 'evals/answer.txt', ['file.test.js', 'tests/root.test.js']],
    ['a set in a folder, in TOML', 'more/deep/one.evalset.toml', ['tests/folder.test.js']],
    ['a set that no test names', 'other/other.test.json', []],
  ])('knows which tests use %s', async (_name, path, expected) => {
    const run = await project.jest(['--listTests', '--findRelatedTests', path]);
    expect(run.stdout.split('\n').filter((line) => line !== '').map((line) => line.replace(`${project.dir}/`, '')).sort()).toEqual(expected);
  });

  it('reruns for a changed eval set in watch mode, and not for results', async () => {
    const { runs, output } = await watch(project, ['--watchAll', 'file.test'], 2, (count) => {
      if (count === 1) project.write({ 'evals/home.test.json': evalSet('home', { hello: 'something else' }) });
    });
    expect({ runs, output }).toMatchObject({ runs: 2, output: expect.stringMatching(/1 passed[^]*1 failed/) as string });
  });
});

/** Starts a watching Jest, tells when a run has ended, and after the runs expected waits whether one more comes. */
function watch(project: Project, args: readonly string[], expected: number, onRun: (count: number) => void): Promise<{ runs: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(project.dir, 'node_modules/jest/bin/jest.js'), ...args], { cwd: project.dir, env: project.env(), stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    let runs = 0;
    let quiet: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      resolve({ runs, output });
    };
    const limit = setTimeout(end, 90_000);
    const listen = (text: string): void => {
      output += text;
      const ended = output.split('Ran all test suites').length - 1;
      if (ended === runs) return;
      runs = ended;
      onRun(runs);
      clearTimeout(quiet);
      // Nothing tells that no run will come: Jest looks at changes within this time.
      if (runs >= expected) quiet = setTimeout(end, 1500);
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    child.on('error', reject);
  });
}
