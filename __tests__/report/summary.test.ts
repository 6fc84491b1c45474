import { createColors } from 'picocolors';
import { summaryLines, type SummaryOptions } from '../../src/report/summary';
import type { CaseResult, EvalSetResult, RunEvaluation, RunResult } from '../../src/results/model';
import { displayWidth } from '../../src/support/text-width';
import { caseResult, setResult, startedAt, trial, trialResult } from '../fixtures/results/samples';

const trajectory = { metricName: 'tool_trajectory_avg_score', threshold: 1, direction: 'max', score: 0.5, status: 'failed', rows: 2 } as const;
const response = { metricName: 'response_match_score', threshold: 0.8, direction: 'max', score: 0.91, status: 'passed', rows: 2 } as const;

const failing: CaseResult = caseResult({
  outcome: 'failed',
  metrics: [trajectory, response],
  failures: [{ kind: 'below_threshold', metricName: trajectory.metricName, score: 0.5, threshold: 1, message: '0.50, needs 1.00' }],
  place: { file: '/p/evals/home.test.json', line: 41, column: 5 },
});
const broken: CaseResult = caseResult({
  evalId: 'ask_weather',
  outcome: 'error',
  trials: [trialResult({ status: 'error', metrics: [], trial: trial({ invocations: [] }) })],
  metrics: [],
  failures: [{ kind: 'inference_error', message: 'turn 1: the model answered 503 three times' }],
});

function run(sets: readonly EvalSetResult[], more: Partial<RunEvaluation> = {}): RunResult {
  const outcome = sets.some((set) => set.outcome === 'error') ? 'error' : sets.some((set) => set.outcome === 'failed') ? 'failed' : 'passed';
  return {
    schemaVersion: 1,
    runId: 'r',
    evaluations: [{ testFile: '/p/evals/home.test.ts', testName: 'home dims the bedroom', result: { schemaVersion: 1, outcome, sets }, startedAt, durationMs: 3200, ...more }],
  };
}

const text = (result: RunResult, options: SummaryOptions = {}): string => summaryLines(result, { cwd: '/p', shell: 'posix', ...options }).join('\n');
const file = '/tmp/runs/1/home/.adk/eval_history/home_home_20261105-070809.evalset_result.json';

