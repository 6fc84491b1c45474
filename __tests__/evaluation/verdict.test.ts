import type { PlannedMetric } from '../../src/evaluation/types';
import { caseVerdict, erroredCase, overallOutcome, policyName } from '../../src/evaluation/verdict';
import type { CaseResult, PassPolicy } from '../../src/results/model';
import { defaultProfile, googleAdkProfile, type Profile } from '../../src/support/profile';
import { caseOf, metricOf, scored, scoreOf, trialOf } from './scripted';

const pass = [metricOf('m', scoreOf(1, 'passed'), 0.6)];
const fail = [metricOf('m', scoreOf(0, 'failed'), 0.6)];
const crash = [metricOf('m', new Error('503'), 0.6)];

async function verdict(trials: (readonly PlannedMetric[])[], passPolicy: PassPolicy = 'mean', profile: Profile = defaultProfile, directions = new Map<string, 'max' | 'min'>()): Promise<CaseResult> {
  const results = [];
  for (const metrics of trials) results.push(await scored({ metrics, profile }));
  return caseVerdict({ evalSetId: 'set', evalCase: caseOf(), trials: results, passPolicy, profile, directions });
}

test.each<[string, PassPolicy, string]>([
  ['mean', 'mean', 'passed'],
  ['all', 'all', 'failed'],
  ['any', 'any', 'passed'],
  ['majority', 'majority', 'passed'],
  ['a reached rate', { passRate: 2 / 3 }, 'passed'],
  ['a missed rate', { passRate: 0.9 }, 'failed'],
])('H101 trials pass, fail, pass: %s', async (_name, policy, outcome) => {
  const result = await verdict([pass, fail, pass], policy);
  expect(result.outcome).toBe(outcome);
  expect(result.flaky).toBe(true);
});

test('H101 an unmet policy says what it counted and which metric failed in which trial', async () => {
  const result = await verdict([pass, fail, pass], 'all');
  expect(result.failures.map((failure) => failure.message)).toEqual(['0.00, needs 0.60 (trial 2 of 3)', '2 of 3 trials passed, the policy "all" needs 3']);
});

test('half is no majority', async () => {
  expect((await verdict([pass, fail], 'majority')).outcome).toBe('failed');
});

test.each<PassPolicy>(['mean', 'all', 'any', 'majority', { passRate: 0.1 }])('an error in one trial is an error of the case under %p', async (policy) => {
  const result = await verdict([pass, crash, pass], policy);
  expect(result.outcome).toBe('error');
  expect(result.failures).toEqual([expect.objectContaining({ kind: 'metric_error', metricName: 'm', message: '503 (trial 2 of 3)' })]);
});

test('errors and failures of other metrics are listed together', async () => {
  const both = [metricOf('a', new Error('x')), metricOf('b', scoreOf(0.2, 'failed'))];
  const result = await verdict([both, both]);
  expect(result.outcome).toBe('error');
  expect(result.failures.map((failure) => [failure.kind, failure.metricName, failure.message])).toEqual([
    ['metric_error', 'a', 'x'],
    ['below_threshold', 'b', '0.20, needs 0.50'],
  ]);
});

test('C37 every metric that missed is a failure of its own', async () => {
  const two = [metricOf('a', scoreOf(0.1, 'failed')), metricOf('b', scoreOf(0.2, 'failed'))];
  expect((await verdict([two, two])).failures.map((failure) => failure.metricName)).toEqual(['a', 'b']);
});

describe('C36 direction of a metric', () => {
  const cost = (score: number, status: 'passed' | 'failed') => [metricOf('cost', scoreOf(score, status), 100)];
  const min = new Map([['cost', 'min' as const]]);

  test.each([
    [10, 'passed', 'passed'],
    [200, 'failed', 'failed'],
    [100, 'passed', 'passed'],
  ] as const)('declared: cost %p against a budget of 100 %s', async (score, status, outcome) => {
    expect((await verdict([cost(score, status)], 'mean', defaultProfile, min)).outcome).toBe(outcome);
  });

  test('inferred from its own verdicts', async () => {
    const result = await verdict([cost(10, 'passed')]);
    expect(result).toMatchObject({ outcome: 'passed', metrics: [{ direction: 'min' }] });
  });

  test('a missed budget says so', async () => {
    expect((await verdict([cost(200, 'failed')], 'mean', defaultProfile, min)).failures[0]?.message).toBe('200, needs at most 100');
  });
});

test('within 1e-9 of the threshold passes, under google-adk it does not', async () => {
  const close = [metricOf('m', scoreOf(0.7 - 1e-10, 'passed'), 0.7)];
  expect((await verdict([close])).outcome).toBe('passed');
  const judged = [metricOf('m', scoreOf(0.7 - 1e-10, 'failed'), 0.7)];
  expect((await verdict([judged], 'mean', googleAdkProfile)).outcome).toBe('failed');
});

test('a hair below prints enough digits to see it', async () => {
  const close = [metricOf('m', scoreOf(0.79991, 'failed'), 0.8)];
  expect((await verdict([close])).failures[0]?.message).toBe('0.7999, needs 0.8000');
});

describe('a case in which nothing was judged', () => {
  const tokens = metricOf('tokens', scoreOf(12, 'informational'), null);
  const mute = metricOf('mute', scoreOf(null, 'not_evaluated', { reason: 'no expected answer' }));

  test('is an error, and passes under google-adk when all is informational', async () => {
    expect(await verdict([[tokens]])).toMatchObject({ outcome: 'error', failures: [{ kind: 'not_evaluated', message: 'no metric judged this case' }] });
    expect((await verdict([[tokens]], 'mean', googleAdkProfile)).outcome).toBe('passed');
  });

  test('carries the reason, and fails under google-adk', async () => {
    expect(await verdict([[mute, tokens]])).toMatchObject({ outcome: 'error', failures: [{ metricName: 'mute', message: 'nothing to judge: no expected answer' }] });
    expect(await verdict([[mute]], 'mean', googleAdkProfile)).toMatchObject({ outcome: 'failed', failures: [{ kind: 'not_evaluated' }] });
  });
});

test('under google-adk a trial whose agent failed is a failure of the case', async () => {
  const lost = await scored({ trial: trialOf([], { error: { code: 'x', message: 'boom' } }), metrics: pass, profile: googleAdkProfile });
  const good = await scored({ metrics: pass, profile: googleAdkProfile });
  const result = caseVerdict({ evalSetId: 's', evalCase: caseOf(), trials: [good, lost], passPolicy: 'mean', profile: googleAdkProfile });
  expect(result).toMatchObject({ outcome: 'failed', failures: [{ kind: 'trials_without_results', failed: 1, total: 2, message: '1 of 2 trials failed without any metric result: boom' }] });
});

test('a case that could not run is an error with its reason', () => {
  expect(erroredCase('s', caseOf(), { code: 'needs_simulator', message: 'needs a user simulator' })).toMatchObject({ outcome: 'error', trials: [], failures: [{ message: 'needs a user simulator' }] });
});

test('an overall outcome: error outweighs failed, and nothing is an error', async () => {
  const [good, bad, broken] = [await verdict([pass]), await verdict([fail]), await verdict([crash])];
  expect(overallOutcome([good])).toBe('passed');
  expect(overallOutcome([good, bad])).toBe('failed');
  expect(overallOutcome([bad, broken, good])).toBe('error');
  expect(overallOutcome([])).toBe('error');
});

test('a pass policy has a printed name', () => {
  expect([policyName('mean'), policyName({ passRate: 0.8 })]).toEqual(['mean', 'pass rate 0.8']);
});
