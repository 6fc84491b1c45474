import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentEvaluationError, createAgentEvaluator } from '../../src/agent-evaluator';
import type { Host } from '../../src/evaluation/types';
import type { EvaluationResult } from '../../src/results/model';
import { hostOf, temporaryFolder } from './planned';

const turn = (text: string, answer: string) => ({ user_content: { parts: [{ text }] }, final_response: { parts: [{ text: answer }] } });
const set = { eval_set_id: 'shop', eval_cases: [{ eval_id: 'apples', conversation: [turn('apples', 'apples')] }, { eval_id: 'pears', conversation: [turn('pears', 'plums')] }] };
const echo = ({ text }: { text: string }): string => text;

function project(files: Readonly<Record<string, unknown>> = {}): { readonly folder: string; readonly host: Host } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'evals'));
  for (const [name, content] of Object.entries({ 'evals/shop.test.json': set, ...files })) writeFileSync(join(folder, name), JSON.stringify(content));
  return { folder, host: hostOf({ rootDir: folder, resultsDir: join(folder, 'results') }) };
}

test('C38 rejects with every failure, prompt, expected and actual, and carries the result', async () => {
  const { host, folder } = project();
  const error: AgentEvaluationError = await createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals' }).then(() => undefined, (thrown) => thrown);
  expect(error).toBeInstanceOf(AgentEvaluationError);
  expect(error.message).toContain('AgentEvaluator.evaluate("evals")\n\n1 of 2 cases failed (2 trials each, pass policy mean)');
  expect(error.message).toContain('✗ pears › response_match_score  0.00, needs 0.80   evals/shop.test.json:1');
  expect(error.message).toMatch(/prompt {4}pears[^]*expected[^]*plums[^]*actual[^]*pears/);
  expect(error.result.sets[0]?.cases.map((one) => one.outcome)).toEqual(['passed', 'failed']);
  expect(error.result.sets[0]?.resultFile?.startsWith(join(folder, 'results'))).toBe(true);
});

test('C37 two failing metrics on two cases are four lines of one message', async () => {
  const calls = { tool_uses: [{ name: 'weigh' }] };
  const both = ['a', 'b'].map((eval_id) => ({ eval_id, conversation: [{ ...turn('pears', 'plums'), intermediate_data: calls }] }));
  const { host } = project({ 'evals/shop.test.json': { ...set, eval_cases: both } });
  const error: Error = await createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals' }).then(() => undefined, (thrown) => thrown);
  expect(error.message.match(/✗ [ab] › \w+/g)).toEqual(['a', 'b'].flatMap((id) => [`✗ ${id} › tool_trajectory_avg_score`, `✗ ${id} › response_match_score`]));
});

test('C38 gives the result instead of rejecting when asked to, the same as is saved', async () => {
  const { host } = project();
  const result: EvaluationResult = await createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: './evals/shop.test.json', throwOnFailure: false });
  expect(result.outcome).toBe('failed');
  expect(JSON.parse(readFileSync(result.sets[0]?.resultFile as string, 'utf8')).eval_case_results).toHaveLength(4);
});

test('C44 the expected text is used', async () => {
  const { host } = project({ 'evals/shop.test.json': { ...set, eval_cases: [{ eval_id: 'a', conversation: [turn('apples', 'zzz')] }] } });
  const result = await createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals', throwOnFailure: false });
  expect(result.sets[0]?.cases[0]?.metrics.find(({ metricName }) => metricName === 'response_match_score')?.score).toBe(0);
});

test('D53 an instance of a function, a factory and a module path are all agents', async () => {
  const { host, folder } = project({ 'evals/shop.test.json': { ...set, eval_cases: [set.eval_cases[0]] } });
  const loader = { load: (path: string) => Promise.resolve({ path, agent: echo }), loadPackage: () => Promise.reject(new Error('no')) };
  writeFileSync(join(folder, 'agent.js'), '');
  const evaluator = createAgentEvaluator({ ...host, loader });
  for (const how of [{ agent: echo }, { agentModule: './agent' }, { agentModule: './agent.js#agent' }]) {
    expect((await evaluator.evaluate({ ...how, evalDatasetFilePathOrDir: 'evals' })).outcome).toBe('passed');
  }
});

