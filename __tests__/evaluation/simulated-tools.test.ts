import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders, type CommandRun } from '../support/command';
import { linkSdk } from '../support/sdk-project';
import { startFakeServer } from '../support/fake-server';

jest.setTimeout(120_000);
afterAll(removeCommandFolders);

/** An agent of the real SDK: its model calls what the text says, as `tool {"args": 1}`, and answers with what came back. The real tools leave a trace. */
const agent = `
const { writeFileSync } = require('node:fs');
const { AgentTool, BaseLlm, FunctionTool, LlmAgent } = require('@google/adk');
const { z } = require('zod');
class Scripted extends BaseLlm {
  constructor() { super({ model: 'scripted' }); }
  async *generateContentAsync(request) {
    const parts = request.contents.at(-1)?.parts ?? [];
    const answers = parts.filter((part) => part.functionResponse).map((part) => JSON.stringify(part.functionResponse.response));
    if (answers.length > 0) { yield { content: { role: 'model', parts: [{ text: answers.join(' ') }] } }; return; }
    const calls = parts.map((part) => part.text ?? '').join(' ').split(';').map((call) => call.trim()).filter((call) => call !== '');
    yield { content: { role: 'model', parts: calls.map((call) => { const [name, ...args] = call.split(' '); return { functionCall: { name, args: JSON.parse(args.join(' ') || '{}') } }; }) } };
  }
  connect() { return Promise.reject(new Error('none')); }
}
const real = (name) => new FunctionTool({ name, description: name, parameters: z.object({}).passthrough(), execute: (input) => { writeFileSync('ran-' + name, ''); return { real: name }; } });
const helper = new LlmAgent({ name: 'helper', model: new Scripted(), instruction: 'help', tools: [real('inner')] });
exports.rootAgent = new LlmAgent({ name: 'root', model: new Scripted(), instruction: 'call', tools: [real('search'), real('book'), new AgentTool({ agent: helper })] });
`;

interface Ran extends CommandRun {
  readonly dir: string;
  readonly trials: readonly { readonly status: string; readonly trial: { readonly error?: { readonly code: string; readonly message: string }; readonly invocations: readonly { readonly finalResponse?: { readonly parts?: readonly { readonly text?: string }[] }; readonly toolCalls: readonly { readonly name: string; readonly simulated?: boolean }[] }[] } }[];
  readonly warnings: readonly string[];
  readonly realTools: readonly string[];
}

async function run(turns: readonly string[], more: object, { config = {}, flags = [], cases }: { readonly config?: object; readonly flags?: readonly string[]; readonly cases?: readonly object[] } = {}): Promise<Ran> {
  const folder = commandFolder({
    'package.json': {},
    'agent.cjs': agent,
    'evals/a.test.json': { eval_set_id: 'a', eval_cases: cases ?? [{ eval_id: 'c', conversation: turns.map((text) => ({ user_content: { role: 'user', parts: [{ text }] } })), ...more }] },
    'evals/test_config.json': { criteria: { total_model_calls: 100 }, ...config },
  });
  linkSdk(folder.dir);
  const ran = await folder.run(['eval', './agent.cjs', 'evals', '--num-runs', '1', '--output-format', 'json', '--output', 'out.json', ...flags]);
  const report = existsSync(join(folder.dir, 'out.json')) ? (JSON.parse(readFileSync(join(folder.dir, 'out.json'), 'utf8')) as { evaluations: { result: { sets: { warnings: string[]; cases: { trials: Ran['trials'] }[] }[] } }[] }) : undefined;
  const set = report?.evaluations[0]?.result.sets[0];
  return { ...ran, dir: folder.dir, trials: set?.cases.flatMap(({ trials }) => trials) ?? [], warnings: set?.warnings ?? [], realTools: ['search', 'book', 'inner'].filter((name) => existsSync(join(folder.dir, `ran-${name}`))) };
}

const answersOf = ({ trials }: Ran): readonly (string | undefined)[] => trials.flatMap(({ trial }) => trial.invocations.map(({ finalResponse }) => finalResponse?.parts?.[0]?.text));

test('mocks of a case answer by argument, with errors and answers, and no real tool runs', async () => {
  const tool_mocks = { search: [{ args: { q: 'x' }, response: { hits: 3 } }, { error: { code: 503, message: 'busy' } }], book: { ok: true } };
  const ran = await run(['search {"q": "x", "page": 1}', 'search {"q": "y"}', 'book'], { tool_mocks });
  expect(answersOf(ran)).toEqual(['{"hits":3}', '{"error_code":503,"error_message":"busy"}', '{"ok":true}']);
  expect(ran).toMatchObject({ code: 0, realTools: [], trials: [{ trial: { invocations: [{ toolCalls: [{ name: 'search', simulated: true }] }, {}, {}] } }] });
});

