import { createAgentEvaluator } from '../../src/agent-evaluator';
import type { EvaluationResult } from '../../src/results/model';
import { hostOf } from './planned';

const conversation = [{ user_content: { role: 'user', parts: [{ text: 'hi' }] } }];
const safe = { score: 1, explanation: 'harmless' };

interface Run {
  readonly result: EvaluationResult;
  readonly asked: number;
  readonly answered: number;
}

async function run(options: object, { judge = (): unknown => safe, numSamples = 3, cases = 2 } = {}): Promise<Run> {
  let [asked, answered] = [0, 0];
  const result = await createAgentEvaluator(hostOf()).evaluateEvalSet({
    agent: () => ((answered += 1), 'Fine.'),
    evalSet: { eval_set_id: 'a', eval_cases: Array.from({ length: cases }, (_unused, index) => ({ eval_id: `c${index}`, conversation })) },
    config: { criteria: { safety_v1: { threshold: 0.5, early_stop: false, judge_model_options: { num_samples: numSamples } } } },
    judge: () => ((asked += 1), judge()),
    numRuns: 1,
    throwOnFailure: false,
    ...options,
  } as never);
  return { result, asked, answered };
}

test('a plan that may need more requests is refused before the agent is asked', async () => {
  let contacted = false;
  await expect(run({ maxJudgeCalls: 5, agent: () => (contacted = true) })).rejects.toThrow(/Judges may be asked 6 times, and "maxJudgeCalls" allows 5\.\s.*num_samples/);
  expect(contacted).toBe(false);
  expect(await run({ maxJudgeCalls: 6 })).toMatchObject({ result: { outcome: 'passed' }, asked: 6 });
});

test('second questions beyond it are not asked, and what lacks a verdict is an error', async () => {
  const { result, asked } = await run({ maxJudgeCalls: 6 }, { judge: () => 'Sure thing!' });
  expect(asked).toBe(6);
  expect(result.sets[0]?.cases.every(({ outcome }) => outcome === 'error')).toBe(true);
  expect(JSON.stringify(result.sets[0]?.cases)).toContain('all 6 requests of \\"maxJudgeCalls\\" are spent');
});

test('with kept answers only what is asked counts', async () => {
  expect(await run({ maxJudgeCalls: 6, judgeCache: true }, { cases: 1 })).toMatchObject({ result: { outcome: 'passed' } });
  const { result, asked } = await run({ maxJudgeCalls: 2, judgeCache: true });
  expect(asked).toBe(2);
  expect(result.outcome).toBe('error');
});

test('a mistake of the option', async () => {
  await expect(run({ maxJudgeCalls: 0 })).rejects.toThrow('"maxJudgeCalls" must be a whole number of at least 1; got 0');
});
