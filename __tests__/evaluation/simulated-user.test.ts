import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planEvaluation } from '../../src/evaluation/plan';
import { startEvaluation } from '../../src/evaluation/run';
import type { EvaluateOptions } from '../../src/evaluation/types';
import type { JudgeFunction } from '../../src/judge/types';
import { readSections } from '../../src/judge/sections';
import { evaluationMessage } from '../../src/report/failure-text';
import type { EvaluationResult, TrialResult } from '../../src/results/model';
import { createNodeLoader } from '../../src/target/module-loader';

const folder = mkdtempSync(join(tmpdir(), 'jest-adk-user-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const host = { rootDir: folder, callerDir: folder, loader: createNodeLoader(), listeners: [] };
const scenario = { starting_prompt: 'Book a table.', conversation_plan: 'For two, at eight.' };
const agent = ({ text, index }: { text: string; index: number }): Promise<string> => Promise.resolve(`answer ${index + 1} to ${text}`);
const caseOf = (more: object = {}): object => ({ eval_id: 'dinner', conversation_scenario: scenario, ...more });
async function run(evalCases: readonly object[], { criteria = { total_model_calls: 100 }, simulator, ...options }: EvaluateOptions & { readonly criteria?: object; readonly simulator?: object } = {}): Promise<EvaluationResult> {
  const plan = await planEvaluation({ target: agent, evalSets: { eval_set_id: 's', eval_cases: evalCases }, options: { numRuns: 1, config: { criteria, ...(simulator === undefined ? {} : { user_simulator_config: simulator }) }, ...options } }, host);
  return startEvaluation(plan, host).result;
}

const trialOf = (result: EvaluationResult): TrialResult => result.sets[0]?.cases[0]?.trials[0] as TrialResult;
const texts = (result: EvaluationResult): readonly (string | undefined)[] => trialOf(result).trial.invocations.map(({ userContent }) => userContent.parts?.[0]?.text);

/** Says one line after the other. */
const lines = (...said: readonly string[]): JudgeFunction => {
  const left = [...said];
  return () => left.shift() ?? '</finished>';
};

test('plays the starting prompt and the plan until the user is done, and keeps the conversation', async () => {
  const prompts: string[] = [];
  const result = await run([caseOf()], { userModel: (prompt) => (prompts.push(prompt), prompts.length === 1 ? 'At eight, please.' : 'Thanks! </FINISHED>') });
  expect(texts(result)).toEqual(['Book a table.', 'At eight, please.']);
  expect(trialOf(result).trial).toMatchObject({ endReason: 'stop_signal', droppedMessage: 'Thanks!' });
  const mark = /<<([0-9a-f]{12}) /.exec(prompts[1] ?? '')?.[1] ?? '';
  expect(Object.fromEntries(readSections(prompts[1] ?? '', mark).map(({ name, text }) => [name, text]))).toEqual({
    plan: 'For two, at eight.',
    conversation: 'user: Book a table.\n\nagent: answer 1 to Book a table.\n\nuser: At eight, please.\n\nagent: answer 2 to At eight, please.',
  });
  expect(result.usage?.user).toMatchObject([{ calls: 2 }]);
});

describe('F76 the limit of turns: the case over the config over 20', () => {
  test.each([
    ['case and config', { user_simulator_config: { max_allowed_invocations: 3 } }, { max_allowed_invocations: 10 }, 3],
    ['config', {}, { max_allowed_invocations: 4 }, 4],
    ['neither', {}, undefined, 20],
    ['the case in camelCase', { userSimulatorConfig: { maxAllowedInvocations: 2 } }, undefined, 2],
  ])('%s', async (_name, more, simulator, turns) => {
    const result = await run([caseOf(more)], { userModel: () => 'And then?', ...(simulator === undefined ? {} : { simulator }) });
    expect(trialOf(result).trial).toMatchObject({ endReason: 'max_turns', invocations: { length: turns } });
  });

  test('a stop signal inside a longer sentence ends as well', async () => {
    expect(trialOf(await run([caseOf()], { userModel: lines('I am done </finished> with this') })).trial).toMatchObject({ endReason: 'stop_signal', invocations: { length: 1 } });
  });
});

test('F77 no limit at all needs to be asked for, and time still ends it', async () => {
  const refused = await run([caseOf()], { simulator: { max_allowed_invocations: -1 }, userModel: () => 'more' });
  expect(refused.sets[0]?.cases[0]?.error).toMatchObject({ code: 'unlimited_turns' });
  let calls = 0;
  const talking = await run([caseOf()], { simulator: { max_allowed_invocations: -1 }, allowUnlimitedTurns: true, caseTimeoutMs: 200, userModel: () => ((calls += 1) < 30 ? 'more' : new Promise<string>(() => undefined)) });
  expect(trialOf(talking).trial.endReason).toBe('case_limit');
  expect(trialOf(talking).trial.invocations).toHaveLength(30);
});

test('F74 a case without expected turns is scored where none are needed; a metric that needs them says so before the run, and is an error there', async () => {
  const scored = await run([caseOf()], { criteria: { hallucinations_v1: 0.5 }, judge: () => ({ labels: [{ id: 1, label: 'supported' }] }), userModel: lines() });
  expect(scored.sets[0]?.cases[0]).toMatchObject({ outcome: 'passed' });
  const reference = await run([caseOf()], { criteria: { response_match_score: 0.5 }, userModel: lines() });
  expect(reference.sets[0]?.warnings).toEqual(expect.arrayContaining([expect.stringContaining('response_match_score needs expected turns, which cases with a scenario have not (dinner)')]));
  expect(trialOf(reference).metrics[0]).toMatchObject({ status: 'error', error: { code: 'needs_expected' } });
});

test('scripted and simulated cases stand in one set', async () => {
  const written = { eval_id: 'written', conversation: [{ user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'answer 1 to Hi' }] } }] };
  const result = await run([written, caseOf()], { userModel: lines() });
  expect(result.sets[0]?.cases.map(({ evalId, outcome, trials }) => [evalId, outcome, trials[0]?.trial.endReason])).toEqual([['written', 'passed', 'completed'], ['dinner', 'passed', 'stop_signal']]);
});

