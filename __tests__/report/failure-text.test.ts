import { evaluationMessage } from '../../src/report/failure-text';
import type { CaseFailure, CaseResult, EvalSetResult, EvaluationResult, MetricResult, TrialResult } from '../../src/results/model';
import { displayWidth } from '../../src/support/text-width';
import { actualTurn, trialOf, turn } from '../evaluation/scripted';

const callDiff = [
  'expected  set_brightness({ room: "bedroom", level: 30 })',
  'actual    set_brightness({ room: "bedroom", level: 0.3 })',
  '                                            ~~~~~~~~~~ level: expected 30, got 0.3',
];

function metric(metricName: string, scores: readonly number[], explanation: readonly string[] = callDiff): MetricResult {
  const score = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const perInvocation = scores.map((one) => (one < 0.5 ? { score: one, status: 'failed' as const, explanation } : { score: one, status: 'passed' as const }));
  return { metricName, threshold: 1, criterion: { threshold: 1 }, score, status: score < 1 ? 'failed' : 'passed', perInvocation };
}

function trial(metrics: readonly MetricResult[], texts: readonly string[] = ['ok', 'ok']): TrialResult {
  const invocations = texts.map((text) => actualTurn('answered', { finalResponse: { role: 'model', parts: [{ text }] } }));
  return { trial: trialOf(invocations), status: metrics.some((one) => one.status === 'failed') ? 'failed' : 'passed', metrics };
}

function caseOf(evalId: string, outcome: CaseResult['outcome'], failures: readonly CaseFailure[] = [], extra: Partial<CaseResult> = {}): CaseResult {
  const place = { file: '/project/evals/home.test.json', line: 41, column: 5 };
  return { evalSetId: 'home', evalId, outcome, flaky: false, trials: [], metrics: [], failures, expected: null, place, ...extra };
}

function evaluation(cases: readonly CaseResult[], extra: Partial<EvalSetResult> = {}): EvaluationResult {
  const set: EvalSetResult = {
    schemaVersion: 1,
    evalSetId: 'home',
    evalSetFile: '/project/evals/home.test.json',
    appName: 'home',
    outcome: 'failed',
    cases,
    numRuns: 3,
    passPolicy: 'mean',
    compatibility: 'default',
    config: { file: '/project/evals/test_config.json', reason: 'test_config' },
    warnings: [],
    startedAt: 0,
    durationMs: 1,
    resultFile: '/project/results/home/.adk/eval_history/home_home_20260101-000000.evalset_result.json',
    ...extra,
  };
  return { schemaVersion: 1, outcome: 'failed', sets: [set] };
}

const below: CaseFailure = { kind: 'below_threshold', metricName: 'tool_trajectory_avg_score', score: 0.5, threshold: 1, message: '0.50, needs 1.00' };
const dim = caseOf('dim_bedroom', 'failed', [below], { trials: Array(3).fill(trial([metric('tool_trajectory_avg_score', [1, 0])])), expected: [turn('light on'), turn('dim the bedroom')] });
const weather = caseOf('ask_weather', 'error', [{ kind: 'inference_error', message: 'judge gemini-x answered 503 three times' }], { place: undefined as never });
const passed = ['a', 'b', 'c'].map((id) => caseOf(id, 'passed'));
const hint = 'expect(agent).toPassEvalSet("evals/home.test.json")';

function message(result: EvaluationResult, extra = {}): string {
  return evaluationMessage(result, { cwd: '/project', ...extra });
}

test('C37 C42 all failures at once, with metric, score, threshold and case in plain text', () => {
  expect(message(evaluation([dim, weather, ...passed]), { matcherHint: hint })).toBe(
    [
      'expect(agent).toPassEvalSet("evals/home.test.json")',
      '',
      '2 of 5 cases failed, 1 of them with an error (3 trials each, pass policy mean)',
      '',
      '  ✗ dim_bedroom › tool_trajectory_avg_score  0.50, needs 1.00',
      '      evals/home.test.json:41',
      '      turn 2  expected  set_brightness({ room: "bedroom", level: 30 })',
      '              actual    set_brightness({ room: "bedroom", level: 0.3 })',
      '                                                          ~~~~~~~~~~',
      '                        level: expected 30, got 0.3',
      '  ! ask_weather  error: judge gemini-x answered 503 three times (not a verdict',
      '      on the agent)',
      '',
      'config: evals/test_config.json',
      'results: results/home/.adk/eval_history/home_home_20260101-000000.evalset_result.json',
    ].join('\n'),
  );
});

test('with room, the path stands behind and the marks below the difference', () => {
  const text = message(evaluation([dim]), { width: 120 });
  expect(text).toContain('  ✗ dim_bedroom › tool_trajectory_avg_score  0.50, needs 1.00   evals/home.test.json:41\n');
  expect(text).toContain('~~~~~~~~~~ level: expected 30, got 0.3');
});

test('C38 detailed: prompt, expected and actual answer of each failing turn', () => {
  const response = { role: 'model', parts: [{ text: 'Dimmed to 30%.' }] };
  const detailed = caseOf('dim', 'failed', [below], {
    trials: [trial([metric('tool_trajectory_avg_score', [1, 0], ['calls differ'])], ['on', 'Dimmed\nto 0.3%.'])],
    expected: [turn('light on'), turn('dim the bedroom', { finalResponse: response })],
  });
  expect(message(evaluation([detailed]), { detailed: true })).toContain(
    ['      turn 2  prompt    dim the bedroom', '              expected  Dimmed to 30%.', '              actual    Dimmed to 0.3%.', '              calls differ'].join('\n'),
  );
});

