import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders, type CommandRun } from '../support/command';
import { startFakeGemini, type FakeGemini } from '../support/gemini-server';
import { linkSdk } from '../support/sdk-project';

jest.setTimeout(120_000);

let gemini: FakeGemini;
beforeAll(async () => {
  gemini = await startFakeGemini();
});
afterAll(async () => {
  await gemini.stop();
  removeCommandFolders();
});

/** Calls what the text says; the real tools leave a trace. */
const agent = `
const { writeFileSync } = require('node:fs');
const { BaseLlm, FunctionTool, LlmAgent } = require('@google/adk');
const { z } = require('zod');
class Scripted extends BaseLlm {
  constructor() { super({ model: 'scripted' }); }
  async *generateContentAsync({ contents }) {
    const parts = contents.at(-1)?.parts ?? [];
    const answers = parts.filter((part) => part.functionResponse).map((part) => JSON.stringify(part.functionResponse.response));
    const [name, ...args] = parts.map((part) => part.text ?? '').join('').split(' ');
    yield { content: { role: 'model', parts: answers.length > 0 ? [{ text: answers.join(' ') }] : [{ functionCall: { name, args: JSON.parse(args.join(' ')) } }] } };
  }
  connect() { return Promise.reject(new Error('none')); }
}
const real = (name, description) => new FunctionTool({ name, description, parameters: z.object({}).passthrough(), execute: () => { writeFileSync('ran', name); return { real: name }; } });
exports.rootAgent = new LlmAgent({ name: 'root', model: new Scripted(), instruction: 'call', tools: [real('open_ticket', 'Opens a ticket.'), real('get_ticket', 'Looks a ticket up.')] });
`;

const tool = (tool_name: string): object => ({ tool_name, mock_strategy_type: 'tool_spec' });
const simulation = { tool_simulation_configs: [tool('open_ticket'), tool('get_ticket')], environment_data: 'A bicycle shop.' };

interface Ran extends CommandRun {
  readonly ran: boolean;
  readonly answers: readonly (string | undefined)[];
  readonly calls: number;
}

async function run(script: object, turns: readonly string[], config: object = simulation, cases = 1): Promise<Ran> {
  await gemini.script(script);
  const conversation = turns.map((text) => ({ user_content: { role: 'user', parts: [{ text }] } }));
  const folder = commandFolder({
    'package.json': {}, 'agent.cjs': agent,
    'a.test.json': { eval_set_id: 'a', eval_cases: Array.from({ length: cases }, (_unused, index) => ({ eval_id: `c${index}`, conversation })) },
    'test_config.json': { criteria: { total_model_calls: 100 }, environment_simulation_config: config },
  });
  linkSdk(folder.dir);
  const ended = await folder.run(['eval', './agent.cjs', 'a.test.json', '--num-runs', '1', '--output-format', 'json', '--output', 'out.json'], { GOOGLE_GEMINI_BASE_URL: gemini.url, GEMINI_API_KEY: 'none-at-all' });
  const report = existsSync(join(folder.dir, 'out.json')) ? (JSON.parse(readFileSync(join(folder.dir, 'out.json'), 'utf8')) as { evaluations: { result: { sets: { cases: { trials: { trial: { invocations: { finalResponse?: { parts: { text?: string }[] } }[] } }[] }[] }[] } }[] }) : undefined;
  const trials = report?.evaluations[0]?.result.sets[0]?.cases.flatMap((one) => one.trials) ?? [];
  return { ...ended, ran: existsSync(join(folder.dir, 'ran')), answers: trials.flatMap(({ trial }) => trial.invocations.map(({ finalResponse }) => finalResponse?.parts[0]?.text)), calls: (await gemini.stats()).total };
}

const analysis = { match: { anyContains: 'Opens a ticket.' }, times: 1, json: { stateful_parameters: [{ parameter_name: 'ticket_id', creating_tools: ['open_ticket'], consuming_tools: ['get_ticket'] }] } };
/** Answers as a model would that looks into the state: the ticket is there only if an earlier answer was kept. */
const world = [
  analysis,
  { match: { anyContains: '"T-1": {' }, json: { ticket_id: 'T-1', status: 'open' } },
  { match: { anyContains: '"name": "open_ticket"' }, json: { ticket_id: 'T-1', made: true } },
];

test('what one tool makes, another finds again; no real tool runs, and the calls are counted', async () => {
  const ran = await run({ replies: world, default: { json: { status: 'error', error_message: 'not found' } } }, ['open_ticket {"title": "flat tyre"}', 'get_ticket {"ticket_id": "T-1"}']);
  expect(ran.answers).toEqual(['{"ticket_id":"T-1","made":true}', '{"ticket_id":"T-1","status":"open"}']);
  expect(ran).toMatchObject({ code: 0, ran: false, calls: 3, stderr: expect.stringMatching(/simulated tools 3 calls, [\d,]+ tokens/) as string });
});

test('what nobody made is not found', async () => {
  const { answers } = await run({ replies: world, default: { json: { status: 'error', error_message: 'not found' } } }, ['get_ticket {"ticket_id": "T-1"}']);
  expect(answers).toEqual(['{"status":"error","error_message":"not found"}']);
});

test('cases side by side have a state each', async () => {
  const { answers, calls } = await run({ replies: [{ ...analysis, times: 2 }, ...world.slice(1)], default: { json: { status: 'error' } } }, ['open_ticket {"title": "a"}', 'get_ticket {"ticket_id": "T-1"}'], simulation, 2);
  expect(answers).toEqual(['{"ticket_id":"T-1","made":true}', '{"ticket_id":"T-1","status":"open"}', '{"ticket_id":"T-1","made":true}', '{"ticket_id":"T-1","status":"open"}']);
  expect(calls).toBe(6);
});

test('an answer that is none is an answer with an error, as a tool would give it', async () => {
  const { answers, code } = await run({ replies: [analysis], default: { text: 'Here you are!' } }, ['open_ticket {"title": "a"}']);
  expect(answers[0]).toContain('"status":"error"');
  expect(answers[0]).toContain('Here you are!');
  expect(code).toBe(0);
});

test('a model that fails is an error of the trial, and no real tool runs', async () => {
  const ran = await run({ default: { status: 403, message: 'no access' } }, ['open_ticket {"title": "a"}']);
  expect(ran).toMatchObject({ code: 2, ran: false, stderr: expect.stringContaining('no access') as string });
});
