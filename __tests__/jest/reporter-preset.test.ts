import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type Project } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const files = {
  'evals/home.test.json': evalSet('home', { hello: 'hello to you', bye: 'goodbye to you', thanks: 'you are welcome' }),
  'evals/test_config.json': answersOnly,
  'agent.js': `
    exports.rootAgent = async (turn) => {
      require('fs').appendFileSync('calls.log', turn.text + '\\n');
      if (turn.text === 'bye') throw new Error('the line is dead');
      return { hello: 'hello to you' }[turn.text] ?? 'nothing';
    };`,
  'described.test.js': `require('jest-adk').describeEvalSet('./agent', './evals/home.test.json', { numRuns: 1 });`,
  'named.test.js': `test("it's (all) fine", () => expect('./agent').toPassEvalSet('./evals/home.test.json', { numRuns: 1 }));`,
};

function project(): Project {
  return createProject({ files, packageJson: { jest: { preset: 'jest-adk' } } });
}

/** The commands that a run printed, by case. */
function commands(stderr: string): [string, string][] {
  return [...stderr.matchAll(/rerun: (JEST_ADK_ONLY=(\w+) .*)$/gm)].map((match) => [match[2] as string, match[1] as string]);
}

describe('the reporter of the preset', () => {
  test.each(['described', 'named'])('every command that is printed runs just its case again (%s.test.js)', async (name) => {
    const made = project();
    const run = await made.jest([name]);
    expect(run.status).toBe(1);
    const printed = commands(run.stderr);
    expect(printed.map(([evalId]) => evalId)).toEqual(['thanks', 'bye']);
    for (const [evalId, command] of printed) {
      made.write({ 'calls.log': '' });
      const again = spawnSync('sh', ['-c', command.replace('npx jest', `'${process.execPath}' node_modules/jest/bin/jest.js`)], { cwd: made.dir, env: made.env(), encoding: 'utf8' });
      expect(made.read('calls.log')).toBe(`${evalId}\n`);
      expect(again.stderr).toContain('1 total');
      expect(again.status).toBe(1);
    }
  });

  test('C42 H100 two test files in two workers: both stand in the section, errors apart from failures, with the folders of the results', async () => {
    const made = project();
    const { stderr, stdout } = await made.jest(['--maxWorkers=2', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ success: false });
    const section = stderr.slice(stderr.indexOf('ADK eval results'));
    expect(section).toContain(`! it's (all) fine\n      1 of 3 cases passed, 1 failed, 1 error  named.test.js`);
    expect(section).toContain('! home\n      1 of 3 cases passed, 1 failed, 1 error  described.test.js');
    expect(section).toMatch(/thanks {2}evals\/home\.test\.json:\d+\n +✗ response_match_score +0\.00 {2}needs/);
    expect(section).toMatch(/could not be evaluated.*\n +bye .*\n +! .*the line is dead/);
    for (const folder of section.match(/(?<=results: ).*/g) ?? []) expect(existsSync(folder)).toBe(true);
    expect(section).toContain('Eval cases:      2 failed, 2 errors, 2 passed, 6 total');
  });

  test('in watch mode every re-run has a section of its own', async () => {
    const made = project();
    const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--watchAll', 'named'], { cwd: made.dir, env: made.env(), stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    try {
      await new Promise<void>((done, fail) => {
        let runs = 0;
        child.on('close', () => fail(new Error(`Jest ended:\n${output}`)));
        child.stdout.resume();
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const ended = output.match(/Evaluation time:/g)?.length ?? 0;
          if (ended === runs) return;
          runs = ended;
          if (runs === 2) done();
          // The agent is mended: the second section must show this run alone.
          else writeFileSync(join(made.dir, 'agent.js'), `exports.rootAgent = async (turn) => ({ hello: 'hello to you', bye: 'goodbye to you', thanks: 'you are welcome' })[turn.text];`);
        });
      });
    } finally {
      child.removeAllListeners('close');
      child.kill('SIGKILL');
    }
    const [, first = '', second = ''] = output.split('ADK eval results');
    expect(first).toContain('Eval cases:      1 failed, 1 error, 1 passed, 3 total');
    expect(second).toContain('Eval cases:      3 passed, 3 total');
  });
});
