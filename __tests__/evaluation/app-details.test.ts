import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentEvaluator, type AgentEvaluatorOptions } from '../../src/agent-evaluator';
import type { EvaluationResult } from '../../src/results/model';
import { commandFolder, removeCommandFolders } from '../support/command';
import { startFakeServer } from '../support/fake-server';
import { hostOf } from './planned';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

const details = { agent_details: { lamp: { name: 'lamp', instructions: 'Switch lamps only when asked.', tool_declarations: [{ name: 'set_lamp', description: 'Switches a lamp.' }] }, helper: { name: 'helper', instructions: 'Help the lamp.' } } };
const evalSet = { eval_set_id: 'a', eval_cases: [{ eval_id: 'c', conversation: [{ user_content: { role: 'user', parts: [{ text: 'hi' }] } }] }] };
const rubrics = [{ rubric_id: 'r', rubric_content: { text_property: 'Polite.' } }];
const verdict = JSON.stringify({ verdicts: [{ id: 'r', verdict: 'yes', rationale: 'x' }, { id: 's1', verdict: 'supported', rationale: 'x' }] });

async function evaluate(criteria: object, options: Partial<AgentEvaluatorOptions>, host = hostOf()): Promise<{ readonly prompts: string; readonly result: EvaluationResult }> {
  let prompts = '';
  const judge = (prompt: string): string => {
    prompts += prompt;
    return verdict;
  };
  const agent = function lamp({ text }: { text: string }): string { return `You said ${text}.`; };
  const result = await createAgentEvaluator(host).evaluateEvalSet({ agent, evalSet, config: { criteria }, judge, numRuns: 1, throwOnFailure: false, ...options } as never);
  return { prompts, result };
}

test.each(['rubric_based_final_response_quality_v1', 'rubric_based_tool_use_quality_v1', 'rubric_based_multi_turn_trajectory_quality_v1'])('%s shows the judge what the option says of the agents', async (name) => {
  const { prompts, result } = await evaluate({ [name]: { threshold: 1, rubrics } }, { appDetails: details });
  expect(prompts).toContain('set_lamp');
  if (name !== 'rubric_based_tool_use_quality_v1') expect(prompts).toContain('Switch lamps only when asked.');
  expect(result.sets[0]).toMatchObject({ outcome: 'passed', warnings: [] });
  expect(result.sets[0]?.cases[0]?.trials[0]?.trial.invocations[0]?.appDetails?.agentDetails).toMatchObject({ lamp: { instructions: 'Switch lamps only when asked.' }, helper: { toolDeclarations: [] } });
});

test('without it the run says what judges are not shown, once, and the metrics work', async () => {
  const { prompts, result } = await evaluate({ hallucinations_v1: 0.5, rubric_based_final_response_quality_v1: { threshold: 1, rubrics }, final_response_match_v2: { threshold: 0, judge_model_options: { num_samples: 1 } } }, {});
  expect(prompts).toContain('The instructions of the agents are not known.');
  expect(result.sets[0]?.warnings.filter((line) => line.includes('appDetails'))).toEqual(['hallucinations_v1, rubric_based_final_response_quality_v1: the judge is not shown the agent\'s instructions and tools, which a target of the kind "function" does not tell. Give them as --app-details FILE (option appDetails).']);
});

test('a path is read as a file, in either spelling', async () => {
  const host = hostOf();
  writeFileSync(join(host.rootDir, 'agents.toml'), '[agentDetails.lamp]\nname = "lamp"\ninstructions = "From a file."\n');
  const { prompts } = await evaluate({ rubric_based_final_response_quality_v1: { threshold: 1, rubrics } }, { appDetails: 'agents.toml' }, host);
  expect(prompts).toContain('From a file.');
});

test.each([
  ['an unknown key', { agent_details: { lamp: { name: 'lamp', instruction: 'x' } } }, /appDetails\.agent_details\.lamp\.instruction\n.*Did you mean "instructions"\?/],
  ['no agents', { agent_details: {} }, /appDetails\.agent_details\n.*name no agent/],
  ['a number', 5, /The option "appDetails" must be an object with "agent_details", or the path of a file with one/],
])('refuses %s', async (_name, appDetails, message) => {
  await expect(evaluate({ safety_v1: 0.5 }, { appDetails } as never)).rejects.toThrow(message);
});

test('--app-details: what a server does not tell, with places in the file', async () => {
  const server = await startFakeServer();
  try {
    const judge = `module.exports = { judgeModel: (prompt) => { require('node:fs').appendFileSync('prompts.txt', prompt); return ${JSON.stringify(verdict)}; } };`;
    const folder = commandFolder({ 'package.json': {}, 'jest-adk.config.js': judge, 'a.test.json': evalSet, 'test_config.json': { criteria: { rubric_based_final_response_quality_v1: { threshold: 1, rubrics } } }, 'details.json': details, 'bad.json': { agent_details: { lamp: { name: 'lamp', instructions: 5 } } } });
    await server.script({ apps: ['lamp_agent'] });
    const ran = await folder.run(['eval', server.url, 'a.test.json', '--num-runs', '1', '--app-details', 'details.json']);
    expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('app-details') as string });
    expect(readFileSync(join(folder.dir, 'prompts.txt'), 'utf8')).toContain('Switch lamps only when asked.');
    const without = await folder.run(['eval', server.url, 'a.test.json', '--num-runs', '1', '--dry-run']);
    expect(without.stdout).toContain('Give them as --app-details FILE');
    const bad = await folder.run(['eval', server.url, 'a.test.json', '--app-details', 'bad.json']);
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringMatching(/bad\.json:5:7 {2}agent_details\.lamp\.instructions\n {2}Expected a text, got 5/) as string });
    expect(await folder.run(['eval', server.url, 'a.test.json', '--app-details', 'none.json'])).toMatchObject({ code: 2, stderr: expect.stringContaining('none.json') as string });
  } finally {
    await server.stop();
  }
});
