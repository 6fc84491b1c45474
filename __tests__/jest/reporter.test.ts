import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { EvalSetResult, EvaluationEvent } from '../../src/results/model';
import { caseResult, eventsOf, setResult } from '../fixtures/results/samples';
import { createProject, removeProjects, type Project, type ProjectOptions } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

/** A test file that leaves events as an evaluation does, and passes or fails as told. */
function evaluating(events: readonly EvaluationEvent[], body = ''): string {
  return `
    const base = require('path').join(__dirname, 'node_modules/jest-adk/dist');
    const { openRunFolder, eventsFile } = require(base + '/environment/run-folder.js');
    const { openEventWriter } = require(base + '/src/results/event-file.js');
    test('scores the agent', async () => {
      const writer = openEventWriter(eventsFile(openRunFolder()));
      for (const event of ${JSON.stringify(events)}) { writer.write(event); await new Promise(setImmediate); }
      writer.close();
      ${body}
    });`;
}

function failingSet(evalSetId: string): EvalSetResult {
  const metric = { metricName: 'response_match_score', threshold: 0.8, direction: 'max', score: 0.25, status: 'failed', rows: 1 } as const;
  const failure = { kind: 'below_threshold', metricName: metric.metricName, score: 0.25, threshold: 0.8, message: '0.25, needs 0.80' } as const;
  return setResult({ evalSetId, outcome: 'failed', cases: [caseResult({ evalSetId, evalId: `case_of_${evalSetId}`, outcome: 'failed', metrics: [metric], failures: [failure] })], resultFile: `/results/${evalSetId}/x.evalset_result.json` });
}

const passing = (evalSetId: string): EvalSetResult => setResult({ evalSetId, cases: [caseResult({ evalSetId })] });

function project(files: Record<string, unknown>, options: ProjectOptions = {}, config: Record<string, unknown> = {}): Project {
  const jestConfig = { reporters: ['default', 'jest-adk/reporter'], ...config };
  return createProject({ ...options, files: { 'jest.config.json': jestConfig, ...files } });
}

const named = (testFile: string, set: EvalSetResult): EvaluationEvent[] => eventsOf(set, '1', { testFile, testName: 'scores the agent' });

/** The section alone. */
function section(stderr: string): string {
  const at = stderr.indexOf('ADK eval results');
  return at === -1 ? '' : stderr.slice(at);
}

describe.each(['29', '30'] as const)('the reporter under Jest %s', (jestMajor) => {
  test('C41 C42 says what failed, on stderr, and leaves the verdict to Jest', async () => {
    const made = project({ 'a.test.js': '' }, { jest: jestMajor });
    made.write({ 'a.test.js': evaluating(named(join(made.dir, 'a.test.js'), failingSet('home')), `throw new Error('2 of 5');`) });
    const red = await made.jest(['--json'], {});
    expect(red.status).toBe(1);
    expect(JSON.parse(red.stdout)).toMatchObject({ numFailedTests: 1 });
    expect(section(red.stderr)).toContain('✗ response_match_score  0.25  needs 0.80');
    expect(section(red.stderr)).toContain(`rerun: JEST_ADK_ONLY=case_of_home npx jest a.test.js -t '^scores the agent$'`);
    // An evaluation that failed in a test that passed, such as one that expects so, is no failure.
    made.write({ 'a.test.js': evaluating(named(join(made.dir, 'a.test.js'), failingSet('home'))) });
    const green = await made.jest();
    expect(green.status).toBe(0);
    expect(section(green.stderr)).toContain('✓ scores the agent');
    expect(section(green.stderr)).toContain('1 failed, and the test passed');
    expect(section(green.stderr)).not.toContain('rerun:');
  });

  test('H100 two workers and two eval sets: both are listed, whole', async () => {
    const made = project({}, { jest: jestMajor });
    for (const name of ['left', 'right']) made.write({ [`${name}.test.js`]: evaluating(named(join(made.dir, `${name}.test.js`), name === 'left' ? failingSet(name) : passing(name)), name === 'left' ? `throw new Error('red');` : '') });
    const run = await made.jest(['--maxWorkers=2']);
    expect(run.status).toBe(1);
    const text = section(run.stderr);
    expect(text.match(/scores the agent$/gm)).toHaveLength(2);
    expect(text).toContain('1 of 1 case passed  right.test.js');
    expect(text).toContain('case_of_left');
    expect(text).toContain('Evaluated tests: 1 failed, 1 passed, 2 total');
    expect(text).not.toContain('could not be read');
  });
});