test('a user’s model that fails is no failure of the agent, and what was said is kept and shown', async () => {
  let calls = 0;
  const result = await run([caseOf()], {
    userModel: () => {
      calls += 1;
      if (calls > 1) throw new Error('no quota');
      return 'At eight.';
    },
  });
  expect(trialOf(result)).toMatchObject({ status: 'error', trial: { endReason: 'simulator_error', error: { code: 'simulator_error', message: expect.stringContaining('the simulated user failed after 2 turns: user function userModel failed once: no quota') as string }, invocations: [{}, {}] } });
  const message = evaluationMessage(result, { detailed: true });
  expect(message).toContain('no quota');
  expect(message).toContain('At eight.');
});

test.each([
  ['an empty starting prompt', { conversation_scenario: { starting_prompt: '', conversation_plan: 'p' } }, undefined, 'bad_scenario'],
  ['a starting prompt that ends it', { conversation_scenario: { starting_prompt: 'hi </Finished>', conversation_plan: 'p' } }, undefined, 'bad_scenario'],
  ['a limit of 0', {}, { max_allowed_invocations: 0 }, 'bad_scenario'],
  ['instructions that leave the persona out', { conversation_scenario: { ...scenario, user_persona: 'NOVICE' } }, { custom_instructions: '{{ stop_signal }}{{ conversation_plan }}{{ conversation_history }}' }, 'bad_instructions'],
  ['a spoken user', {}, { type: 'llm_audio' }, 'needs_user_simulator'],
])('%s stops that case alone, before anybody is asked', async (_name, more, simulator, code) => {
  const asked = jest.fn(() => '</finished>');
  const result = await run([caseOf(more), { eval_id: 'other', conversation: [{ user_content: { parts: [{ text: 'Hi' }] } }] }], { userModel: asked, ...(simulator === undefined ? {} : { simulator }) });
  expect(result.sets[0]?.cases.map(({ error, outcome }) => error?.code ?? outcome)).toEqual([code, 'passed']);
  expect(asked).not.toHaveBeenCalled();
});

