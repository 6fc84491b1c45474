import { trialStatus } from '../../src/evaluation/rollup';
import type { MetricStatus } from '../../src/metrics/types';
import { defaultProfile, googleAdkProfile } from '../../src/support/profile';
import { actualTurn, caseOf, metricOf, scored, scoreOf, trialOf, turn } from './scripted';

const passed = metricOf('good', scoreOf(1, 'passed'));
const failed = metricOf('bad', scoreOf(0, 'failed'));
const crashed = metricOf('crashed', new Error('no credentials'));
const rubric = (rubricId: string) => ({ rubricId, rubricContent: {} });

describe('status of a trial from its metrics', () => {
  test.each<[MetricStatus[], string, string]>([
    [[], 'not_evaluated', 'not_evaluated'],
    [['passed'], 'passed', 'passed'],
    [['failed', 'passed'], 'failed', 'failed'],
    [['informational'], 'not_evaluated', 'not_evaluated'],
    [['not_evaluated', 'passed'], 'passed', 'passed'],
    [['error', 'passed'], 'error', 'passed'],
    [['passed', 'error'], 'error', 'passed'],
    [['failed', 'error'], 'error', 'failed'],
  ])('%j is %s, under google-adk %s', (statuses, ours, theirs) => {
    expect(trialStatus(statuses, defaultProfile)).toBe(ours);
    expect(trialStatus(statuses, googleAdkProfile)).toBe(theirs);
  });
});

test.each([
  ['first', [crashed, passed]],
  ['last', [passed, crashed]],
])('C34 a metric that crashed %s is an error, not hidden by a passing one', async (_where, metrics) => {
  const result = await scored({ metrics });
  expect(result.status).toBe('error');
  expect(result.error).toEqual({ code: 'metric_error', message: 'no credentials' });
});

test.each([
  ['first', [metricOf('mute', scoreOf(null, 'not_evaluated')), passed]],
  ['last', [passed, metricOf('mute', scoreOf(null, 'not_evaluated'))]],
])('C34 a metric that was not evaluated %s and says no reason is an error', async (_where, metrics) => {
  expect((await scored({ metrics })).status).toBe('error');
});

test('nothing to judge, with a reason, leaves the verdict to the other metrics', async () => {
  const mute = metricOf('mute', scoreOf(null, 'not_evaluated', { reason: 'no expected answer' }));
  expect((await scored({ metrics: [mute, passed] })).status).toBe('passed');
  expect((await scored({ metrics: [failed, mute] })).status).toBe('failed');
});

test('under google-adk a crashed metric is not evaluated and the case passes', async () => {
  const result = await scored({ metrics: [crashed, passed], profile: googleAdkProfile });
  expect(result.status).toBe('passed');
  expect(result.metrics[0]).toMatchObject({ status: 'not_evaluated', score: null, perInvocation: [{ score: null, status: 'not_evaluated' }] });
});

test('F80 an agent error in turn 2 leaves turn 1 scored, turn 2 an error, turn 3 not run, and no average', async () => {
  const error = { code: 'agent_error', message: 'quota' };
  const trial = trialOf([actualTurn(), actualTurn('error', { error }), actualTurn('not_run')], { error });
  const metric = metricOf('m', { score: 1, status: 'passed', perInvocation: [1, 1, 1].map((score) => ({ score, status: 'passed' })) });
  const result = await scored({ evalCase: caseOf(3), trial, metrics: [metric] });
  expect(result).toMatchObject({ status: 'error', error });
  expect(result.metrics[0]).toMatchObject({ status: 'error', score: null });
  expect(result.metrics[0]?.perInvocation).toEqual([
    { score: 1, status: 'passed' },
    { score: null, status: 'error', reason: 'quota' },
    { score: null, status: 'error', reason: 'not run' },
  ]);
});