describe('the reporter', () => {
  test('says nothing when nothing was evaluated, also of a broken file that would not have', async () => {
    const made = project({ 'a.test.js': `test('adds', () => expect(1 + 1).toBe(2));`, 'b.test.js': `require('./missing');` });
    const run = await made.jest();
    expect(run.stderr).toContain('Tests:');
    expect(section(run.stderr)).toBe('');
  });

  test('C40 a test file that failed to load is an error of the run', async () => {
    const made = project({ 'a.test.js': `const agent = require('./agent'); test('x', async () => expect(agent).toPassEvalSet('x'));`, 'agent.js': `throw new Error('no key');` });
    const run = await made.jest();
    expect(run.status).toBe(1);
    expect(section(run.stderr)).toContain('! a.test.js\n      the test file could not be run: no key');
  });

  test('a worker that was killed leaves what it had and names what is missing', async () => {
    const made = project({ 'other.test.js': `test('adds', () => {});` });
    const events = named(join(made.dir, 'a.test.js'), setResult({ cases: [caseResult({ evalId: 'done' }), caseResult({ evalId: 'lost' })] }));
    made.write({ 'a.test.js': evaluating(events.slice(0, 5), `process.kill(process.pid, 'SIGKILL');`) });
    const run = await made.jest(['--maxWorkers=2']);
    expect(run.status).toBe(1);
    expect(section(run.stderr)).toContain('1 of 2 cases passed, 1 error');
    expect(section(run.stderr)).toContain('the process ended before 1 case of home did: lost');
  });

  test('covers all projects of a run', async () => {
    const made = project({}, {}, { projects: ['<rootDir>/p1', '<rootDir>/p2'] });
    for (const name of ['p1', 'p2']) {
      made.write({
        [`${name}/jest.config.json`]: { displayName: name },
        [`${name}/a.test.js`]: evaluating(named(join(made.dir, name, 'a.test.js'), passing(name))).replace(`__dirname, '`, `__dirname, '../`),
      });
    }
    const run = await made.jest();
    expect(section(run.stderr)).toContain('p1/a.test.js');
    expect(section(run.stderr)).toContain('p2/a.test.js');
  });

  test('repeats the config of the command line in its commands', async () => {
    const made = project({});
    made.write({ 'a.test.js': evaluating(named(join(made.dir, 'a.test.js'), failingSet('home')), `throw new Error('red');`) });
    const run = await made.jest(['--config', 'jest.config.json']);
    expect(section(run.stderr)).toContain('npx jest --config jest.config.json a.test.js');
  });

  test('--bail ends the section once, though Jest ends the run twice', async () => {
    const made = project({});
    made.write({ 'a.test.js': evaluating(named(join(made.dir, 'a.test.js'), failingSet('home')), `throw new Error('red');`) });
    const { stderr } = await made.jest(['--bail', '-i']);
    expect(stderr.match(/ADK eval results/g)).toHaveLength(1);
  });

  test('JEST_ADK_ONLY that names no case of the run is told and red: green would mean nothing', async () => {
    const made = project({ 'a.test.js': `test.skip('left out', () => {});` });
    const run = await made.jest([], { env: { JEST_ADK_ONLY: 'nope' } });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('no case was evaluated; JEST_ADK_ONLY asks for "nope" alone');
  });

  test('no colour where none is wanted, colour where it is', async () => {
    const made = project({});
    made.write({ 'a.test.js': evaluating(named(join(made.dir, 'a.test.js'), passing('home'))) });
    expect(section((await made.jest()).stderr)).not.toContain('\u001b');
    expect((await made.jest([], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })).stderr).toContain('\u001b[32m✓\u001b[39m scores');
  });

  const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
  (hasScript ? test : test.skip)('on a terminal, progress is shown while an evaluation runs and is gone at the end', () => {
    const made = project({});
    const events = named(join(made.dir, 'a.test.js'), setResult({ cases: [caseResult({ evalId: 'slow' })] }));
    // The evaluation stays in its first trial until the terminal's record shows it.
    const wait = `if (event.type === 'trial_started' && process.env.SEEN) while (!require('fs').readFileSync(process.env.SEEN, 'utf8').includes('running: slow')) await new Promise((done) => setTimeout(done, 20))`;
    made.write({ 'a.test.js': evaluating(events).replace('await new Promise(setImmediate)', wait) });
    const command = `${process.execPath} node_modules/jest/bin/jest.js`;
    const record = join(made.tmp, 'terminal');
    const env = { ...made.env(), TERM: 'xterm', COLUMNS: '80' };
    const shown = execFileSync('script', ['-qefc', command, record], { cwd: made.dir, env: { ...env, SEEN: record }, encoding: 'utf8' });
    expect(shown).toContain('ADK eval  0/1 cases  ✗ 0  ! 0  running: slow (trial 1)');
    expect(shown.lastIndexOf('\u001b[1A\u001b[2K')).toBeGreaterThan(shown.lastIndexOf('running: slow'));
    // Under --ci no timer is started at all, so there is nothing to wait for.
    const inCi = execFileSync('script', ['-qefc', `${command} --ci`, record], { cwd: made.dir, env, encoding: 'utf8' });
    expect(inCi).not.toContain('running: slow');
  });
});
