import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type JestMajor, type JestRun, type Project } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const files = {
  'evals/home.test.json': evalSet('home', { hello: 'hello to you', bye: 'goodbye to you', thanks: 'you are welcome', quiet: 'nothing' }),
  'evals/test_config.json': answersOnly,
  'agent.js': `
    const { appendFileSync } = require('fs');
    let running = 0;
    exports.rootAgent = async (turn, session) => {
      running += 1;
      appendFileSync('calls.log', turn.text + ' ' + running + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
      running -= 1;
      return { hello: 'hello to you', bye: 'goodbye to you', thanks: 'no' }[turn.text] ?? 'nothing';
    };`,
  'home.test.js': `
    const { describeEvalSet } = require('jest-adk');
    describeEvalSet('./agent', './evals/home.test.json', { numRuns: 1, ...JSON.parse(process.env.OPTIONS ?? '{}') });
    if (process.env.RETRIES) jest.retryTimes(Number(process.env.RETRIES));
    test('a test of its own', () => {});`,
};

function calls(project: Project): { readonly asked: string[]; readonly peak: number } {
  const lines = project.read('calls.log').trim().split('\n');
  project.write({ 'calls.log': '' });
  return { asked: lines.map((line) => line.split(' ')[0] ?? '').sort(), peak: Math.max(...lines.map((line) => Number(line.split(' ')[1]))) };
}

function statuses(run: JestRun): string[] | undefined {
  return run.json?.testResults[0]?.assertionResults.map(({ fullName, status }) => `${fullName}: ${status}`);
}

describe.each<JestMajor>(['29', '30'])('describeEvalSet in Jest %s', (major) => {
  let project: Project;
  beforeAll(() => {
    project = createProject({ jest: major, files, packageJson: { jest: { preset: 'jest-adk' } } });
  });

  it('makes a test per case, at the case\'s line, all started together', async () => {
    const run = await project.jest(['--testLocationInResults'], { json: true });
    expect(statuses(run)).toEqual(['home hello: passed', 'home bye: passed', 'home thanks: failed', 'home quiet: passed', 'a test of its own: passed']);
    const lines = project.read('evals/home.test.json').split('\n');
    expect(run.json?.testResults[0]?.assertionResults.slice(0, 4).map(({ location }) => lines.slice(location?.line).slice(0, 1).join('').trim())).toEqual([
      '"eval_id": "hello",',
      '"eval_id": "bye",',
      '"eval_id": "thanks",',
      '"eval_id": "quiet",',
    ]);
    expect(calls(project)).toEqual({ asked: ['bye', 'hello', 'quiet', 'thanks'], peak: 4 });
    const message = run.json?.testResults[0]?.assertionResults[2]?.failureMessages[0];
    expect(message).toContain('✗ thanks › response_match_score');
    expect(message).toContain('evals/home.test.json');
    expect(run.stderr).toMatch(/> *\d+ \|\s+\{/);
    expect(run.stderr).toMatch(/ADK eval results\s+✗ home\n/);
    expect(run.stderr).toContain("JEST_ADK_ONLY=thanks npx jest home.test.js -t '^home thanks$'");
  });

  it('runs only the cases that are selected', async () => {
    const byName = await project.jest(['-t', 'home bye'], { json: true });
    expect(byName.json).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
    expect(calls(project).asked).toEqual(['bye']);
    const byVariable = await project.jest([], { json: true, env: { JEST_ADK_ONLY: 'quiet' } });
    expect(statuses(byVariable)).toEqual(['home hello: pending', 'home bye: pending', 'home thanks: pending', 'home quiet: passed', 'a test of its own: passed']);
    expect(calls(project).asked).toEqual(['quiet']);
  });

  it('runs each case inside its own test with serial: true', async () => {
    const run = await project.jest([], { json: true, env: { OPTIONS: '{"serial":true}' } });
    expect(run.json).toMatchObject({ numPassedTests: 4, numFailedTests: 1 });
    expect(calls(project)).toEqual({ asked: ['bye', 'hello', 'quiet', 'thanks'], peak: 1 });
  });

  it('runs a case again when its test is retried', async () => {
    const run = await project.jest([], { json: true, env: { RETRIES: '2' } });
    expect(run.json).toMatchObject({ numPassedTests: 4, numFailedTests: 1 });
    expect(calls(project).asked).toEqual(['bye', 'hello', 'quiet', 'thanks', 'thanks', 'thanks']);
  });

  it('fails each test with the reason when the plan is refused', async () => {
    const run = await project.jest([], { json: true, env: { OPTIONS: '{"configFilePath":"./no-such.json"}' } });
    expect(run.json).toMatchObject({ numPassedTests: 1, numFailedTests: 4 });
    expect(run.json?.testResults[0]?.assertionResults[0]?.failureMessages[0]).toContain('no-such.json');
  });

  it('fails the file when a set cannot be read', async () => {
    project.write({ 'bad/broken.test.js': `require('jest-adk').describeEvalSet('../agent', './nope.test.json');` });
    const run = await project.jest(['bad'], { json: true });
    expect(run.json?.testResults[0]?.message).toContain('nope.test.json');
    expect(run.status).toBe(1);
  });
});