test('a case’s own settings are checked with their place', async () => {
  const file = join(folder, 'bad.test.json');
  writeFileSync(file, JSON.stringify({ eval_set_id: 'b', eval_cases: [caseOf({ user_simulator_config: { max_allowed_invocatons: 3, custom_instructions: 'hi' } })] }, null, 2));
  await expect(planEvaluation({ target: agent, evalSets: file, options: { config: { criteria: { total_model_calls: 1 } }, userModel: () => '' } }, host)).rejects.toThrow(/bad\.test\.json:\d+:\d+ {2}eval_cases\[0\]\.user_simulator_config[^]*Did you mean "max_allowed_invocations"/);
});

test('custom instructions, the persona and tool calls are what the model sees', async () => {
  const prompts: string[] = [];
  await run([caseOf({ conversation_scenario: { ...scenario, user_persona: 'EXPERT' } })], {
    simulator: { custom_instructions: 'You are {{ persona.id }}. {{ conversation_plan }} | {{ conversation_history }} | end with {{ stop_signal }}' },
    userModel: (prompt) => (prompts.push(prompt), '</finished>'),
  });
  expect(prompts).toEqual(['You are EXPERT. For two, at eight. | user: Book a table.\n\nagent: answer 1 to Book a table. | end with </finished>']);
});

test('the same seed gives every trial its own seeds, the same in each run', async () => {
  const seedsOf = async (simulationSeed: number): Promise<readonly unknown[]> => {
    const seeds: unknown[] = [];
    await run([caseOf()], { numRuns: 2, simulationSeed, userModel: (_prompt, { config: settings, sample }) => (seeds.push(settings?.seed), sample > 2 ? '</finished>' : 'more') });
    return seeds.sort();
  };
  const first = await seedsOf(7);
  expect(await seedsOf(7)).toEqual(first);
  expect(new Set(first).size).toBe(first.length);
  expect(await seedsOf(8)).not.toEqual(first);
});

test('a model that cannot be had stops the case alone, by name', async () => {
  const result = await run([caseOf()], { userModel: 'no-such-model' });
  expect(result.sets[0]?.cases[0]?.error?.message).toMatch(/needs a user simulator\. The simulated user needs the model "no-such-model"/);
});

test('per_turn_user_simulator_quality_v1 judges the messages and, where the user ended it, the end', async () => {
  const asked: string[] = [];
  const judge: JudgeFunction = (prompt) => (asked.push(prompt), { criteria: [{ name: 'ends in time', passed: asked.length === 1, reason: 'the table is not booked' }], is_valid: asked.length === 1 });
  const criteria = { per_turn_user_simulator_quality_v1: { threshold: 0.9, judge_model_options: { num_samples: 1 } } };
  const ended = await run([caseOf()], { criteria, judge, userModel: lines('At eight.') });
  expect(asked).toHaveLength(2);
  expect(trialOf(ended).metrics[0]).toMatchObject({ score: 0.5, status: 'failed', replacedTurnId: 'stop_signal_proxy_invocation', perInvocation: [{ score: 1 }, { score: 0, explanation: ['judge: ends in time: the table is not booked'] }] });
  asked.length = 0;
  const limited = await run([caseOf()], { criteria, judge, userModel: () => 'more', simulator: { max_allowed_invocations: 2 } });
  expect({ asked: asked.length, score: trialOf(limited).metrics[0]?.score }).toEqual({ asked: 1, score: 1 });
});
