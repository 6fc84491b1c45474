import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders, type CommandRun } from '../support/command';
import { linkSdk } from '../support/sdk-project';
import { repoRoot } from '../support/package-under-test';

jest.setTimeout(120_000);
afterAll(removeCommandFolders);

/** A real MCP server over stdio; its tool leaves a trace. */
const server = `
const { writeFileSync } = require('node:fs');
const { McpServer } = require(${JSON.stringify(join(repoRoot, 'node_modules/@modelcontextprotocol/sdk/dist/cjs/server/mcp.js'))});
const { StdioServerTransport } = require(${JSON.stringify(join(repoRoot, 'node_modules/@modelcontextprotocol/sdk/dist/cjs/server/stdio.js'))});
const { z } = require('zod');
const server = new McpServer({ name: 'tickets', version: '1' });
server.registerTool('open_ticket', { description: 'Opens a ticket.', inputSchema: { title: z.string() } }, async ({ title }) => { writeFileSync('opened', title); return { content: [{ type: 'text', text: 'really opened' }] }; });
void server.connect(new StdioServerTransport());
`;

/** Calls the tool once, then answers with what came back. */
const agent = `
const { BaseLlm, LlmAgent, MCPToolset } = require('@google/adk');
class Scripted extends BaseLlm {
  constructor() { super({ model: 'scripted' }); }
  async *generateContentAsync({ contents, toolsDict }) {
    const answers = (contents.at(-1)?.parts ?? []).filter((part) => part.functionResponse).map((part) => JSON.stringify(part.functionResponse.response));
    if (answers.length > 0) yield { content: { role: 'model', parts: [{ text: answers.join(' ') }] } };
    else yield { content: { role: 'model', parts: [{ functionCall: { name: 'open_ticket', args: { title: 'broken' } } }] } };
  }
  connect() { return Promise.reject(new Error('none')); }
}
const tickets = new MCPToolset({ type: 'StdioConnectionParams', serverParams: { command: process.execPath, args: ['server.cjs'] } });
exports.rootAgent = new LlmAgent({ name: 'root', model: new Scripted(), instruction: 'call', tools: [tickets] });
`;

async function run(more: object): Promise<CommandRun & { readonly opened: boolean; readonly answers: readonly string[] }> {
  const folder = commandFolder({
    'package.json': {}, 'server.cjs': server, 'agent.cjs': agent,
    'a.test.json': { eval_set_id: 'a', eval_cases: ['one', 'two'].map((eval_id) => ({ eval_id, conversation: [{ user_content: { role: 'user', parts: [{ text: 'open one' }] } }], ...more })) },
    'test_config.json': { criteria: { total_model_calls: 100 } },
  });
  linkSdk(folder.dir);
  const ran = await folder.run(['eval', './agent.cjs', 'a.test.json', '--num-runs', '1', '--output-format', 'json', '--output', 'out.json']);
  const report = JSON.parse(readFileSync(join(folder.dir, 'out.json'), 'utf8')) as { evaluations: { result: { sets: { cases: { trials: { trial: { invocations: { finalResponse?: { parts: { text?: string }[] }; toolCalls: { simulated?: boolean }[] }[] } }[] }[] }[] } }[] };
  const trials = report.evaluations[0]?.result.sets[0]?.cases.flatMap((one) => one.trials) ?? [];
  return { ...ran, opened: existsSync(join(folder.dir, 'opened')), answers: trials.flatMap(({ trial }) => trial.invocations.map(({ finalResponse, toolCalls }) => `${finalResponse?.parts[0]?.text ?? ''} ${toolCalls[0]?.simulated === true ? 'simulated' : 'real'}`)) };
}

test('a tool of an MCP server runs, is shared by cases side by side, and the server ends', async () => {
  const ran = await run({});
  expect(ran).toMatchObject({ code: 0, opened: true });
  expect(ran.answers).toEqual([expect.stringMatching(/really opened.* real$/), expect.stringMatching(/really opened.* real$/)]);
});

test('it is answered for like any other, and the server is not asked', async () => {
  const ran = await run({ tool_mocks: { open_ticket: [{ args: { title: 'broken' }, response: { ticket: 'T-1' } }] } });
  expect(ran).toMatchObject({ code: 0, opened: false, answers: ['{"ticket":"T-1"} simulated', '{"ticket":"T-1"} simulated'] });
});

test('unmocked it is an error, never the real tool', async () => {
  const ran = await run({ tool_mocks: { another: {} } });
  expect(ran).toMatchObject({ code: 2, opened: false, stderr: expect.stringContaining('nothing is set up to answer open_ticket({"title":"broken"})') as string });
});
