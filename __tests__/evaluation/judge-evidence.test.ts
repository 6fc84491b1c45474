import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSections } from '../../src/judge/sections';
import { commandFolder, removeCommandFolders } from '../support/command';
import { linkSdk } from '../support/sdk-project';

jest.setTimeout(120_000);
afterAll(removeCommandFolders);

/** A desk that hands over to a forecaster, which has Google's search; its answer comes with what the search found. */
const agent = `
const { BaseLlm, FunctionTool, GOOGLE_SEARCH, LlmAgent } = require('@google/adk');
const { z } = require('zod');
class Scripted extends BaseLlm {
  constructor(answers) { super({ model: 'gemini-2.5-scripted' }); this.answers = answers; }
  async *generateContentAsync(request) { yield this.answers(request); }
  connect() { return Promise.reject(new Error('none')); }
}
const grounding = { webSearchQueries: ['weather oslo'], groundingChunks: [{ web: { title: 'CHUNK-X', uri: 'https://weather.example/oslo' } }], groundingSupports: [{ segment: { text: 'It rains.' }, groundingChunkIndices: [0] }] };
const forecaster = new LlmAgent({
  name: 'forecaster', description: 'Tells the weather.', instruction: 'Search before you answer about {place}.', tools: [GOOGLE_SEARCH],
  model: new Scripted(() => ({ content: { role: 'model', parts: [{ text: 'It rains.' }] }, groundingMetadata: grounding })),
});
const clock = new FunctionTool({ name: 'clock', description: 'Tells the time.', parameters: z.object({}), execute: () => ({ time: '12:00' }) });
exports.rootAgent = new LlmAgent({
  name: 'desk', instruction: 'Hand questions about the weather to the forecaster.', tools: [clock], subAgents: [forecaster],
  model: new Scripted(() => ({ content: { role: 'model', parts: [{ functionCall: { name: 'transfer_to_agent', args: { agentName: 'forecaster' } } }] } })),
});
`;

/** Keeps every prompt it gets. */
const config = `
const { appendFileSync } = require('node:fs');
module.exports = { judgeModel: (prompt, { schema }) => {
  appendFileSync('prompts.ndjson', JSON.stringify(prompt) + '\\n');
  const { verdicts, labels } = schema.properties;
  if (verdicts) return { verdicts: verdicts.items.properties.id.enum.map((id) => ({ id, verdict: 'yes', rationale: 'x' })) };
  if (labels) return { labels: [{ id: 1, label: 'supported', rationale: 'x' }] };
  return { rubric_verdicts: [], explanation: 'x', score: 1 };
} };
`;

type Sections = Readonly<Record<string, string>>;

async function promptsOf(criteria: object, flags: readonly string[] = []): Promise<readonly Sections[]> {
  const folder = commandFolder({
    'package.json': {}, 'agent.cjs': agent, 'jest-adk.config.js': config, 'prompts.ndjson': '',
    'a.test.json': { eval_set_id: 'a', eval_cases: [{ eval_id: 'one', session_input: { app_name: 'a', user_id: 'u', state: { place: 'Oslo' } }, conversation: [{ user_content: { role: 'user', parts: [{ text: 'Will it rain?' }] } }] }] },
    'test_config.json': { criteria },
  });
  linkSdk(folder.dir);
  const ran = await folder.run(['eval', './agent.cjs', 'a.test.json', '--num-runs', '1', ...flags], { GEMINI_API_KEY: '' });
  expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
  const prompts = readFileSync(join(folder.dir, 'prompts.ndjson'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as string);
  return prompts.map((prompt) => Object.fromEntries(readSections(prompt, /<<([0-9a-f]{12}) /.exec(prompt)?.[1] ?? '').map(({ name, text }) => [name, text])));
}

const once = { threshold: 0.5, judge_model_options: { num_samples: 1 } };
const rubrics = [{ rubric_id: 'r', rubric_content: { text_property: 'Polite.' } }];

test('E69 what a search found stands before the judge of sentences, with the agents’ instructions as they were sent', async () => {
  const [facts] = await promptsOf({ hallucinations_v1: once });
  expect(facts?.events).toContain('CHUNK-X');
  expect(JSON.stringify(facts)).toContain('Search before you answer about Oslo.');
  expect(JSON.stringify(facts)).toContain('Hand questions about the weather to the forecaster.');
});

test('E68 the judge of a response is shown the instruction of the agent that answered first, tools of a kind, and the search', async () => {
  const [response] = await promptsOf({ rubric_based_final_response_quality_v1: { ...once, rubrics } });
  expect(response?.instructions).toContain('Hand questions about the weather to the forecaster.');
  expect(response?.grounding).toContain('CHUNK-X');
  expect(response?.['tool-calls']).toContain('transfer_to_agent');
  expect(response?.['tool-declarations']).toContain('clock');
  expect(response?.['tool-declarations']).toMatch(/google_?search/i);
});

test('the judge of a conversation is shown every agent and tool', async () => {
  const [whole] = await promptsOf({ multi_turn_tool_use_quality_v1: once });
  expect(whole?.instructions).toContain('desk: ');
  expect(whole?.instructions).toContain('forecaster: ');
  expect(whole?.tools).toContain('desk: clock: Tells the time.');
  expect(whole?.tools).toMatch(/forecaster: .*google_?search/i);
});
