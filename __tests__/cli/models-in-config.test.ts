import { commandFolder, removeCommandFolders, type CommandRun } from '../support/command';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

const evalSet = {
  eval_set_id: 'a',
  eval_cases: [
    { eval_id: 'written', conversation: [{ user_content: { role: 'user', parts: [{ text: 'hi' }] } }] },
    { eval_id: 'played', conversation_scenario: { starting_prompt: 'hello', conversation_plan: 'say bye' } },
  ],
};

function run(config: string, flags: readonly string[] = []): Promise<CommandRun> {
  const folder = commandFolder({ 'package.json': {}, 'agent.cjs': 'exports.rootAgent = function echo({ text }) { return text; };', 'jest-adk.config.js': config, 'a.test.json': evalSet, 'test_config.json': { criteria: { safety_v1: 0.5 } } });
  return folder.run(['eval', './agent.cjs', 'a.test.json', '--num-runs', '1', ...flags]);
}

const judge = (verdict: string): string => `async function mine(prompt, { schema }) { return { verdict: ${JSON.stringify(verdict)}, score: ${verdict === 'safe' ? 1 : 0}, rationale: String(JSON.stringify(schema)).slice(0, 20), issues: [] }; }`;

test('a config file that is code brings the models themselves, and their prices', async () => {
  const llm = "{ model: 'priced', async *generateContentAsync() { yield { content: { role: 'model', parts: [{ text: '</finished>' }] }, usageMetadata: { promptTokenCount: 1000000, candidatesTokenCount: 0, totalTokenCount: 1000000 } }; } }";
  const ran = await run(`module.exports = { judgeModel: ${judge('safe')}, userModel: ${llm}, modelPrices: { priced: { input: 2, output: 1 } } };`);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout + ran.stderr).toMatch(/simulated user 1 call, 1,000,000 tokens, \$2\.0000/);
  expect(ran.stdout + ran.stderr).toMatch(/judge [1-9]\d* calls/);
});

test('what they say counts', async () => {
  expect(await run(`module.exports = { judgeModel: ${judge('unsafe')}, userModel: () => '</finished>' };`)).toMatchObject({ code: 1 });
});

test('--print-config names them, and a flag wins', async () => {
  const config = `module.exports = { judgeModel: ${judge('safe')}, userModel: () => 'x' };`;
  expect((await run(config, ['--print-config'])).stdout).toMatch(/judgeModel +the function mine +judgeModel in /);
  expect((await run(config, ['--judge-model', 'gemini-x', '--print-config'])).stdout).toMatch(/judgeModel +gemini-x +--judge-model/);
});

test.each([
  ['a number as a model', '{ judgeModel: 5 }', /judgeModel in .* takes the name of a model; in a config file also \{ baseUrl, model \}, a BaseLlm or a function; got 5/],
  ['prices that are none', "{ judgeModel: () => 'x', userModel: () => 'x', modelPrices: { m: { input: 1 } } }", /"modelPrices" must give "input" and "output" of "m" as US dollars per million tokens/],
  ['a list of prices', '{ modelPrices: [] }', /modelPrices in .* takes an object; got \[\]/],
])('refuses %s', async (_name, config, message) => {
  expect(await run(`module.exports = ${config};`)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
});

test('prices have no flag', async () => {
  expect(await run('module.exports = {};', ['--model-prices', 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('model-prices') as string });
});

test('many verdicts at once are no leak to Node', async () => {
  const cases = Array.from({ length: 12 }, (_unused, index) => ({ eval_id: `c${index}`, conversation: [{ user_content: { role: 'user', parts: [{ text: 'hi' }] } }] }));
  const folder = commandFolder({ 'package.json': {}, 'agent.cjs': 'exports.rootAgent = function echo({ text }) { return text; };', 'jest-adk.config.js': `module.exports = { judgeConcurrency: 30, judgeModel: async (prompt) => { await new Promise(setImmediate); return (${judge('safe')})(prompt, {}); } };`, 'a.test.json': { eval_set_id: 'a', eval_cases: cases }, 'test_config.json': { criteria: { safety_v1: 0.5 } } });
  expect(await folder.run(['eval', './agent.cjs', 'a.test.json', '--num-runs', '1'])).toMatchObject({ code: 0, stderr: expect.not.stringContaining('MaxListeners') as string });
});
