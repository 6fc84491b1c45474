import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, removeProjects } from '../support/run-jest';
import { commandFolder, removeCommandFolders } from '../support/command';
import { startFakeServer } from '../support/fake-server';
import { loadSessionFromJson, stateBefore } from '../../src/session/load';

jest.setTimeout(120_000);
afterAll(() => {
  removeProjects();
  removeCommandFolders();
});

const exported = {
  id: 'sess-1', appName: 'house', userId: 'bob', lastUpdateTime: 1_761_000_000_500, state: { lamp: 'on', count: 2, 'user:name': 'Bob', fixed: { aB: 1 } },
  events: [
    { id: 'e1', invocationId: 'i1', author: 'user', timestamp: 1_761_000_000_000, content: { role: 'user', parts: [{ text: 'lamp on, please' }] }, actions: {} },
    { id: 'e2', invocationId: 'i1', author: 'house', timestamp: 1_761_000_000_100, content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'set_lamp', args: { isOn: true } } }] }, actions: {} },
    { id: 'e3', invocationId: 'i1', author: 'house', timestamp: 1_761_000_000_200, content: { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'set_lamp', response: { ok: true } } }] }, actions: { stateDelta: { lamp: 'on', count: 2 } } },
    { id: 'e4', invocationId: 'i1', author: 'house', timestamp: 1_761_000_000_300, content: { role: 'model', parts: [{ text: 'The lamp is on.' }] }, actions: {} },
  ],
};
const snake = {
  id: 'sess-1', app_name: 'house', user_id: 'bob', last_update_time: 1_761_000_000.5, state: exported.state,
  events: exported.events.map(({ invocationId, timestamp, content, actions, ...rest }) => ({
    ...rest, invocation_id: invocationId, timestamp: timestamp / 1000, actions: 'stateDelta' in actions ? { state_delta: actions.stateDelta } : {},
    content: { ...content, parts: content.parts.map((part) => ('functionCall' in part ? { function_call: part.functionCall } : 'functionResponse' in part ? { function_response: part.functionResponse } : part)) },
  })),
};

describe('loadSessionFromJson', () => {
  test('Python’s and TypeScript’s exports are the same session, in seconds; the user’s keys stay', () => {
    const one = loadSessionFromJson(JSON.stringify(exported));
    expect(loadSessionFromJson(JSON.stringify(snake))).toEqual(one);
    expect(one).toMatchObject({ id: 'sess-1', appName: 'house', userId: 'bob', lastUpdateTime: 1_761_000_000.5, state: exported.state });
    expect(one.events[1]).toMatchObject({ timestamp: 1_761_000_000.1, content: { parts: [{ functionCall: { args: { isOn: true } } }] } });
  });

  test('the state before the events has the keys that no event set', () => {
    expect(stateBefore(loadSessionFromJson(JSON.stringify(exported)))).toEqual({ 'user:name': 'Bob', fixed: { aB: 1 } });
  });

  test('a file that is missing is named; problems of a session come all at once', () => {
    expect(() => loadSessionFromJson('nowhere/x.session.json')).toThrow(/nowhere\/x\.session\.json/);
    expect(() => loadSessionFromJson('{"id": 1, "app_name": "a", "events": [{"timestamp": "x"}]}')).toThrow(/id[^]*user_id/);
    expect(() => loadSessionFromJson('[1')).toThrow(/JSON/);
  });
});

const agentFile = `
const { LlmAgent, BaseLlm } = require('@google/adk');
class Model extends BaseLlm {
  async *generateContentAsync({ contents }) {
    const said = contents.flatMap(({ parts = [] }) => parts.map((part) => part.text ?? (part.functionCall ? 'CALL ' + part.functionCall.name : 'RESPONSE ' + part.functionResponse.name)));
    yield { content: { role: 'model', parts: [{ text: said.join(' | ') }] } };
  }
  async connect() { throw new Error('no'); }
}
exports.rootAgent = new LlmAgent({ name: 'house', model: new Model({ model: 'fake' }), instruction: 'Lamp is {lamp}.' });`;

const script = `
const { loadSessionFromJson, runnerFromExportedSession } = require('jest-adk');
const { rootAgent } = require('./agent.cjs');
const resume = async (options) => {
  const { runner, session } = await runnerFromExportedSession(rootAgent, loadSessionFromJson('house.session.json'), options);
  const events = [];
  for await (const event of runner.runAsync({ userId: session.userId, sessionId: session.id, newMessage: { role: 'user', parts: [{ text: 'and now?' }] } })) events.push(event.content.parts[0].text);
  return { id: session.id, user: session.userId, app: session.appName, state: session.state, count: session.events.length, time: session.events[3].timestamp, answer: events.at(-1) };
};`;

const sdk = ['@google/adk', '@google/genai', 'zod'];
const resumed = { id: 'sess-1', user: 'bob', app: 'house', state: exported.state, count: 4, time: 1_761_000_000_300, answer: 'lamp on, please | CALL set_lamp | RESPONSE set_lamp | The lamp is on. | and now?' };