test('a call without a mock is an error of the trial, never the real tool; also of a tool that is not named', async () => {
  const ran = await run(['search {"q": "y"}', 'book {"day": 3}'], { tool_mocks: { search: [{ args: { q: 'x' }, response: {} }] } });
  expect(ran).toMatchObject({ code: 2, realTools: [], trials: [{ status: 'error', trial: { error: { code: 'unmocked_call', message: 'nothing is set up to answer search({"q":"y"}), book({"day":3}), and no real tool may run' } } }] });
});

test('with "strict": false other calls go to the real tools, and are not marked', async () => {
  const ran = await run(['search', 'book'], { tool_mocks: { strict: false, search: { hits: 0 } } });
  expect(answersOf(ran)).toEqual(['{"hits":0}', '{"real":"book"}']);
  expect(ran).toMatchObject({ code: 0, realTools: ['book'] });
  expect(ran.trials[0]?.trial.invocations.map(({ toolCalls }) => toolCalls[0]?.simulated)).toEqual([true, undefined]);
});

test('mocks that were not used are told', async () => {
  const { warnings } = await run(['search'], { tool_mocks: { search: { hits: 0 }, book: [{ args: { day: 3 }, response: {} }] } });
  expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('tool mocks that were not used: book({"day":3})')]));
});

test('an AgentTool is answered for like any tool; unmocked its agent does not run', async () => {
  const mocked = await run(['helper {"request": "inner"}'], { tool_mocks: { helper: { result: 'helped' } } });
  expect(mocked).toMatchObject({ code: 0, realTools: [] });
  expect(answersOf(mocked)).toEqual(['{"result":"helped"}']);
  expect(await run(['helper {"request": "inner"}'], { tool_mocks: { search: {} } })).toMatchObject({ code: 2, realTools: [] });
});

test('google-adk’s config simulates for every case of a set, each with draws of its own', async () => {
  const config = { environment_simulation_config: { tool_simulation_configs: [{ tool_name: 'search', injection_configs: [{ injected_response: { hit: true }, injection_probability: 0.5, random_seed: 7 }] }] } };
  const texts = Array.from({ length: 6 }, () => 'search');
  const one = { conversation: texts.map((text) => ({ user_content: { role: 'user', parts: [{ text }] } })) };
  const ran = await run([], {}, { config, cases: [{ eval_id: 'c1', ...one }, { eval_id: 'c2', ...one }] });
  const hits = [true, true, false, true, false, true].map((hit) => (hit ? '{"hit":true}' : '{"real":"search"}'));
  expect(answersOf(ran)).toEqual([...hits, ...hits]);
});

test('legacy mock_tool_output answers, and google-adk’s profile reads over it', async () => {
  const legacy = [{ name: 'old', data: [{ query: 'search {"q": "x"}', expected_tool_use: [{ tool_name: 'search', tool_input: { q: 'x' }, mock_tool_output: 'found' }], reference: 'r' }], initial_session: { state: {}, app_name: 'root', user_id: 'u' } }];
  const folder = commandFolder({ 'package.json': {}, 'agent.cjs': agent, 'old.test.json': legacy, 'config.json': { criteria: { tool_trajectory_avg_score: 1 } } });
  linkSdk(folder.dir);
  const text = async (...flags: readonly string[]): Promise<string> => (await folder.run(['eval', './agent.cjs', 'old.test.json', '--config-file-path', 'config.json', '--num-runs', '1', '--print-detailed-results', '--app-name', 'root', ...flags])).stdout;
  expect(await text()).toContain('{"result":"found"}');
  expect(await text('--compat', 'google-adk')).toContain('{"real":"search"}');
});

test('a server, and a function, are refused rather than run with real tools', async () => {
  const server = await startFakeServer();
  await server.script({ apps: ['home'], default: { text: 'Hello.' } });
  const files = { 'package.json': {}, 'fn.cjs': "exports.agent = async () => 'Hello.';\n", 'a.test.json': { eval_set_id: 'a', eval_cases: [{ eval_id: 'c', tool_mocks: { search: {} }, conversation: [{ user_content: { parts: [{ text: 'Hi' }] } }] }] }, 'c.json': { criteria: { total_model_calls: 100 } } };
  for (const target of [server.url, './fn.cjs']) {
    const { code, stderr } = await commandFolder(files).run(['eval', target, 'a.test.json', '--config-file-path', 'c.json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/The tools of this case are simulated, which needs an agent/) as string });
  }
  expect((await server.stats()).runs).toBe(0);
  await server.stop();
});

test('mistakes are told with their place, all at once', async () => {
  const { code, stderr } = await run(['search'], { tool_mocks: { search: [{ args: {}, respnse: {}, response: {}, probability: 2 }, { response: {}, error: { code: 'x' } }] } });
  expect(code).toBe(2);
  for (const text of ['Did you mean "response"', 'The probability is 2.', 'not both', 'code must be a whole number', 'message is missing']) expect(stderr).toContain(text);
  expect(stderr).toMatch(/a\.test\.json:\d+:\d+ {2}eval_cases\[0\]\.tool_mocks\.search\[0\]/);
});