describe('the section that ends a run', () => {
  test('nothing was evaluated: nothing is said', () => expect(summaryLines({ schemaVersion: 1, runId: 'r', evaluations: [] })).toEqual([]));

  test('a test that passed', () => {
    expect(text(run([setResult({ resultFile: file })]))).toMatchInlineSnapshot(`
"ADK eval results

  ✓ home dims the bedroom
      1 of 1 case passed  evals/home.test.ts
      results: /tmp/runs/1/home/.adk/eval_history

  Evaluated tests: 1 passed, 1 total
  Eval cases:      1 passed, 1 total
  Tokens:          120 (100 in, 20 out)
  Evaluation time: 3.2 s"
`);
  });

  test.each<[string, readonly CaseResult[], boolean, string]>([
    ['a test that passed because the evaluation did not (`.not`, a second attempt) is no failure', [failing], true, '✓ home dims the bedroom|0 of 1 case passed, 1 failed, and the test passed|Evaluated tests: 1 passed, 1 total'],
    ['a test that failed beside a good evaluation is none that passed', [caseResult({})], false, '✗ home dims the bedroom|1 of 1 case passed, but the test failed|Evaluated tests: 1 failed, 1 total'],
    ['an error stays one', [broken], false, '! home dims the bedroom|0 of 1 case passed, 1 error|Evaluated tests: 1 error, 1 total'],
  ])('%s', (_name, cases, passed, lines) => {
    const outcome = cases[0]?.outcome ?? 'passed';
    const told = text(run([setResult({ outcome, cases, resultFile: file })]), { tests: [{ testFile: '/p/evals/home.test.ts', testName: 'home dims the bedroom', passed }] });
    for (const line of lines.split('|')) expect(told).toContain(line);
    expect(told.includes('needs 1.00')).toBe(false);
  });

  test('C42 a failure names case, metric, score and threshold in plain text; errors stand apart', () => {
    expect(text(run([setResult({ outcome: 'error', cases: [caseResult({ evalId: 'fine' }), failing, broken], resultFile: file })]))).toMatchInlineSnapshot(`
"ADK eval results

  ! home dims the bedroom
      1 of 3 cases passed, 1 failed, 1 error  evals/home.test.ts
      dim_bedroom  evals/home.test.json:41
        ✗ tool_trajectory_avg_score  0.50  needs 1.00
        ✓ response_match_score       0.91  needs 0.80
        rerun: JEST_ADK_ONLY=dim_bedroom npx jest evals/home.test.ts -t '^home dims the bedroom$'
      could not be evaluated (no verdict on the agent):
      ask_weather
        ! turn 1: the model answered 503 three times
        rerun: JEST_ADK_ONLY=ask_weather npx jest evals/home.test.ts -t '^home dims the bedroom$'
      results: /tmp/runs/1/home/.adk/eval_history

  Evaluated tests: 1 error, 1 total
  Eval cases:      1 failed, 1 error, 1 passed, 3 total
  Tokens:          240 (200 in, 40 out)
  Evaluation time: 3.2 s"
`);
  });

  test('what no metric tells, budgets, unjudged metrics and scores that look alike', () => {
    const odd = caseResult({
      outcome: 'failed',
      flaky: true,
      metrics: [
        { ...trajectory, score: 0.9999, status: 'failed' },
        { metricName: 'latency_ms', threshold: 100, direction: 'min', score: 1234.5, status: 'failed', rows: 1 },
        { metricName: 'tone', threshold: null, direction: 'max', score: 0.3, status: 'informational', rows: 1 },
        { metricName: 'judge', threshold: 0.5, direction: 'max', score: null, status: 'not_evaluated', reason: 'no answer to judge', rows: 0 },
      ],
      failures: [{ kind: 'policy', message: '1 of 3 trials passed, the pass policy all needs 3' }],
    });
    expect(text(run([setResult({ outcome: 'failed', cases: [odd], warnings: ['the match of dim_bedroom rests on true = 1'] })]))).toMatchInlineSnapshot(`
"ADK eval results

  ✗ home dims the bedroom
      0 of 1 case passed, 1 failed, 1 flaky  evals/home.test.ts
      dim_bedroom
        ✗ tool_trajectory_avg_score   0.9999  needs 1.0000
        ✗ latency_ms                 1234.50  needs at most 100
        ! judge                            –  needs 0.50  no answer to judge
        · recorded: tone 0.30
        ! 1 of 3 trials passed, the pass policy all needs 3
        rerun: JEST_ADK_ONLY=dim_bedroom npx jest evals/home.test.ts -t '^home dims the bedroom$'

  warning: the match of dim_bedroom rests on true = 1

  Evaluated tests: 1 failed, 1 total
  Eval cases:      1 failed, 1 total
  Tokens:          120 (100 in, 20 out)
  Evaluation time: 3.2 s"
`);
  });

  test('C40 a test file that failed to load, and a process that ended early', () => {
    const cut = run([setResult({ outcome: 'error', cases: [broken] })], { unfinished: [{ evalSetId: 'home', evalIds: ['ask_weather'], cases: 4 }] });
    expect(text(cut, { loadErrors: [{ testFile: '/p/evals/broken.test.ts', message: '\n  ● Test suite failed to run\n\n    Cannot find module ./agent\n\n      at x' }], damaged: 1 })).toMatchInlineSnapshot(`
"ADK eval results

  ! home dims the bedroom
      0 of 1 case passed, 1 error  evals/home.test.ts
      could not be evaluated (no verdict on the agent):
      ask_weather
        ! turn 1: the model answered 503 three times
        rerun: JEST_ADK_ONLY=ask_weather npx jest evals/home.test.ts -t '^home dims the bedroom$'
      ! the process ended before 4 cases of home did: ask_weather, …
  ! evals/broken.test.ts
      the test file could not be run: Cannot find module ./agent

  warning: 1 line of the run's events could not be read; a process was
    probably ended while it wrote

  Evaluated tests: 1 error, 1 total
  Eval cases:      1 error, 1 total
  Evaluation time: 3.2 s"
`);
  });

  test('wide characters and 80 columns', () => {
    const id = '寝室の照明を暗くする'.repeat(3);
    const wide = { ...failing, evalId: id, failures: [], metrics: [{ ...trajectory, metricName: '日本語の指標' }, response] };
    const lines = summaryLines(run([setResult({ outcome: 'failed', cases: [wide], warnings: ['長い 警告 '.repeat(20)] })], { testName: 'home ライトを暗くするとき、モデルはどの部屋か尋ねるべきで、勝手に決めない。 部屋が分からないなら' }), { cwd: '/p' });
    const columns = lines.filter((line) => line.includes('needs')).map((line) => displayWidth(line.slice(0, line.indexOf('needs'))));
    expect(new Set(columns).size).toBe(1);
    for (const line of lines.filter((each) => !each.includes('rerun:'))) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  test('colour adds nothing but colour', () => {
    const result = run([setResult({ outcome: 'failed', cases: [failing, broken], resultFile: file })]);
    const coloured = text(result, { colors: createColors(true) });
    expect(coloured).not.toBe(text(result));
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(text(result));
  });

  test('text from a model cannot steer the terminal', () => {
    const evil = { ...broken, evalId: 'x\u001b[2J', failures: [{ kind: 'inference_error' as const, message: 'a\u001b]0;title\u0007' }] };
    expect(text(run([setResult({ outcome: 'error', cases: [evil] })]))).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test('where every case is a test of its own, its command runs that test', () => {
    const { testName: _none, ...rest } = run([setResult({ outcome: 'failed', cases: [failing] })]).evaluations[0] as RunEvaluation;
    expect(text({ schemaVersion: 1, runId: 'r', evaluations: [{ ...rest, testPerCase: true }] })).toContain("npx jest evals/home.test.ts -t 'home dim_bedroom$'");
  });

  test('many failures: the first twenty, and how many more', () => {
    const cases = Array.from({ length: 50 }, (_, index) => ({ ...failing, evalId: `case${index}` }));
    const lines = summaryLines(run([setResult({ outcome: 'failed', cases })]));
    expect(lines.filter((line) => line.includes('rerun:'))).toHaveLength(20);
    expect(lines).toContain('      … and 30 cases more');
  });

  test('two evaluations of one test are one entry, of two tests two', () => {
    const [one] = run([setResult()]).evaluations as [RunEvaluation];
    const both = text({ schemaVersion: 1, runId: 'r', evaluations: [one, one, { ...one, testName: 'other' }] });
    expect(both.match(/✓/g)).toHaveLength(2);
    expect(both).toContain('2 of 2 cases passed');
    expect(both).toContain('Evaluation time: 3.2 s');
  });
});