test('a resumed session answers a follow-up from its history, with its state applied once: in Node and in Jest', async () => {
  const project = createProject({ packages: sdk, packageJson: { jest: { preset: 'jest-adk' } }, files: {
    'house.session.json': snake, 'agent.cjs': agentFile,
    'node.cjs': `${script}\n(async () => console.log(JSON.stringify([await resume(), await resume({ userId: 'eve', sessionId: 'other' })])))();`,
    'resume.test.js': `${script}\ntest('resumes', async () => { expect(await resume()).toEqual(${JSON.stringify(resumed)}); });`,
  } });
  const [own, other] = JSON.parse((await project.node(['node.cjs'])).stdout) as [object, object];
  expect(own).toEqual(resumed);
  expect(other).toMatchObject({ id: 'other', user: 'eve', app: 'house' });
  expect((await project.jest([], { json: true })).json).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
});

describe('capture', () => {
  const files = { 'house.session.json': exported, 'agent.cjs': "exports.agent = () => [{ author: 'house', content: { role: 'model', parts: [{ functionCall: { name: 'set_lamp', args: { isOn: true } } }] } }, { author: 'house', content: { role: 'model', parts: [{ text: 'The lamp is on.' }] } }];" };

  test.each(['json', 'toml'])('makes a case that an agent which does the same passes: %s', async (format) => {
    const folder = commandFolder(files);
    const name = `lamp.test.${format}`;
    expect(await folder.run(['capture', 'house.session.json', '-o', name])).toEqual({ code: 0, stdout: '', stderr: `${name}: case "sess-1", 1 turns\n` });
    expect((await folder.run(['validate', name])).stderr).toBe('1 checked: 0 problems, 0 warnings\n');
    const run = await folder.run(['eval', './agent.cjs', name, '--num-runs', '1', '--app-name', 'house', '--print-detailed-results']);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/tool_trajectory_avg_score: score=1\.0[^]*response_match_score: score=1\.0/) as string });
  });

  test('adds to a set that is there, never twice, and overwrites nothing unasked', async () => {
    const folder = commandFolder(files);
    await folder.run(['capture', 'house.session.json', '-o', 'lamp.test.toml']);
    expect((await folder.run(['capture', 'house.session.json', '-o', 'lamp.test.toml'])).stderr).toMatch(/exists already/);
    expect((await folder.run(['capture', 'house.session.json', '-o', 'lamp.test.toml', '--append'])).stderr).toMatch(/has a case "sess-1" already\. .*--eval-id/);
    expect((await folder.run(['capture', 'house.session.json', '-o', 'lamp.test.toml', '--append', '--eval-id', 'second'])).code).toBe(0);
    expect(readFileSync(join(folder.dir, 'lamp.test.toml'), 'utf8').match(/eval_id = /g)).toHaveLength(2);
  });

  test('takes a session from a server, with a header that is printed nowhere', async () => {
    const server = await startFakeServer();
    try {
      await server.script({ apps: ['house'], requireHeaders: { authorization: 'Bearer s3cret-token' }, getSession: { body: exported } });
      const { code, stdout, stderr } = await commandFolder().run(['capture', '--url', server.url, '--app-name', 'house', '--user-id', 'bob', '--session-id', 'sess-1', '--header', 'Authorization: Bearer s3cret-token']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ eval_set_id: 'house', eval_cases: [{ eval_id: 'sess-1', session_input: { app_name: 'house', user_id: 'bob', state: { fixed: { aB: 1 } } } }] });
      const fetching = ['capture', '--url', server.url, '--app-name', 'house', '--user-id', 'bob', '--session-id', 'sess-1'];
      const folder = commandFolder({ '.env': 'JEST_ADK_HEADER="Authorization: Bearer s3cret-token"\n', 'headers.txt': '# for the test\nAuthorization: Bearer s3cret-token\n' });
      for (const run of [folder.run([...fetching, '--env-file', '.env']), folder.run([...fetching, '--header-file', 'headers.txt']), folder.run(fetching, { JEST_ADK_HEADER_FILE: 'headers.txt' })]) expect(await run).toMatchObject({ code: 0, stderr: '' });
      expect(await folder.run(fetching, { JEST_ADK_HEADER: 'no colon' })).toMatchObject({ code: 2, stderr: expect.stringContaining('JEST_ADK_HEADER (the 1st) has no colon') as string });
      const refused = await commandFolder().run(['capture', '--url', server.url, '--app-name', 'house', '--user-id', 'bob', '--session-id', 'sess-1', '--header', 'Authorization: Bearer wr0ng-token']);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('401');
      expect(refused.stderr).not.toContain('wr0ng-token');
    } finally {
      await server.stop();
    }
  });

  test.each([[[], /SESSION\.json/], [['--url', 'http://127.0.0.1:9'], /--app-name, --user-id, --session-id/], [['gone.session.json'], /gone\.session\.json/]])('%j is refused', async (args, text) => {
    const { code, stderr } = await commandFolder(files).run(['capture', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(text);
  });
});