test('an agent that could not be asked at all is an error without metric results, and failed under google-adk', async () => {
  const trial = trialOf([], { error: { code: 'agent_error', message: 'boom' } });
  expect(await scored({ trial, metrics: [passed] })).toMatchObject({ status: 'error', metrics: [] });
  expect(await scored({ trial, metrics: [passed], profile: googleAdkProfile })).toMatchObject({ status: 'failed', metrics: [] });
});

test('a silent turn is scored, and ends everything under google-adk', async () => {
  const trial = trialOf([actualTurn('unanswered')]);
  expect((await scored({ trial, metrics: [failed] })).status).toBe('failed');
  await expect(scored({ trial, metrics: [failed], profile: googleAdkProfile })).rejects.toMatchObject({ code: 'turn_count' });
});

describe('turn results', () => {
  const short = metricOf('short', scoreOf(1, 'passed'));
  const twoTurns = { evalCase: caseOf(2), trial: trialOf([actualTurn(), actualTurn()]) };

  test('too few with a verdict make the case an error, and end everything under google-adk', async () => {
    const result = await scored({ ...twoTurns, metrics: [passed, short] });
    expect(result.status).toBe('error');
    expect(result.error).toMatchObject({ code: 'short_metric_result', message: expect.stringContaining('1 turn results for 2 turns') });
    await expect(scored({ ...twoTurns, metrics: [short], profile: googleAdkProfile })).rejects.toMatchObject({ code: 'short_metric_result' });
  });

  test('none, with an overall score, are accepted', async () => {
    const overall = metricOf('overall', { score: 0.4, status: 'failed', reason: 'lost the order id', perInvocation: [] });
    expect((await scored({ ...twoTurns, metrics: [overall] })).metrics[0]).toMatchObject({ score: 0.4, reason: 'lost the order id', perInvocation: [] });
  });

  test('too many without a verdict are left out, with a warning', async () => {
    const warn = jest.fn();
    const odd = metricOf('odd', scoreOf(3, 'informational'));
    const result = await scored({ ...twoTurns, metrics: [odd, metricOf('even', { score: 1, status: 'passed', perInvocation: [] })], warn });
    expect(result.metrics[0]?.perInvocation).toEqual(Array(2).fill({ score: null, status: 'not_evaluated' }));
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('odd'));
  });
});

describe('rubrics', () => {
  test('of the case, then of the turn, are appended to the actual turns that metrics see', async () => {
    const evalCase = caseOf(0, { rubrics: [rubric('c')], conversation: [turn('q', { rubrics: [rubric('t')] }), turn()] });
    const seen: (string[] | undefined)[] = [];
    const spy = metricOf('spy', (input) => {
      seen.push(...input.actual.map((one) => one.rubrics?.map((each) => each.rubricId)));
      return { score: 1, status: 'passed', perInvocation: [] };
    });
    await scored({ evalCase, trial: trialOf([actualTurn(), actualTurn()]), metrics: [spy] });
    expect(seen).toEqual([['c', 't'], ['c']]);
  });

  test('a repeated id is confined to its case, and ends everything under google-adk', async () => {
    const evalCase = caseOf(0, { rubrics: [rubric('c')], conversation: [turn('q', { rubrics: [rubric('c')] })] });
    expect(await scored({ evalCase, metrics: [passed] })).toMatchObject({ status: 'error', error: { code: 'duplicate_rubric' } });
    await expect(scored({ evalCase, metrics: [passed], profile: googleAdkProfile })).rejects.toMatchObject({ code: 'duplicate_rubric' });
  });
});

test('all that a metric says is in the result', async () => {
  const said = { score: 0.4, status: 'failed' as const, reason: 'rude', explanation: ['expected  please'], details: { rubricScores: [] }, perInvocation: [] };
  expect((await scored({ metrics: [metricOf('tone', said)] })).metrics[0]).toEqual({ ...said, metricName: 'tone', threshold: 0.5, criterion: { threshold: 0.5 } });
});

test('metrics are scored in order and announced one by one', async () => {
  const result = await scored({ metrics: [passed, failed] });
  expect(result.metrics.map((metric) => metric.metricName)).toEqual(['good', 'bad']);
});
