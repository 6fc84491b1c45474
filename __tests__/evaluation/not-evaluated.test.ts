import { createAgentEvaluator, type AgentEvaluatorOptions } from '../../src/agent-evaluator';
import type { EvaluationResult } from '../../src/results/model';
import { hostOf } from './planned';

const turn = (text: string, more: object = {}): object => ({ user_content: { role: 'user', parts: [{ text }] }, ...more });
const rubric = (type?: string): object => ({ rubric_id: 'r', rubric_content: { text_property: 'Polite.' }, ...(type === undefined ? {} : { type }) });
const yes = '{"verdicts": [{"id": "r", "verdict": "yes", "rationale": "x"}]}';

async function evaluate(criteria: object, cases: readonly object[], options: Partial<AgentEvaluatorOptions> & { readonly says?: string; readonly answer?: unknown } = {}): Promise<EvaluationResult> {
  const { says = 'Fine.', answer = yes, ...more } = options;
  const judge = (): unknown => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return createAgentEvaluator(hostOf()).evaluateEvalSet({ agent: () => says, evalSet: { eval_set_id: 'a', eval_cases: cases.map((one, index) => ({ eval_id: `c${index}`, ...one })) }, config: { criteria }, judge, numRuns: 1, throwOnFailure: false, ...more } as never);
}

const caseOf = (result: EvaluationResult, index = 0): NonNullable<EvaluationResult['sets'][0]['cases'][0]> => result.sets[0]?.cases[index] as EvaluationResult['sets'][0]['cases'][0];
const calls = { total_model_calls: 100 };

describe('a judged metric that had nothing to judge', () => {
  const silent = { hallucinations_v1: 0.5, ...calls };

  test('fails the case, with a reason for people and for machines', async () => {
    const one = caseOf(await evaluate(silent, [{ conversation: [turn('hi')] }], { says: '' }));
    expect(one).toMatchObject({ outcome: 'error', failures: [{ kind: 'not_evaluated', metricName: 'hallucinations_v1', message: expect.stringContaining('the agent said nothing in this turn') as string }] });
    expect(one.metrics[0]).toMatchObject({ status: 'not_evaluated', reasonCode: 'no_response' });
    expect(one.trials[0]?.metrics[0]).toMatchObject({ reasonCode: 'no_response', perInvocation: [{ reasonCode: 'no_response' }] });
  });

  test.each([['warn', true], ['ignore', false]] as const)('onNotEvaluated: %s', async (onNotEvaluated, warned) => {
    const result = await evaluate(silent, [{ conversation: [turn('hi')] }], { says: '', onNotEvaluated });
    expect(caseOf(result).outcome).toBe('passed');
    expect(result.sets[0]?.warnings.some((line) => line.startsWith('hallucinations_v1 had nothing to judge'))).toBe(warned);
  });

  test('onNotEvaluated: fail is for metrics without a judge, too', async () => {
    const cases = [{ conversation: [turn('hi')] }];
    expect(caseOf(await evaluate({ response_match_score: 0.5, ...calls }, cases)).outcome).toBe('passed');
    expect(caseOf(await evaluate({ response_match_score: 0.5, ...calls }, cases, { onNotEvaluated: 'fail' })).failures).toMatchObject([{ kind: 'not_evaluated', metricName: 'response_match_score' }]);
  });

  test('that is not for such cases does not: written and played ones may stand in one file', async () => {
    const result = await evaluate({ per_turn_user_simulator_quality_v1: 0.5, final_response_match_v2: 0.5, ...calls }, [{ conversation: [turn('hi')] }]);
    expect(caseOf(result)).toMatchObject({ outcome: 'passed', metrics: expect.arrayContaining([expect.objectContaining({ metricName: 'per_turn_user_simulator_quality_v1', reasonCode: 'unsupported_case' }), expect.objectContaining({ metricName: 'final_response_match_v2', reasonCode: 'no_expectation' })]) as unknown });
  });

  test('under google-adk is one of its silences', async () => {
    const result = await evaluate({ hallucinations_v1: 0.5, response_match_score: 0 }, [{ conversation: [turn('hi', { final_response: { parts: [{ text: 'x' }] } })] }], { says: '', compatibility: 'google-adk' });
    expect(caseOf(result).failures.filter(({ metricName }) => metricName !== 'hallucinations_v1')).toEqual([]);
    expect(caseOf(result).trials[0]?.status).toBe('passed');
  });

  test('is a mistake of the option', async () => {
    await expect(evaluate(silent, [{ conversation: [turn('hi')] }], { onNotEvaluated: 'warning' as never })).rejects.toThrow(/"onNotEvaluated" must be .*"warn".*/);
  });
});

test.each<[string, unknown, string]>([
  ['a judge that throws', new Error('offline'), 'judge_error'],
  ['an answer that cannot be read', 'Hm.', 'unparsed'],
  ['a judge that cannot tell', '{"verdicts": [{"id": "r", "verdict": "cannot_tell", "rationale": "x"}]}', 'no_verdict'],
  ['a rubric without a verdict', '{"verdicts": [{"id": "s", "verdict": "yes", "rationale": "x"}]}', 'unparsed'],
])('%s is an error, and says which: %#', async (_name, answer, code) => {
  const result = await evaluate({ rubric_based_final_response_quality_v1: { threshold: 1, rubrics: [rubric()], judge_model_options: { num_samples: 1 } }, ...calls }, [{ conversation: [turn('hi')] }], { answer });
  expect(caseOf(result)).toMatchObject({ outcome: 'error', metrics: expect.arrayContaining([expect.objectContaining({ status: 'error', reasonCode: code })]) as unknown });
  expect(caseOf(result).trials[0]?.metrics[0]).toMatchObject({ score: null, reasonCode: code, error: { code } });
});

test('one of two rubrics without a verdict: coverage', async () => {
  const rubrics = [rubric(), { rubric_id: 's', rubric_content: { text_property: 'Short.' } }];
  const result = await evaluate({ rubric_based_final_response_quality_v1: { threshold: 1, rubrics, judge_model_options: { num_samples: 1 } } }, [{ conversation: [turn('hi')] }]);
  expect(caseOf(result).trials[0]?.metrics[0]).toMatchObject({ reasonCode: 'coverage', reason: 'no verdict on s (50 % of the rubrics have one)' });
});

test('a case without rubrics beside one that has some', async () => {
  const result = await evaluate({ rubric_based_final_response_quality_v1: { threshold: 1 }, ...calls }, [{ conversation: [turn('hi')], rubrics: [rubric('FINAL_RESPONSE_QUALITY')] }, { conversation: [turn('hi')] }]);
  expect([caseOf(result).outcome, caseOf(result, 1).outcome]).toEqual(['passed', 'error']);
  expect(caseOf(result, 1).metrics[0]).toMatchObject({ status: 'not_evaluated', reasonCode: 'rubrics_required' });
});
