import type { Content } from '../../src/evalset/types';
import { evalCase } from '../inference/helpers';
import { type FakeServer, startFakeServer } from '../support/fake-server';
import { answersOf, runRemote } from '../support/remote-run';

const servers: { python?: FakeServer; js?: FakeServer } = {};
beforeAll(async () => {
  [servers.python, servers.js] = await Promise.all([startFakeServer('python'), startFakeServer('js')]);
});
afterAll(async () => {
  await Promise.all([servers.python?.stop(), servers.js?.stop()]);
});

describe.each([
  ['python', '/run', {}],
  ['python', '/run_sse', { stream: true }],
  ['js', '/run', {}],
  ['js', '/run_sse', { stream: true }],
] as const)('turns of a server that speaks %s, asked by %s', (dialect, path, options) => {
  const run = async (script: object, ...texts: readonly string[]): Promise<Awaited<ReturnType<typeof runRemote>>> => {
    const server = servers[dialect];
    if (server === undefined) throw new Error('not started');
    await server.script(script);
    return runRemote(server.url, [evalCase('a', texts)], options);
  };
  const seen = async (): Promise<readonly unknown[]> => (await servers[dialect]?.requests() ?? []).filter(({ url }) => url === path).map(({ body }) => (body as { readonly newMessage?: unknown }).newMessage);

  test.each(['none', 'per-event', 'same-always'])('one invocation per turn when invocation ids are given so: %s', async (invocationId) => {
    const steps = [{ calls: [{ name: 'look', args: {} }] }, { responses: [{ name: 'look', response: {} }] }, { text: '{{text}} it is' }];
    const { records } = await run({ replies: [{ steps, invocationId }] }, 'one', 'two', 'three');
    expect(records.map(answersOf)).toEqual([['one it is', 'two it is', 'three it is']]);
    expect(records[0]?.invocations.map(({ toolCalls, outcome }) => [toolCalls.length, outcome])).toEqual(Array(3).fill([1, 'answered']));
  });

  test('a silent turn stays a turn', async () => {
    const { records } = await run({ replies: [{ match: 'quiet', events: [] }] }, 'one', 'quiet', 'three');
    expect(records[0]?.endReason).toBe('completed');
    expect(records[0]?.invocations.map(({ outcome }) => outcome)).toEqual(['answered', 'unanswered', 'answered']);
    expect(records.map(answersOf)).toEqual([['echo: one', undefined, 'echo: three']]);
  });

  test('who speaks is said by the author, not by the role', async () => {
    const events = [
      { author: 'user', content: { role: 'user', parts: [{ text: 'not an answer' }] } },
      { author: 'lamp', content: { role: 'model', parts: [{ functionCall: { name: 'f', args: {}, id: 'c1' } }] } },
      { author: 'lamp', content: { role: 'user', parts: [{ functionResponse: { name: 'f', id: 'c1', response: { ok: true } } }] } },
      { author: 'lamp', content: { role: 'user', parts: [{ text: 'an answer' }] } },
    ];
    const { records } = await run({ replies: [{ events }] }, 'hi');
    expect(records.map(answersOf)).toEqual([['an answer']]);
    expect(records[0]?.invocations[0]?.toolResponses).toEqual([{ name: 'f', id: 'c1', response: { ok: true } }]);
    expect(records[0]?.invocations[0]?.userContent).toEqual({ role: 'user', parts: [{ text: 'hi' }] });
  });

  test('either spelling, unknown fields, nulls, milliseconds', async () => {
    const events = [
      { author: 'lamp', invocation_id: 'e', timestamp: 1_700_000_000_123, content: { role: 'model', parts: [{ function_call: { name: 'f', args: { snake_key: null, camelKey: 1 }, id: null, will_continue: null } }] }, turn_complete: null, brandNew: { x: 1 } },
      { author: 'lamp', invocationId: 'e', timestamp: 1_700_000_001.5, content: { role: 'model', parts: [{ text: 'done', thought: null }] }, usageMetadata: { totalTokenCount: 7 }, modelVersion: 'm', errorCode: null, longRunningToolIds: null, actions: { stateDelta: { some_key: { innerKey: 1 } } } },
    ];
    const { records } = await run({ replies: [{ events, bare: true }] }, 'hi');
    const [turn] = records[0]?.invocations ?? [];
    expect(turn?.toolCalls).toEqual([expect.objectContaining({ name: 'f', args: { snake_key: null, camelKey: 1 } })]);
    expect(turn?.usageByModel).toEqual([{ model: 'm', calls: 1, usage: { totalTokenCount: 7 } }]);
    expect(records[0]?.finalState).toEqual({ some_key: { innerKey: 1 } });
  });

  test('big integers keep their digits', async () => {
    const raw = '{"author":"lamp","content":{"parts":[{"functionCall":{"name":"f","args":{"id":12345678901234567890}}}]}}';
    const reply = path === '/run_sse' ? { raw: `data: ${raw}\n\n`, contentType: 'text/event-stream' } : { raw: `[${raw}]`, contentType: 'application/json' };
    const { records } = await run({ replies: [reply] }, 'hi');
    expect(records[0]?.invocations[0]?.toolCalls[0]?.args).toEqual({ id: 12345678901234567890n });
  });

  test('an event with an error and no answer in its turn is the error of the turn, with its message', async () => {
    const { records } = await run({ replies: [{ match: 'bad', errorCode: '503', errorMessage: 'the model is overloaded' }] }, 'ok', 'bad', 'never');
    expect(records[0]).toMatchObject({ endReason: 'error', error: { code: '503', message: 'turn 2: the model is overloaded' } });
    expect(records[0]?.invocations.map(({ outcome }) => outcome)).toEqual(['answered', 'error', 'not_run']);
  });

  test('an error beside an answer is a warning', async () => {
    const { records } = await run({ replies: [{ steps: [{ errorCode: 'TOOL', errorMessage: 'no such tool' }, { text: 'never mind' }] }] }, 'hi');
    expect([records.map(answersOf), records[0]?.warnings]).toEqual([[['never mind']], ['turn 1: the agent reported TOOL: no such tool, and answered']]);
  });

  test('a thought is no answer of its own', async () => {
    const { records } = await run({ replies: [{ thought: 'hm', text: 'Paris' }] }, 'hi');
    expect(records[0]?.invocations[0]?.finalResponse?.parts).toEqual([{ text: 'hm', thought: true }, { text: 'Paris' }]);
  });

  test.each<[string, unknown, string]>([
    ['a text', 'boo', 'events[0] is boo'],
    ['a number', 7, 'events[0] is 7'],
    ['null', null, 'events[0] is null'],
    ['a list', [], 'events[0] is []'],
    ['no author', { content: { parts: [] } }, 'events[0] is an object without an author'],
    ['wrong kinds', { author: 'a', content: { parts: 'x' }, errorCode: 5 }, 'Wanted a text, got 5 (at events[0].errorCode). Wanted a list of parts, got "x" (at events[0].content.parts).'],
  ])('%s is no event', async (_name, event, message) => {
    const { records } = await run({ replies: [{ events: [event], bare: true }] }, 'hi');
    expect(records[0]).toMatchObject({ endReason: 'error', error: { code: 'http_answer', message: `turn 1: POST ${path} was answered with something that is no event: ${message.replace(/\.$/, '')}.` } });
  });

  test('what is sent is the case’s content in camelCase, without nulls, role as given, the user’s own keys untouched', async () => {
    const contents = [
      { parts: [{ text: 'no role' }] },
      { role: 'user', parts: [{ text: 'x', thought: null }, { inline_data: { mime_type: 'image/png', data: 'iVBORw0K', display_name: null } }, { file_data: { file_uri: 'gs://b/o', mimeType: 'text/plain' } }] },
      { role: 'odd', parts: [{ function_response: { id: null, name: 'f', response: { snake_key: null, camelKey: [null] } } }] },
    ] as unknown as readonly Content[];
    const server = servers[dialect];
    await server?.script({});
    const one = { evalId: 'a', creationTimestamp: 0, conversation: contents.map((userContent) => ({ invocationId: '', userContent, creationTimestamp: 0 })) };
    await runRemote(server?.url ?? '', [one], options);
    expect(await seen()).toEqual([
      { parts: [{ text: 'no role' }] },
      { role: 'user', parts: [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0K' } }, { fileData: { fileUri: 'gs://b/o', mimeType: 'text/plain' } }] },
      { role: 'odd', parts: [{ functionResponse: { name: 'f', response: { snake_key: null, camelKey: [null] } } }] },
    ]);
  });
});

describe('only by /run', () => {
  test.each<[string, object, string]>([
    ['an object', { body: { events: [] } }, 'was answered 200 OK with application/json, which is no list of events: "{\\"events\\":[]}"'],
    ['the TypeScript server’s failure', { status: 500, body: { error: 'Failed to run agent: boom', events: [{ author: 'a' }] } }, 'was answered 500 Internal Server Error: Failed to run agent: boom'],
    ['Python’s failure', { status: 500, raw: 'Internal Server Error' }, 'was answered 500 Internal Server Error: Internal Server Error'],
    ['a page', { raw: '<html>sign in</html>', contentType: 'text/html' }, 'was answered 200 OK with text/html, which is no JSON: "<html>sign in</html>"'],
    ['cut JSON', { malformed: true }, 'was answered 200 OK with application/json, which is no JSON: "[{\\"content\\": {\\"parts\\": [{\\"text\\": \\"cut"'],
    ['an end in the body', { text: 'x', drop: 'body' }, 'failed: the server closed the connection while it was answering'],
    ['an end after the headers', { text: 'x', drop: 'headers' }, 'failed: the server closed the connection while it was answering'],
    ['an end at once', { drop: true }, 'failed: the server closed the connection before it had answered'],
    ['a redirect', { redirect: 'https://elsewhere.example.com/' }, 'was redirected (302 Found) to https://elsewhere.example.com/'],
  ])('%s', async (_name, reply, message) => {
    await servers.python?.script({ replies: [reply] });
    const { records } = await runRemote(servers.python?.url ?? '', [evalCase('a', ['hi'])]);
    expect(records[0]?.error?.message).toContain(`turn 1: POST /run ${message}`);
    expect((await servers.python?.stats())?.runs).toBe(1);
  });
});

describe.each(['python', 'js'] as const)('only by /run_sse of a server that speaks %s', (dialect) => {
  const run = async (reply: object): Promise<Awaited<ReturnType<typeof runRemote>>['records']> => {
    await servers[dialect]?.script({ replies: [reply] });
    return (await runRemote(servers[dialect]?.url ?? '', [evalCase('a', ['hi', 'more'])], { stream: true, timeoutMs: 20_000 })).records;
  };

  test('an error in the stream is the failure of the turn; what came before is kept', async () => {
    const [record] = await run({ steps: [{ calls: [{ name: 'f', args: {} }] }, { text: 'x' }], sse: { errorAfter: 1 } });
    expect(record?.error?.message).toMatch(/^turn 1: POST \/run_sse ended with an error: (RuntimeError: )?scripted stream error\.$/);
    expect(record?.invocations.map(({ outcome, toolCalls }) => [outcome, toolCalls.length])).toEqual([['error', 1], ['not_run', 0]]);
  });

  test('a connection that breaks is the failure of the turn', async () => {
    const [record] = await run({ steps: [{ calls: [{ name: 'f', args: {} }] }, { text: 'x' }], sse: { dropAfter: 1 } });
    expect(record?.error?.message).toContain('turn 1: POST /run_sse failed: the server closed the connection while it was answering');
  });

  test('what a piece says of the state is not in it, what the whole event says is', async () => {
    const event = { author: 'a', content: { role: 'model', parts: [{ text: 'Hello' }] } };
    const [record] = await run({ events: [{ ...event, partial: true, actions: { stateDelta: { half: 1 } } }, { ...event, actions: { stateDelta: { whole: 1 } } }] });
    expect(record?.finalState).toEqual({ whole: 1 });
  });

  test('an end without an answer is none when the connection did not break', async () => {
    const [record] = await run({ events: [{ author: 'a', partial: true, content: { role: 'model', parts: [{ text: 'Hel' }] } }, { author: 'a', partial: true, content: { role: 'model', parts: [{ text: 'lo' }] } }] });
    expect(record?.endReason).toBe('completed');
    expect(answersOf(record as NonNullable<typeof record>)).toEqual(['Hello', 'Hello']);
  });
});
