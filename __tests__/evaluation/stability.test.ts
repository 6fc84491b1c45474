import { createAgentEvaluator } from '../../src/agent-evaluator';
import type { EvaluationResult } from '../../src/results/model';
import { fleissKappa } from '../../src/support/agreement';
import { hostOf } from './planned';

test('Fleiss’ kappa of the table in Fleiss 1971: 30 patients, 6 psychiatrists, 5 diagnoses', () => {
  const table = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0], [0, 2, 0, 4, 0], [1, 0, 2, 0, 3],
    [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0], [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
  ];
  expect(fleissKappa(table)).toBeCloseTo(0.43, 2);
  expect(fleissKappa([[2, 0], [2, 0]])).toBeNull();
  expect(fleissKappa([])).toBeNull();
});

/** One case of turns by name; the judge answers for each turn from its list, sample by sample and trial by trial. */
async function evaluate(says: Readonly<Record<string, readonly string[]>>, { numRuns = 1, threshold = 0.5 }: { readonly numRuns?: number; readonly threshold?: number } = {}): Promise<EvaluationResult> {
  const left = new Map(Object.entries(says).map(([name, words]) => [name, [...words]]));
  const judge = (prompt: string): string => {
    const name = /You said (\w+)/.exec(prompt)?.[1] ?? '';
    return JSON.stringify({ reasoning: 'x', is_the_agent_response_valid: left.get(name)?.shift() ?? 'nothing is left' });
  };
  const conversation = Object.keys(says).map((text) => ({ user_content: { parts: [{ text }] }, final_response: { parts: [{ text: 'expected' }] } }));
  const config = { criteria: { final_response_match_v2: { threshold, early_stop: false, judge_model_options: { num_samples: 3 } } } };
  return createAgentEvaluator(hostOf()).evaluateEvalSet({ agent: ({ text }: { text: string }) => `You said ${text}.`, evalSet: { eval_set_id: 'a', eval_cases: [{ eval_id: 'c', conversation }] }, config, judge, judgeConcurrency: 1, numRuns, concurrency: 1, throwOnFailure: false } as never);
}

const [v, i] = ['valid', 'invalid'];

test('samples that disagree are told, and the case that hangs on them is named', async () => {
  const [set] = (await evaluate({ one: [v, v, v], two: [v, i, v] }, { threshold: 1 })).sets;
  expect(set?.judges).toEqual([{ metricName: 'final_response_match_v2', verdicts: 2, split: 1 }]);
  expect(set?.cases[0]?.metrics[0]).toMatchObject({ score: 1, status: 'passed', unstable: true });
  expect(set?.warnings).toEqual(["final_response_match_v2: the judge's samples disagreed on 1 of 2 verdicts, and the case c might have come out otherwise"]);
});

test('a case that would have come out the same is not marked', async () => {
  const [set] = (await evaluate({ one: [v, v, v], two: [v, i, v] }, { threshold: 0.5 })).sets;
  expect(set?.cases[0]?.metrics[0]).not.toHaveProperty('unstable');
  expect(set?.warnings).toEqual(["final_response_match_v2: the judge's samples disagreed on 1 of 2 verdicts"]);
});

test('a judge of one mind is worth no line', async () => {
  const [set] = (await evaluate({ one: [v, v, v], two: [i, i, i] })).sets;
  expect(set).toMatchObject({ judges: [{ verdicts: 2, split: 0 }], warnings: [] });
});

test('trials are compared verdict by verdict', async () => {
  const [set] = (await evaluate({ one: [v, v, v, v, v, v], two: [i, i, i, v, v, v], three: [i, i, i, i, i, i] }, { numRuns: 2, threshold: 0 })).sets;
  expect(set?.judges).toEqual([{ metricName: 'final_response_match_v2', verdicts: 6, split: 0, between: { verdicts: 3, agreement: 2 / 3, kappa: expect.closeTo(1 / 3, 10) as number } }]);
  expect(set?.warnings).toEqual(["final_response_match_v2: trials agree on 67 % of 3 verdicts (Fleiss' kappa 0.33)"]);
});
