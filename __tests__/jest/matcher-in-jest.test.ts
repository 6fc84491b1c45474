import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type JestMajor, type JestRun } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const files = {
  'evals/home.test.json': evalSet('home', { hello: 'hello to you', bye: 'goodbye to you' }),
  'evals/test_config.json': answersOnly,
  'agents.js': `
    exports.polite = async (turn, session) => (turn.text === 'hello' ? 'hello to you' : 'goodbye to you');
    exports.rude = async (turn, session) => 'go away';
    exports.broken = async (turn, session) => { throw new Error('quota exceeded'); };
    exports.leaving = async (turn, session) => process.exit(0);
    exports.hanging = (turn, session) => new Promise(() => {});`,
  'forgotten.test.js': `
    const { polite, rude, hanging } = require('./agents');
    test('passing, not awaited', () => { expect(polite).toPassEvalSet('./evals/home.test.json'); });
    test('failing, not awaited', () => { expect(rude).toPassEvalSet('./evals/home.test.json'); });
    test('hanging, not awaited', () => { expect(hanging).toPassEvalSet('./evals/home.test.json'); });
    test('settled long before the end, not awaited', async () => { expect(polite).toPassEvalSet('./evals/home.test.json'); await new Promise((r) => setTimeout(r, 500)); });
    test('awaited', async () => { await expect(polite).toPassEvalSet('./evals/home.test.json'); });
    test('returned', () => expect(polite).toPassEvalSet('./evals/home.test.json'));
    test('in Promise.all', async () => { await Promise.all([expect(polite).toPassEvalSet('./evals/home.test.json'), expect(rude).not.toPassEvalSet('./evals/home.test.json')]); });
    test('by .then', (done) => { expect(polite).toPassEvalSet('./evals/home.test.json').then(() => done(), done); });
    test('the evaluator, not awaited', () => { AgentEvaluator.evaluate({ agent: polite, evalDatasetFilePathOrDir: './evals/home.test.json' }); });
    test('the last one, failing, not awaited', () => { expect(rude).toPassEvalSet('./evals/home.test.json'); });`,
  'errors.test.js': `
    const { polite, broken, leaving } = require('./agents');
    test('an agent that ends the process', async () => { await expect(leaving).not.toPassEvalSet('./evals/home.test.json'); });
    test('an agent that throws', async () => { await expect(broken).toPassEvalSet('./evals/home.test.json'); });
    test('an agent that throws, under not', async () => { await expect(broken).not.toPassEvalSet('./evals/home.test.json'); });
    test('a missing file, under not', async () => { await expect(polite).not.toPassEvalSet('./evals/hme.test.json'); });
    test('errors are of this realm', async () => {
      const { JestAdkError, AgentEvaluationError } = require('jest-adk');
      const missing = await AgentEvaluator.evaluate({ agent: polite, evalDatasetFilePathOrDir: './nowhere' }).catch((error) => error);
      expect(missing).toBeInstanceOf(Error);
      expect(missing).toBeInstanceOf(JestAdkError);
      expect(missing.problems[0].code).toBe('path_not_found');
      const failed = await AgentEvaluator.evaluate({ agent: require('./agents').rude, evalDatasetFilePathOrDir: './evals' }).catch((error) => error);
      expect(failed).toBeInstanceOf(AgentEvaluationError);
      expect(failed.result.outcome).toBe('failed');
      expect(require('fs').existsSync(failed.result.sets[0].resultFile)).toBe(true);
      const result = await AgentEvaluator.evaluate({ agent: require('./agents').rude, evalDatasetFilePathOrDir: './evals', throwOnFailure: false });
      expect(result.sets[0].cases).toHaveLength(2);
    });`,
  'concurrent.test.js': `
    const { polite, rude } = require('./agents');
    test.concurrent('first passes', async () => { await expect(polite).toPassEvalSet('./evals/home.test.json'); });
    test.concurrent('second fails', async () => { await expect(rude).toPassEvalSet('./evals/home.test.json'); });
    test.concurrent('third forgets', async () => { expect(polite).toPassEvalSet('./evals/home.test.json'); });
    test.concurrent('fourth passes', async () => { await expect(polite).toPassEvalSet('./evals/home.test.json'); });`,
  'hooks.test.js': `
    const { polite } = require('./agents');
    let result;
    beforeAll(async () => { result = await AgentEvaluator.evaluate({ agent: polite, evalDatasetFilePathOrDir: './evals' }); });
    test('a result made in a hook', () => { expect(result).toHaveMetricScore('response_match_score', { atLeast: 1 }); });
    describe('a forgotten one in a hook', () => {
      beforeEach(() => { expect(polite).toPassEvalSet('./evals'); });
      test('is told', () => {});
    });`,
  'modules.test.js': `
    jest.mock('./agents/mocked', () => ({ rootAgent: async (turn, session) => (turn.text === 'hello' ? 'hello to you' : 'goodbye to you') }), { virtual: true });
    test('an agent module is the one that the test file sees', async () => { await expect('./module-agent.js').toPassEvalSet('./evals/home.test.json'); expect(require('./module-agent').seen()).toBe(4); });
    test('a module that throws when loaded', async () => { await expect('./broken-module').toPassEvalSet('./evals/home.test.json'); });`,
  'module-agent.js': `let count = 0; exports.seen = () => count; exports.rootAgent = async (turn, session) => { count += 1; return turn.text === 'hello' ? 'hello to you' : 'goodbye to you'; };`,
  'broken-module.js': `require('./no-such-thing');`,
};