test('C38 a turn without an answer says so', () => {
  const trials = [{ ...trial([metric('m', [0], [])]), trial: trialOf([actualTurn('unanswered')]) }];
  expect(message(evaluation([caseOf('x', 'failed', [{ ...below, metricName: 'm' }], { trials, expected: [turn('hi')] })]), { detailed: true })).toContain('actual    (no final response)');
});

test('F78 the reason of a metric that speaks of the whole case', () => {
  const overall: MetricResult = { metricName: 'tone', threshold: 0.5, criterion: { threshold: 0.5 }, score: 0.4, status: 'failed', reason: 'lost the order id', perInvocation: [] };
  const one = caseOf('x', 'failed', [{ ...below, metricName: 'tone', message: '0.40, needs 0.50' }], { trials: [trial([overall])] });
  expect(message(evaluation([one]), { detailed: true })).toMatch(/ {6}case +reason +lost the order id\n/);
});

test('a turn that failed in some trials names them; equal findings are told once', () => {
  const trials = [trial([metric('tool_trajectory_avg_score', [1, 0])]), trial([metric('tool_trajectory_avg_score', [1, 1])]), trial([metric('tool_trajectory_avg_score', [1, 0])])];
  const text = message(evaluation([caseOf('x', 'failed', [below], { trials })]));
  expect(text.match(/expected {2}set_brightness/g)).toHaveLength(1);
  expect(text).toContain('      turn 2 (trial 1, 3)\n              expected  set_brightness');
});

test('a metric without a view of single turns is about the case, without the words of a turn', () => {
  const overall: MetricResult = { metricName: 'm', threshold: 1, criterion: { threshold: 1 }, score: 0, status: 'failed', perInvocation: [], explanation: ['state lamp: expected "on", got "off"'] };
  const text = message(evaluation([caseOf('x', 'failed', [{ ...below, metricName: 'm' }], { trials: [trial([overall])], expected: [turn('hi')] })]), { detailed: true });
  expect(text).toContain('      case  state lamp: expected "on", got "off"');
  expect(text).not.toContain('prompt');
});

test('only errors are no failures of the agent', () => {
  expect(message(evaluation([weather, ...passed]))).toContain('1 of 4 cases could not be evaluated (3 trials each, pass policy mean)');
});

test('an evaluation that passed is told as well, and names flaky cases', () => {
  const good = trial([metric('m', [1])]);
  const flaky = caseOf('wobbly', 'passed', [], { flaky: true, trials: [good, { ...good, status: 'failed' }, good] });
  expect(message(evaluation(passed))).toContain('3 of 3 cases passed (3 trials each, pass policy mean)\n\n  ✓ 3 passed\n');
  expect(message(evaluation([...passed, flaky]))).toContain('~ wobbly  flaky: passed in 2 of 3 trials');
});

test('several sets are told apart', () => {
  const one = evaluation([dim]).sets[0] as EvalSetResult;
  const text = message({ schemaVersion: 1, outcome: 'failed', sets: [one, { ...one, evalSetId: 'garden', evalSetFile: '/project/evals/garden.test.json', cases: [weather] }] });
  expect(text).toContain('home  evals/home.test.json\n  ✗ dim_bedroom');
  expect(text).toContain('garden  evals/garden.test.json\n  ! ask_weather');
});

test('a result that was not saved is told, though every case passed', () => {
  expect(message(evaluation(passed, { error: { code: 'results_not_writable', message: 'Results cannot be saved in /r: disk full.' } }))).toContain('  ✓ 3 passed\n  ! results not saved  error: Results cannot be saved in /r: disk full.');
});

test('built-in criteria are named, warnings are told', () => {
  const metrics = [{ metricName: 'response_match_score', threshold: 0.8, direction: 'max' as const, score: 0.1, status: 'failed' as const, rows: 1 }];
  const text = message(evaluation([caseOf('x', 'failed', [{ ...below, metricName: 'response_match_score' }], { metrics })], { config: { reason: 'default' }, warnings: ['turn 1 asserts nothing'] }));
  expect(text).toContain('warning: turn 1 asserts nothing\nconfig: built-in defaults (response_match_score 0.80)');
});

test('80 columns hold for long, wide and hostile text', () => {
  const long = [`expected  ${'照明を暗くしてください '.repeat(20)}`, `actual    f({ text: "${'word '.repeat(60)}" })`];
  const trials = [trial([metric('tool_trajectory_avg_score', [0], long)])];
  const text = message(evaluation([caseOf('寝室を暗くする\u001b[31m', 'failed', [below], { trials })], { resultFile: '/r' }));
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  expect(text).not.toContain('\u001b');
});

test('colours come from the caller', () => {
  const text = message(evaluation([dim, weather]), { colors: { red: (s: string) => `<r>${s}</r>`, yellow: (s: string) => `<y>${s}</y>` } });
  expect(text).toContain('<r>✗</r> dim_bedroom');
  expect(text).toContain('<y>!</y> ask_weather');
});
