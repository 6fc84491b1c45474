import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type JestMajor, type Project } from '../support/run-jest';

jest.setTimeout(180_000);
afterAll(removeProjects);

let project: Project;
let narrow: Project;
const narrowProject = {
  packageJson: { jest: { preset: 'jest-adk', maxWorkers: 2 } },
  files: {
    'evals/home.test.json': evalSet('home', { hello: 'hello', bye: 'bye' }),
    'evals/other.test.json': evalSet('other', { thanks: 'thanks' }),
    'evals/test_config.json': answersOnly,
    'echo.js': `exports.echo = async (turn, session) => turn.text;`,
    'home.test.js': `
      const { echo } = require('./echo');
      test('home', async () => { await expect(echo).toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });
      test('home, .not', async () => { await expect(echo).not.toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });
      describe('hook', () => {
        beforeAll(() => AgentEvaluator.evaluate({ agent: echo, evalDatasetFilePathOrDir: './evals/home.test.json', numRuns: 1 }));
        test('a hook', () => {});
      });`,
    'caught.test.js': `test('home, caught', async () => { await expect(require('./echo').echo).toPassEvalSet('./evals/home.test.json').catch((error) => console.log(error.message)); });`,
    'other.test.js': `test('other', async () => { await expect(require('./echo').echo).toPassEvalSet('./evals/other.test.json', { numRuns: 1 }); });`,
    'described.test.js': `require('jest-adk').describeEvalSet(require('./echo').echo, './evals/other.test.json', { numRuns: 1 });`,
    'plain.test.js': `test('plain', () => {});`,
  },
};

beforeAll(() => {
  narrow = createProject(narrowProject);
  project = createProject({
    packageJson: { jest: { preset: 'jest-adk', testTimeout: 150 } },
    files: {
      'evals/home.test.json': evalSet('home', { hello: 'hello', bye: 'bye' }),
      'evals/other.test.json': evalSet('other', { thanks: 'thanks' }),
      'evals/test_config.json': answersOnly,
      'echo.test.js': `
        const asked = [];
        const echo = async (turn, session) => { asked.push(turn.text); return turn.text; };
        afterEach(() => { console.log('ASKED ' + asked.splice(0).join(',')); });
        test('home', async () => { await expect(echo).toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });
        test('all', async () => { await expect(echo).toPassEvalSet('./evals', { numRuns: 1 }); });
        test('evaluator', async () => { await AgentEvaluator.evaluate({ agent: echo, evalDatasetFilePathOrDir: './evals', numRuns: 1 }); });`,
      'slow.test.js': `test('slow', async () => { await expect(async (turn, session) => { await new Promise((r) => setTimeout(r, 400)); return turn.text; }).toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });`,
    },
  });
});

// Whole lines only: failures show the line of the test file as well.
const asked = (stdout: string): string[] => [...stdout.matchAll(/^\s*ASKED (.+)/gm)].map(([, texts = '']) => texts);

describe('JEST_ADK_ONLY', () => {
  it('runs one case of whatever is evaluated', async () => {
    const run = await project.jest(['echo', '--testTimeout=60000'], { env: { JEST_ADK_ONLY: 'bye' }, json: true });
    expect(asked(run.output)).toEqual(['bye', 'bye', 'bye']);
    expect(run.json).toMatchObject({ numPassedTests: 3 });
  });

  it('runs several, and skips a test whose evaluation has none of them', async () => {
    const run = await project.jest(['echo', '--testTimeout=60000'], { env: { JEST_ADK_ONLY: 'thanks, nobody' }, json: true });
    expect(run.json?.testResults[0]?.assertionResults.map(({ title, status }) => [title, status])).toEqual([['home', 'pending'], ['all', 'passed'], ['evaluator', 'passed']]);
    expect(asked(run.output)).toEqual(['thanks', 'thanks']);
    expect(run.status).toBe(0);
  });

  it.each<[string, string[], string, string]>([
    ['matchers and the evaluator', ['home', 'other'], 'tanks', 'Did you mean "thanks"? Cases of this run: "hello", "bye", "thanks".'],
    ['describeEvalSet alone', ['described'], 'nobody_at_all', 'Cases of this run: "thanks".'],
    ['nothing that evaluates', ['plain'], 'thanks', 'No test of this run looked at an eval set.'],
    ['a test that was not run', ['described', '-t', 'no such test'], 'thanks', 'It is in an eval set of this run, but its test was not run.'],
  ])('turns a run red in which no file has them: %s', async (_name, files, id, hint) => {
    const run = await narrow.jest(files, { env: { JEST_ADK_ONLY: id }, json: true });
    expect(run.json).toMatchObject({ success: false, numFailedTests: 0 });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain(`ADK eval results: no case was evaluated; JEST_ADK_ONLY asks for "${id}" alone. ${hint}\n`);
  });

  it.each<JestMajor>(['29', '30'])('is green over several files when one of them has it, in Jest %s', async (major) => {
    const run = await (major === '30' ? narrow : createProject({ ...narrowProject, jest: major })).jest([], { env: { JEST_ADK_ONLY: 'thanks' }, json: true });
    expect(run.json).toMatchObject({ success: true, numFailedTests: 0 });
    expect(run.json?.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title, status }) => `${title}: ${status}`)).sort()).toEqual([
      'a hook: pending', 'home, .not: pending', 'home, caught: passed', 'home: pending', 'other: passed', 'plain: passed', 'thanks: passed',
    ]);
  });

  it('says what there is where nobody skips the test', async () => {
    const run = await narrow.jest(['caught'], { env: { JEST_ADK_ONLY: 'hullo' } });
    expect(run.output).toContain('JEST_ADK_ONLY names none of the cases of "home". Did you mean "hello"? There are "hello", "bye".');
  });
});

it('lifts the limits when a debugger is attached', async () => {
  expect((await project.jest(['slow'])).status).toBe(1);
  const run = await project.node(['--inspect=0', 'node_modules/jest/bin/jest.js', '-i', 'slow']);
  expect(run.status).toBe(0);
});