describe.each<JestMajor>(['29', '30'])('Jest %s', (major) => {
  let run: JestRun;
  const results = new Map<string, { status: string; message: string }>();
  beforeAll(async () => {
    const project = createProject({ jest: major, files, packageJson: { jest: { preset: 'jest-adk', maxWorkers: 2 } } });
    run = await project.jest([], { json: true });
    for (const one of run.json?.testResults.flatMap((file) => file.assertionResults) ?? []) results.set(one.fullName, { status: one.status, message: one.failureMessages.join('\n') });
  });

  it('runs to the end', () => {
    expect(run.json?.testResults.map(({ message, assertionResults }) => (assertionResults.length === 0 ? message : ''))).toEqual(['', '', '', '', '']);
    expect(run.status).toBe(1);
  });

  it.each([
    'passing, not awaited',
    'failing, not awaited',
    'hanging, not awaited',
    'settled long before the end, not awaited',
    'the last one, failing, not awaited',
    'third forgets',
    'a forgotten one in a hook is told',
  ])('turns the test red that did not await a matcher: %s', (name) => {
    expect(results.get(name)).toMatchObject({ status: 'failed', message: expect.stringMatching(/toPassEvalSet\("\.\/evals(\/home\.test\.json)?"\) was not awaited/) as string });
    expect(results.get(name)?.message).toMatch(/(forgotten|concurrent|hooks)\.test\.js/);
  });

  it('turns the test red that did not await the evaluator', () => {
    expect(results.get('the evaluator, not awaited')).toMatchObject({ status: 'failed', message: expect.stringContaining('AgentEvaluator.evaluate() was not awaited') as string });
  });

  it.each(['awaited', 'returned', 'in Promise.all', 'by .then', 'first passes', 'fourth passes', 'errors are of this realm', 'a result made in a hook'])('leaves alone what was waited for: %s', (name) => {
    expect(results.get(name)).toEqual({ status: 'passed', message: '' });
  });

  it('keeps concurrent tests apart', () => {
    expect(results.get('second fails')).toMatchObject({ status: 'failed', message: expect.stringContaining('2 of 2 cases failed') as string });
    expect(results.get('second fails')?.message).not.toContain('not awaited');
  });

  it.each(['an agent that throws', 'an agent that throws, under not'])('fails for an error, which is no verdict: %s', (name) => {
    expect(results.get(name)).toMatchObject({ status: 'failed', message: expect.stringContaining('quota exceeded') as string });
  });

  it('fails for an agent that ends the process, and the run goes on', () => {
    expect(results.get('an agent that ends the process')).toMatchObject({ status: 'failed', message: expect.stringContaining('process.exit(0) was called') as string });
  });

  it('lists the paths tried for a file that is missing, under not as well', () => {
    expect(results.get('a missing file, under not')).toMatchObject({ status: 'failed', message: expect.stringContaining('evals/hme.test.json') as string });
  });

  it.each(['an agent that throws', 'a missing file, under not'])('points at the line that made the call: %s', (name) => {
    const line = files['errors.test.js'].split('\n').findIndex((text) => text.includes(`'${name}'`)) + 1;
    expect(results.get(name)?.message).toMatch(new RegExp(`\n +at .*errors\\.test\\.js:${line}:`));
    expect(results.get(name)?.message).not.toMatch(/at .*jest-adk[\\/]dist/);
  });

  it('C40 an agent module that throws while it is loaded fails, with file and cause', () => {
    expect(results.get('an agent module is the one that the test file sees')).toEqual({ status: 'passed', message: '' });
    const { status, message } = results.get('a module that throws when loaded') ?? {};
    expect(status).toBe('failed');
    expect(message).toContain('broken-module.js');
    expect(message).toContain('no-such-thing');
  });
});
