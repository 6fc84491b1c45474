import { customMetric, type CustomMetricSpec } from '../../src/metrics/custom';
import { makeMetric } from '../../src/metrics/registry';
import type { MetricContext } from '../../src/metrics/types';
import { defaultProfile } from '../../src/support/profile';
import { observed, python, score, turn, type Scored } from './support';

const threeTurns = { actual: ['a', 'b', 'c'].map((text) => observed(text)), expected: ['a', 'b', 'c'].map((text) => turn(text)) };

function run(fn: (...args: never[]) => unknown, threshold: number | null = 0.5, more: Parameters<typeof score>[3] = {}): Promise<Scored> {
  return score('tone', { threshold }, threeTurns, { custom: new Map([['tone', customMetric('tone', fn)]]), ...more });
}

test('F78 one score for the whole conversation with a reason is accepted', async () => {
  expect(await run(() => ({ score: 0.4, reason: 'lost the order id' }))).toMatchObject({ score: 0.4, status: 'failed', reason: 'lost the order id', perInvocation: [] });
});

test.each([
  ['a number', () => 0.5, { score: 0.5, status: 'passed', perInvocation: [] }],
  ['a promise', () => Promise.resolve(0.4), { score: 0.4, status: 'failed' }],
  ['no score', () => ({ score: null, reason: 'n/a' }), { score: null, status: 'not_evaluated', reason: 'n/a' }],
  [
    'an EvaluationResult, whose statuses are taken as they are',
    () => ({ overallScore: 0.1, overallEvalStatus: 'PASSED', perInvocationResults: [{ score: 1, evalStatus: 2 }, { score: 0.7 }, { evalStatus: 'NOT_EVALUATED', reason: 'silent' }] }),
    {
      score: 0.1,
      status: 'passed',
      perInvocation: [{ score: 1, status: 'failed' }, { score: 0.7, status: 'passed' }, { score: null, status: 'not_evaluated', reason: 'silent' }],
    },
  ],
  ['Python’s spelling', () => ({ overall_score: 1, overall_eval_status: 4, per_invocation_results: [] }), { score: 1, status: 'informational' }],
])('%s', async (_name, fn, expected) => {
  expect(await run(fn)).toMatchObject(expected);
});

test.each([
  [undefined, 'tone returned undefined.'],
  [true, 'tone returned true.'],
  [{ scor: 1 }, 'tone returned {"scor":1}.'],
  [{ score: '1' }, 'tone returned the score "1".'],
  [NaN, 'tone returned the score NaN.'],
  [Infinity, 'tone returned the score Infinity.'],
  [{ score: -Infinity }, 'tone returned the score -Infinity.'],
  [{ overallScore: 1, perInvocationResults: [5] }, 'tone returned 5 for turn 1.'],
])('refuses %j and says what is legal', async (value, message) => {
  await expect(run(() => value)).rejects.toMatchObject({ code: 'bad_metric_result', problems: [{ message, hint: expect.stringContaining('{ score, reason }') }] });
});

test('refuses a status that does not exist', async () => {
  await expect(run(() => ({ overallScore: 1, overallEvalStatus: 'OK' }))).rejects.toMatchObject({ problems: [{ hint: 'Statuses are PASSED, FAILED, NOT_EVALUATED, INFORMATIONAL, or 1 to 4.' }] });
});

test('what it throws, at once or later, is an error with its cause', async () => {
  const cause = new TypeError('no such word');
  for (const fn of [() => { throw cause; }, () => Promise.reject(cause)]) {
    await expect(run(fn)).rejects.toMatchObject({ code: 'custom_metric_failed', message: expect.stringContaining('tone threw: TypeError: no such word'), cause });
  }
});

test('it is called with the metric, copies of the turns, and the scenario', async () => {
  const scenario = { startingPrompt: 'hi', conversationPlan: 'p' };
  const seen: unknown[] = [];
  const fn = (...args: never[]): number => {
    seen.push(...args);
    (args[1] as unknown as { finalResponse: unknown }[])[0]!.finalResponse = 'changed';
    return 1;
  };
  const custom = new Map([['tone', customMetric('tone', fn)]]);
  await score('tone', { threshold: 0.5, style: 'formal' }, { ...threeTurns, scenario }, { custom });
  expect(seen).toEqual([{ metricName: 'tone', threshold: 0.5, criterion: { threshold: 0.5, style: 'formal' } }, expect.any(Array), threeTurns.expected, scenario]);
  expect(threeTurns.actual[0]?.finalResponse).toEqual({ parts: [{ text: 'a' }], role: 'model' });
});

test('under google-adk the metric has no threshold of its own', async () => {
  let spec: CustomMetricSpec | undefined;
  await run((metric: never) => (spec = metric, 1), 0.5, { profile: python });
  expect(spec).toEqual({ metricName: 'tone', threshold: null, criterion: { threshold: 0.5 } });
});

test('C36 a criterion may say that less is better, and the metric then says so to the roll-up', async () => {
  const cost = (direction: unknown): ReturnType<typeof makeMetric> =>
    makeMetric({ metricName: 'cost', criterion: { threshold: 100, direction } }, defaultProfile, new Map([['cost', customMetric('cost', () => 1)]]));
  expect(cost('min').metric.info.direction).toBe('min');
  expect(() => cost('down')).toThrow('direction is "down". It takes one of max, min.');
  for (const [value, status] of [[10, 'passed'], [200, 'failed']] as const) {
    const custom = new Map([['cost', customMetric('cost', () => value)]]);
    expect((await score('cost', { threshold: 100, direction: 'min' }, threeTurns, { custom })).status).toBe(status);
  }
});

test('direction min makes the threshold a budget', async () => {
  const cost = customMetric('cost', (() => 10) as () => number, { metricName: 'cost', metricValueInfo: {}, direction: 'min' });
  const at = (threshold: number): Promise<Scored> => score('cost', { threshold }, threeTurns, { custom: new Map([['cost', cost]]) });
  expect([(await at(100)).status, (await at(5)).status]).toEqual(['passed', 'failed']);
});

test('one that never answers is left behind when the evaluation is stopped', async () => {
  const controller = new AbortController();
  const context: MetricContext = { profile: defaultProfile, signal: controller.signal, warn: () => undefined };
  const result = customMetric('slow', () => new Promise<number>(() => undefined)).evaluate({ criterion: { threshold: 1 }, threshold: 1, actual: [], expected: null, scenario: null }, context);
  controller.abort();
  await expect(result).rejects.toMatchObject({ code: 'metric_aborted' });
});

test('one of the user’s own may replace a built-in metric', async () => {
  const custom = new Map([['response_match_score', customMetric('response_match_score', () => 0.9)]]);
  expect((await score('response_match_score', { threshold: 0.5 }, threeTurns, { custom })).score).toBe(0.9);
});
