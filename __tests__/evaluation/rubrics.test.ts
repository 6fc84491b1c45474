import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentEvaluator, type AgentEvaluatorOptions } from '../../src/agent-evaluator';
import type { EvaluationResult } from '../../src/results/model';
import { hostOf } from './planned';

const rubric = (rubric_id: string, type?: string): object => ({ rubric_id, rubric_content: { text_property: `Text of ${rubric_id}.` }, ...(type === undefined ? {} : { type }) });
const turn = (text: string, rubrics?: readonly object[]): object => ({ user_content: { role: 'user', parts: [{ text }] }, ...(rubrics === undefined ? {} : { rubrics }) });
const answerType = 'FINAL_RESPONSE_QUALITY';
const name = 'rubric_based_final_response_quality_v1';

interface Ran {
  readonly prompts: readonly string[];
  readonly result: EvaluationResult;
}

/** Scores cases of a file with one sample a question; the judge says yes to whatever it is asked about. */
async function run(cases: readonly object[], criteria: object, options: Partial<AgentEvaluatorOptions> = {}): Promise<Ran> {
  const host = hostOf();
  mkdirSync(join(host.rootDir, 'evals'));
  writeFileSync(join(host.rootDir, 'evals/a.test.json'), JSON.stringify({ eval_set_id: 'a', eval_cases: cases.map((one, index) => ({ eval_id: `c${index}`, ...one })) }, null, 1));
  const prompts: string[] = [];
  const judge = (prompt: string, { schema }: { readonly schema?: { readonly properties?: { readonly verdicts?: { readonly items?: { readonly properties?: { readonly id?: { readonly enum?: readonly string[] } } } } } } }): object => {
    prompts.push(prompt);
    const ids = schema?.properties?.verdicts?.items?.properties?.id?.enum ?? [...prompt.matchAll(/Text of (\w+)\./g)].map(([, id]) => id ?? '');
    return { verdicts: ids.map((id) => ({ id, verdict: 'yes', rationale: 'x' })) };
  };
  const result = await createAgentEvaluator(host).evaluate({ agent: ({ text }: { text: string }) => `You said ${text}.`, evalDatasetFilePathOrDir: 'evals', config: { criteria }, judge, numRuns: 1, throwOnFailure: false, ...options } as never);
  return { prompts, result };
}

const one = (more: object = {}): object => ({ threshold: 1, judge_model_options: { num_samples: 1 }, ...more });

test('E66 a rubric of a turn is asked about on that turn, and on no other', async () => {
  const { prompts, result } = await run([{ conversation: [turn('first', [rubric('r1', answerType)]), turn('second', [rubric('r2', answerType)])] }], { [name]: one() });
  expect(prompts.map((prompt) => [...prompt.matchAll(/You said (\w+)|Text of (\w+)\./g)].map(([, said, id]) => said ?? id).sort())).toEqual([['first', 'r1'], ['r2', 'second']]);
  expect(result.outcome).toBe('passed');
});

test('E65 rubrics of turns alone are enough; none at all is refused with a hint', async () => {
  expect((await run([{ conversation: [turn('a', [rubric('r', answerType)])] }], { [name]: one({ rubrics: [] }) })).result.outcome).toBe('passed');
  await expect(run([{ conversation: [turn('a')] }], { [name]: one() })).rejects.toThrow(/has no rubrics: neither the criterion nor any case or turn gives one[^]*the type "FINAL_RESPONSE_QUALITY"/);
});

describe('a rubric id that stands twice', () => {
  const twice = [{ rubrics: [rubric('r', answerType)], conversation: [turn('a', [rubric('r', answerType)]), turn('b', [rubric('r', answerType)])] }];

  test('is refused once, with its place, before the agent is asked', async () => {
    const failed = run(twice, { [name]: one() });
    await expect(failed).rejects.toThrow(/a\.test\.json:\d+:\d+ {2}eval_cases\[0\]\.conversation\[0\]\.rubrics\[0\]\n {2}Case "c0" gives the rubric id "r" twice/);
    await expect(failed).rejects.toMatchObject({ problems: [{ code: 'duplicate_rubric' }] });
  });

  test('ends the run under google-adk, as there', async () => {
    await expect(run(twice, { [name]: { threshold: 1, judge_model_options: { num_samples: 1 } } }, { compatibility: 'google-adk' })).rejects.toMatchObject({ code: 'duplicate_rubric' });
  });

  test('once in the criterion and once in a case', async () => {
    await expect(run([{ rubrics: [rubric('r', answerType)], conversation: [turn('a')] }], { [name]: one({ rubrics: [rubric('r')] }) })).rejects.toThrow(/criteria\.rubric_based_final_response_quality_v1\.rubrics\n {2}The rubric id "r" stands in the criterion and in a case or turn/);
  });

  test('on two turns is two rubrics', async () => {
    expect((await run([{ conversation: [turn('a', [rubric('r', answerType)]), turn('b', [rubric('r', answerType)])] }], { [name]: one() })).result.outcome).toBe('passed');
  });
});

describe('rubrics that no metric reads are told in the run', () => {
  const warnings = async (...args: Parameters<typeof run>): Promise<readonly string[]> => (await run(...args)).result.sets[0]?.warnings.filter((line) => line.includes('not used')) ?? [];

  test('without a rubric metric', async () => {
    expect(await warnings([{ rubrics: [rubric('r')], conversation: [turn('a')] }], { total_model_calls: 100 })).toEqual([expect.stringMatching(/a\.test\.json:\d+:\d+ .*Rubrics that are not used \(r, in case "c0"\): no metric of the config reads rubrics\.$/)]);
  });

  test('without a type, and with one that nobody reads', async () => {
    const cases = [{ rubrics: [rubric('a', answerType), rubric('b'), rubric('c', 'TOOL_USE_QUALITY')], conversation: [turn('a')] }, { rubrics: [rubric('d', answerType), rubric('b')], conversation: [turn('a')] }];
    expect(await warnings(cases, { [name]: one() })).toEqual([
      expect.stringContaining('(b, in 2 cases): they have no type: give them "FINAL_RESPONSE_QUALITY".'),
      expect.stringContaining('(c, in case "c0"): no metric of the config reads the type "TOOL_USE_QUALITY".'),
    ]);
  });

  test('under google-adk nothing is', async () => {
    expect(await warnings([{ rubrics: [rubric('r')], conversation: [turn('a')] }], { response_match_score: 0 }, { compatibility: 'google-adk' })).toEqual([]);
  });
});
