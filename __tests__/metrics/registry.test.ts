import { evaluateMetric, makeMetric, makeMetrics, metricNames } from '../../src/metrics/registry';
import type { Criterion } from '../../src/config/types';
import { defaultProfile } from '../../src/support/profile';
import { observed, python, score, turn } from './support';

const efficiency = ['tool_call_count_v1', 'inference_call_count_v1', 'token_usage_v1', 'invocation_duration_v1'];

test('C72 response_match_score needs no environment and no network', async () => {
  const blocked = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'));
  const env = process.env;
  process.env = {};
  try {
    expect(await score('response_match_score', { threshold: 0.5 }, { actual: [observed('hello there')], expected: [turn('hello there')] })).toMatchObject({ score: 1 });
    expect(blocked).not.toHaveBeenCalled();
  } finally {
    process.env = env;
    blocked.mockRestore();
  }
});

describe('names of metrics', () => {
  test('an unknown name is refused with the nearest one', () => {
    expect(() => makeMetric({ metricName: 'response_match', threshold: 1 }, defaultProfile)).toThrow('Unknown metric "response_match". Did you mean "response_match_score"?');
    expect(() => makeMetric({ metricName: 'vibes', threshold: 1 }, defaultProfile)).toThrow(/Unknown metric "vibes". Supported: artifact_match, /);
  });
});

test('of google-adk’s names only its own metrics have one', () => {
  const theirs = /_v\d$|^(?:safety|hallucinations|rubric_based|multi_turn|per_turn)|^response_evaluation_score$/;
  expect(metricNames().filter((name) => theirs.test(name))).toEqual([
    'final_response_match_v2', 'hallucinations_v1', 'multi_turn_task_success_v1', 'multi_turn_tool_use_quality_v1', 'multi_turn_trajectory_quality_v1', 'per_turn_user_simulator_quality_v1',
    'response_evaluation_score', 'rubric_based_final_response_quality_v1', 'rubric_based_multi_turn_trajectory_quality_v1', 'rubric_based_tool_use_quality_v1', 'safety_v1',
  ]);
});

test('our own metrics do not exist under google-adk', () => {
  expect(() => makeMetric({ metricName: 'turn_tokens', threshold: 1 }, python)).toThrow('google-adk has no metric "turn_tokens".');
});

test.each([
  [{ metricName: 'response_match_score' }, 'no_threshold'],
  [{ metricName: 'response_match_score', threshold: null }, 'no_threshold'],
  [{ metricName: 'token_usage_v1', threshold: 100 }, 'threshold_refused'],
  [{ metricName: 'token_usage_v1', criterion: { threshold: 0 } }, 'threshold_refused'],
])('refuses %j with %s', (spec, code) => {
  expect(() => makeMetric(spec, defaultProfile)).toThrow(expect.objectContaining({ code }) as Error);
});

describe('the metrics of a config', () => {
  const criteria = new Map<string, Criterion>([
    ['response_match_score', { threshold: 0.8 }],
    ['safety_v2', { threshold: 0.5 }],
    ['tool_trajectory_avg_score', { threshold: 1, match_type: 'NEARLY' }],
  ]);

  test('keep their order, and the informational ones follow', () => {
    const { metrics, problems } = makeMetrics(new Map([...criteria].slice(0, 1)), defaultProfile);
    expect(metrics.map(({ metric }) => metric.name)).toEqual(['response_match_score', ...efficiency]);
    expect(problems).toEqual([]);
  });

  test('every problem is reported with its place', () => {
    const { problems } = makeMetrics(criteria, defaultProfile);
    expect(problems).toMatchObject([
      { code: 'unknown_metric', path: ['criteria', 'safety_v2'] },
      { code: 'bad_criterion', path: ['criteria', 'tool_trajectory_avg_score', 'match_type'] },
    ]);
  });

  test('under google-adk a metric that cannot be made stays in the list and fails when it runs', async () => {
    const { metrics, problems } = makeMetrics(criteria, python);
    expect(problems).toEqual([]);
    expect(metrics.map(({ metric, error }) => [metric.name, error?.code])).toEqual([
      ['response_match_score', undefined],
      ['safety_v2', 'unknown_metric'],
      ['tool_trajectory_avg_score', 'bad_criterion'],
      ...efficiency.map((name) => [name, undefined]),
    ]);
    const context = { profile: python, signal: new AbortController().signal, warn: () => undefined };
    await expect(evaluateMetric(metrics[1]!, { actual: [], expected: [], scenario: null }, context)).rejects.toMatchObject({ code: 'unknown_metric' });
  });
});

test.each([
  [null, 'needs_expected'],
  [[], 'turn_count'],
])('a reference metric refuses expected turns %j', async (expected, code) => {
  for (const name of ['response_match_score', 'tool_trajectory_avg_score']) {
    await expect(score(name, { threshold: 1 }, { actual: [observed('a')], expected })).rejects.toMatchObject({ code });
  }
});