test('D57 the ids that were used are in the result', async () => {
  const session_input = { app_name: '', user_id: '' };
  const { host } = project({ 'evals/shop.test.json': { ...set, eval_cases: [{ ...set.eval_cases[0], session_input }] } });
  const result = await createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals' });
  const [trial] = result.sets[0]?.cases[0]?.trials ?? [];
  expect(trial?.trial.ids).toMatchObject({ userId: 'test_user_id' });
  expect(trial?.trial.ids.sessionId).toMatch(/^adk-eval-session-/);
  const saved = JSON.parse(readFileSync(result.sets[0]?.resultFile as string, 'utf8'));
  expect(saved.eval_case_results[0]).toMatchObject({ user_id: 'test_user_id', session_id: trial?.trial.ids.sessionId });
});

test('C45 a file and the same set as an object give the same scores', async () => {
  const config = { criteria: { response_match_score: 0.5 } };
  const { host } = project({ 'evals/test_config.json': config });
  const evaluator = createAgentEvaluator(host);
  const fromFile = await evaluator.evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals', throwOnFailure: false });
  const fromCode = await evaluator.evaluateEvalSet({ agent: echo, evalSet: set, evalConfig: config, throwOnFailure: false });
  const figures = (result: EvaluationResult) => result.sets[0]?.cases.map((one) => one.metrics.filter(({ threshold }) => threshold !== null));
  expect(figures(fromCode)).toEqual(figures(fromFile));
  expect(figures(fromFile)?.[0]).toHaveLength(1);
});

test.each<[string, object, string]>([
  ['no agent', { evalDatasetFilePathOrDir: 'evals' }, 'needs one of the options "agentModule" and "agent"'],
  ['two agents', { evalDatasetFilePathOrDir: 'evals', agent: echo, agentModule: 'x' }, 'not both'],
  ['no data', { agent: echo }, 'needs the option "evalDatasetFilePathOrDir"'],
  ['an unknown option', { agent: echo, evalDatasetFilePathOrDir: 'evals', num_runs: 2 }, 'Did you mean "numRuns"?'],
])('refuses %s', async (_name, options, message) => {
  const { host } = project();
  await expect((async () => createAgentEvaluator(host).evaluate(options as never))()).rejects.toThrow(message);
});

test('C32 a folder without eval sets and a set without cases are refused', async () => {
  const { host, folder } = project({ 'evals/shop.test.json': { ...set, eval_cases: [] } });
  mkdirSync(join(folder, 'empty'));
  await expect(createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals' })).rejects.toThrow('0 eval cases');
  await expect(createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'empty' })).rejects.toThrow('No eval sets below the folder');
});

test('problems in files are told with file, line and column, those of the config too', async () => {
  const { host, folder } = project();
  writeFileSync(join(folder, 'evals/test_config.json'), '{\n  "criteria": {\n    "response_match": 0.8\n  }\n}');
  await expect(createAgentEvaluator(host).evaluate({ agent: echo, evalDatasetFilePathOrDir: 'evals' })).rejects.toThrow(
    `${join(folder, 'evals/test_config.json')}:3:5  criteria.response_match\n  Unknown metric "response_match". Did you mean "response_match_score"?`,
  );
});

test('findConfigForTestFile finds the config beside the file, else the defaults', () => {
  const { host } = project();
  expect([...createAgentEvaluator(host).findConfigForTestFile('evals/shop.test.json').criteria.keys()]).toEqual(['tool_trajectory_avg_score', 'response_match_score']);
  const other = project({ 'evals/test_config.json': { criteria: { response_match_score: 0.3 } } });
  expect([...createAgentEvaluator(other.host).findConfigForTestFile('evals/shop.test.json').criteria]).toEqual([['response_match_score', expect.objectContaining({ threshold: 0.3 })]]);
});

test('migrateEvalDataToNewSchema rewrites an old file', () => {
  const { host, folder } = project({ 'evals/old.test.json': [{ query: 'hi', reference: 'ho', expected_tool_use: [{ tool_name: 'f', tool_input: { a: 1 } }] }], 'evals/session.json': { app_name: 'a', user_id: 'u', state: { n: 1 } } });
  createAgentEvaluator(host).migrateEvalDataToNewSchema({ oldEvalDataFile: 'evals/old.test.json', newEvalDataFile: 'evals/new.test.json', initialSessionFile: 'evals/session.json' });
  const written = JSON.parse(readFileSync(join(folder, 'evals/new.test.json'), 'utf8'));
  expect(written.eval_cases[0]).toMatchObject({ session_input: { app_name: 'a', user_id: 'u', state: { n: 1 } }, conversation: [{ user_content: { parts: [{ text: 'hi' }] }, intermediate_data: { tool_uses: [{ name: 'f', args: { a: 1 } }] } }] });
});
