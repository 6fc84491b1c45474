import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type Project } from '../support/run-jest';

jest.setTimeout(180_000);
afterAll(removeProjects);

let project: Project;
beforeAll(() => {
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

  it('runs several, and is an error where none of them is', async () => {
    const run = await project.jest(['echo', '--testTimeout=60000'], { env: { JEST_ADK_ONLY: 'thanks, nobody' }, json: true });
    const [home, all] = run.json?.testResults[0]?.assertionResults ?? [];
    expect(home?.failureMessages[0]).toMatch(/JEST_ADK_ONLY names none of the cases/);
    expect(all?.status).toBe('passed');
    expect(asked(run.output)).toEqual(['thanks', 'thanks']);
  });
});

it('lifts the limits when a debugger is attached', async () => {
  expect((await project.jest(['slow'])).status).toBe(1);
  const run = await project.node(['--inspect=0', 'node_modules/jest/bin/jest.js', '-i', 'slow']);
  expect(run.status).toBe(0);
});
