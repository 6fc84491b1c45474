import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { positionOf } from '../../src/support/document';
import { JestAdkError } from '../../src/support/errors';
import { googleAdkProfile } from '../../src/support/profile';
import { evalSetFromObject, readEvalSetFile, readEvalSetText, type ReadEvalSetOptions } from '../../src/evalset/reader';
import type { EvalSet, IntermediateData } from '../../src/evalset/types';

const file = '/evals/home.test.json';

function read(text: string, name = file, options: ReadEvalSetOptions = {}) {
  return readEvalSetText(text, name, options);
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof JestAdkError) return `${error.code}\n${error.message}`;
    throw error;
  }
  return 'accepted';
}

const turn = (more: object = {}) => ({ user_content: { parts: [{ text: 'hi' }] }, ...more });
const setOf = (...conversation: object[]) => ({ eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation }] });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jest-adk-reader-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function saved(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('problems', () => {
  test('A18 a misspelled key of a turn is an error with its place and the right name', () => {
    const text = JSON.stringify(setOf(turn({ intermediate_data: { tool_use: [] } })), null, 2);
    expect(refusal(() => read(text))).toBe(
      'invalid_eval_set\n/evals/home.test.json:16:13  eval_cases[0].conversation[0].intermediate_data.tool_use\n  Unknown key "tool_use". Did you mean "tool_uses"?',
    );
  });

  test('A18 the same in TOML', () => {
    const text = 'eval_set_id = "s"\n[[eval_cases]]\neval_id = "c"\n[[eval_cases.conversation]]\nuser_content.parts = []\nintermediate_data.tool_use = []\n';
    expect(refusal(() => read(text, '/evals/home.test.toml'))).toBe(
      'invalid_eval_set\n/evals/home.test.toml:6:1  eval_cases[0].conversation[0].intermediate_data.tool_use\n  Unknown key "tool_use". Did you mean "tool_uses"?',
    );
  });

  test('all of a file at once, in its order', () => {
    const text = `{
  "eval_set_id": 5,
  "eval_cases": [
    {"eval_id": "a", "conversation": [
      {"user_content": "hello", "creation_timestamp": "soon"},
      {"final_response": {"parts": ["x"]}}
    ]},
    {"eval_id": "b"}
  ]
}`;
    expect(refusal(() => read(text)).split('\n')).toEqual([
      'invalid_eval_set',
      '/evals/home.test.json:2:3  eval_set_id',
      '  Expected a text, got 5.',
      '/evals/home.test.json:5:8  eval_cases[0].conversation[0].user_content',
      '  Expected an object, got "hello". Write {"parts": [{"text": "…"}]}.',
      '/evals/home.test.json:5:33  eval_cases[0].conversation[0].creation_timestamp',
      '  Expected a number, got "soon".',
      '/evals/home.test.json:6:7  eval_cases[0].conversation[1].user_content',
      '  Required key "user_content" is missing.',
      '/evals/home.test.json:6:37  eval_cases[0].conversation[1].final_response.parts[0]',
      '  Expected an object, got "x". Write {"text": "…"}.',
      '/evals/home.test.json:8:5  eval_cases[1]',
      '  A case has either "conversation" or "conversation_scenario" or "sessions"; this one has neither.',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['old names inside new tool uses', setOf(turn({ intermediate_data: { tool_uses: [{ tool_name: 'x', tool_input: {} }] } })), 'Use "name" instead.'],
    ['old names inside a turn', setOf({ query: 'x' }), 'Use "user_content" instead.'],
    ['both kinds of intermediate data', setOf(turn({ intermediate_data: { tool_uses: [], invocation_events: [] } })), 'Unknown key "tool_uses". Known: invocation_events.'],
    ['a typo in an event', setOf(turn({ intermediate_data: { invocation_events: [{ author: 'a', contents: {} }] } })), 'Unknown key "contents". Did you mean "content"?'],
    ['a typo of a required key of a case', { eval_set_id: 's', eval_cases: [{ evalid: 'c', conversation: [] }] }, 'Required key "eval_id" is missing. Is "evalid" meant as "eval_id"?'],
    ['a typo of conversation', { eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversatoin: [] }] }, 'this one has neither. Is "conversatoin" meant as "conversation"?'],
    ['both spellings', { eval_set_id: 's', eval_cases: [{ eval_id: 'c', evalId: 'd', conversation: [] }] }, '"eval_id" and "evalId" are two spellings of one key.'],
    ['an unknown persona', { eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation_scenario: { starting_prompt: '', conversation_plan: '', user_persona: 'Novice' } }] }, 'There is no built-in persona "Novice". Known: EXPERT, NOVICE, EVALUATOR'],
    ['a list that is no old format', [1], 'Expected an object, got [1].'],
    ['an empty list', [], 'Expected an object, got [].'],
  ])('%s', (_, value, message) => {
    expect(refusal(() => evalSetFromObject(value))).toContain(message);
  });

  test('a date in TOML has no place in tool arguments', () => {
    const text = 'eval_set_id = "s"\neval_cases = []\n[when]\nat = 1979-05-27T07:32:00Z\n';
    expect(refusal(() => read(text, '/e.test.toml'))).toBe('toml_date\n/e.test.toml:4:1  when.at\n  A TOML date (1979-05-27T07:32:00.000Z) cannot be a value of JSON. Put it in quotes.');
  });

  test('an integer beyond the 64 bits of TOML is refused instead of being wrapped around', () => {
    expect(refusal(() => read('a = "12345678901234567890"\nb = 12345678901234567890\n', '/e.test.toml'))).toBe(
      'toml_integer\n/e.test.toml:2:5\n  12345678901234567890 is beyond the 64 bits of TOML integers. Put it in quotes, or write the file as JSON.',
    );
  });

  test('broken TOML has the place of the first problem', () => {
    expect(refusal(() => read('a = 1\nb = \n', '/e.test.toml'))).toMatch(/^not_toml\n\/e\.test\.toml:2:5\n {2}Not TOML: /);
  });
});

describe('what is accepted', () => {
  test('G88 snake_case and camelCase mixed at every level; keys of the user are never renamed', () => {
    const { value, warnings } = evalSetFromObject({
      evalSetId: 's',
      eval_cases: [{
        evalId: 'c',
        conversation: [{
          userContent: { parts: [{ functionCall: { name: 't', args: { snake_key: { camelKey: 1 } } } }] },
          intermediate_data: { toolUses: [{ name: 't', args: { city_name: 'Oslo', isDry: true } }] },
        }],
        sessionInput: { app_name: 'a', userId: 'u', state: { snake_key: 1, camelKey: { deep_key: 2 } } },
      }],
      creationTimestamp: 5,
    });
    expect(warnings).toEqual([]);
    expect(value).toEqual({
      evalSetId: 's',
      evalCases: [{
        evalId: 'c',
        conversation: [{
          invocationId: '',
          userContent: { parts: [{ functionCall: { name: 't', args: { snake_key: { camelKey: 1 } } } }] },
          intermediateData: { toolUses: [{ name: 't', args: { city_name: 'Oslo', isDry: true } }], toolResponses: [], intermediateResponses: [] },
          creationTimestamp: 0,
        }],
        sessionInput: { appName: 'a', userId: 'u', state: { snake_key: 1, camelKey: { deep_key: 2 } } },
        creationTimestamp: 0,
        finalSessionState: {},
      }],
      creationTimestamp: 5,
    } satisfies EvalSet);
  });

  test('a field of a part in camelCase beside its null in snake_case', () => {
    const part = { file_data: null, function_call: null, fileData: { fileUri: 'a.png' } };
    expect(evalSetFromObject(setOf({ user_content: { parts: [part] } })).value.evalCases[0]?.conversation?.[0]?.userContent.parts).toEqual([{ fileData: { fileUri: 'a.png' } }]);
    expect(refusal(() => evalSetFromObject(setOf({ user_content: { parts: [{ fileData: null, file_data: {} }] } })))).toContain('two spellings');
  });

  test('B30 a part with a null text has no text', () => {
    const { value } = evalSetFromObject(setOf(turn({ final_response: { parts: [{ text: null, thought: null }], role: 'model' } })));
    expect(value.evalCases[0]?.conversation?.[0]?.finalResponse).toEqual({ parts: [{}], role: 'model' });
  });

  test('integers keep all digits in arguments', () => {
    const { value } = read('{"eval_set_id":"s","eval_cases":[{"eval_id":"c","conversation":[{"user_content":{},"intermediate_data":{"tool_uses":[{"args":{"id":12345678901234567890}}]}}]}]}');
    expect(value.evalCases[0]?.conversation?.[0]?.intermediateData).toMatchObject({ toolUses: [{ args: { id: 12345678901234567890n } }] });
  });

  test('the same set in JSON and in TOML', () => {
    const toml = 'eval_set_id = "s"\n[[eval_cases]]\neval_id = "c"\n[[eval_cases.conversation]]\nuser_content = {parts = [{text = "hi"}]}\n[[eval_cases.conversation.intermediate_data.tool_uses]]\nname = "t"\nargs = {n = 1, big = 9223372036854775807}\n';
    const json = setOf(turn({ intermediate_data: { tool_uses: [{ name: 't', args: { n: 1, big: 9223372036854775807n } }] } }));
    expect(read(toml, '/e.test.toml').value).toEqual(evalSetFromObject(json).value);
  });

  test('a set without cases loads', () => {
    expect(evalSetFromObject({ eval_set_id: 's', eval_cases: [] }).value.evalCases).toEqual([]);
  });

  test('a set made in code may hold undefined, bytes and anything in arguments', () => {
    const matcher = expect.any(Number);
    const { value } = evalSetFromObject(setOf(turn({
      finalResponse: undefined,
      userContent: undefined,
      intermediateData: { toolUses: [{ name: 't', args: { n: matcher } }] },
      user_content: { parts: [{ inlineData: { data: new Uint8Array([1, 2, 3]), mimeType: 'x/y' } }] },
    })));
    const invocation = value.evalCases[0]?.conversation?.[0];
    expect(invocation?.userContent.parts?.[0]?.inlineData?.data).toBe('AQID');
    expect((invocation?.intermediateData as IntermediateData).toolUses[0]?.args?.['n']).toBe(matcher);
  });

  test('built-in personas are written out', () => {
    const { value } = evalSetFromObject({ eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation_scenario: { starting_prompt: '', conversation_plan: '', user_persona: 'NOVICE' } }] });
    expect(value.evalCases[0]?.conversationScenario?.userPersona).toMatchObject({ id: 'NOVICE', behaviors: expect.arrayContaining([expect.objectContaining({ name: 'Casual' })]) });
  });

  test('what a newer API adds to usage and grounding is left out', () => {
    const { value } = evalSetFromObject(setOf(turn({
      intermediate_data: { invocation_events: [{ author: 'a', usage_metadata: { total_token_count: 3, dreams: 2 }, grounding_metadata: { web_search_queries: ['q'], other: 1 } }] },
    })));
    expect(value.evalCases[0]?.conversation?.[0]?.intermediateData).toEqual({
      invocationEvents: [{ author: 'a', usageMetadata: { totalTokenCount: 3 }, groundingMetadata: { webSearchQueries: ['q'] } }],
    });
  });
});

describe('warnings', () => {
  test('unknown keys of the set are ignored, those of a case kept, each named once with the nearest known one', () => {
    const text = '{\n"eval_set_id": "s", "$schema": "x",\n"desciption": "d",\n"eval_cases": [{"eval_id": "a", "labels": [], "conversation": []}, {"eval_id": "b", "labels": [], "conversation": []}]}';
    expect(read(text).warnings.map(({ line, message, hint }) => `${line}: ${message} ${hint}`)).toEqual([
      '3: Unknown key "desciption" is ignored. Did you mean "description"?',
      '4: Unknown key "labels" is kept and not used. (2 times) Known: eval_id, conversation, conversation_scenario, sessions, session_input, creation_timestamp, rubrics, final_session_state.',
    ]);
  });

  test('a repeated key is named where it stands again; the last one counts', () => {
    const { value, warnings } = read('{"eval_set_id": "s",\n "eval_cases": [],\n "eval_set_id": "t"}');
    expect(value.evalSetId).toBe('t');
    expect(warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(['3:2 The key "eval_set_id" stands here a second time; the earlier one is ignored.']);
  });

  test('google-adk says nothing', () => {
    expect(evalSetFromObject({ eval_set_id: 's', eval_cases: [], x: 1 }, { profile: googleAdkProfile }).warnings).toEqual([]);
  });
});

describe('bytes of a file', () => {
  const text = JSON.stringify({ eval_set_id: 's', name: '天气问答', eval_cases: [] }, null, 2);

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\ufeff${text}`)],
    ['lines ending with CR LF', Buffer.from(text.replaceAll('\n', '\r\n'))],
  ])('G81 %s is read', (_, bytes) => {
    expect(readEvalSetFile(saved('a.test.json', bytes)).value.name).toBe('天气问答');
  });

  test('G81 bytes of another encoding are refused with the offset of the first', () => {
    const gbk = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xcc, 0xec, 0xc6, 0xf8]), Buffer.from('"}')]);
    const path = saved('gbk.test.json', gbk);
    expect(refusal(() => readEvalSetFile(path))).toBe(`not_utf8\nnot UTF-8 at byte 10 in ${path}. Save the file as UTF-8.`);
  });

  test.each([['little', 1, (bytes: Buffer) => bytes], ['big', 0, (bytes: Buffer) => bytes.swap16()]] as const)('G81 UTF-16 (%s endian) without a mark is refused as such', (_order, offset, arrange) => {
    const path = saved(`utf16-${offset}.test.json`, arrange(Buffer.from(text, 'utf16le')));
    expect(refusal(() => readEvalSetFile(path))).toBe(`not_utf8\nnot UTF-8 at byte ${offset} in ${path}. Save the file as UTF-8; it is UTF-16 now.`);
  });

  test('G81 a replacement character that is really there is no error', () => {
    expect(readEvalSetFile(saved('a.test.json', JSON.stringify({ eval_set_id: '\ufffd', eval_cases: [] }))).value.evalSetId).toBe('\ufffd');
  });

  test('a byte-order mark is not JSON to google-adk', () => {
    const path = saved('a.test.json', `\ufeff${text}`);
    expect(refusal(() => readEvalSetFile(path, { profile: googleAdkProfile }))).toMatch(/^not_json/);
  });

  test('a missing file is named', () => {
    expect(refusal(() => readEvalSetFile('/nowhere/a.test.json'))).toBe('file_not_found\nThere is no file /nowhere/a.test.json.');
  });
});

describe('old formats', () => {
  const turns = [{ query: 'q', expected_tool_use: [{ tool_name: 't', tool_input: { a_b: 1 }, mock_tool_output: 'x' }], reference: 'r' }, { query: 'q2' }];

  test('G89 a list of turns is one case, with one line of warning', () => {
    const { value, warnings } = read(JSON.stringify(turns), '/evals/old.test.json');
    expect(warnings.map(({ code }) => code)).toEqual(['legacy_format']);
    expect(value).toMatchObject({ evalSetId: 'old', name: 'old', evalCases: [{ evalId: 'old' }] });
    expect(value.evalCases[0]?.conversation).toEqual([
      expect.objectContaining({
        userContent: { parts: [{ text: 'q' }], role: 'user' },
        finalResponse: { parts: [{ text: 'r' }], role: 'model' },
        intermediateData: { toolUses: [{ name: 't', args: { a_b: 1 } }], toolResponses: [], intermediateResponses: [] },
      }),
      expect.not.objectContaining({ finalResponse: expect.anything() }),
    ]);
  });

  test('G89 a list of named cases keeps their sessions', () => {
    const { value } = read(JSON.stringify([{ name: 'a', data: turns, initial_session: { state: { x_y: 1 } } }, { name: 'b', data: [] }]), '/evals/old.evalset.json');
    expect(value.evalCases.map(({ evalId, sessionInput }) => [evalId, sessionInput])).toEqual([['a', { appName: '', userId: '', state: { x_y: 1 } }], ['b', undefined]]);
  });

  test('google-adk expects the empty text where a reference is missing, and names the case by the path', () => {
    const { value } = read(JSON.stringify([{ query: 'q' }]), '/evals/old.test.json', { profile: googleAdkProfile, givenPath: 'evals/old.test.json' });
    expect(value.evalCases[0]).toMatchObject({ evalId: 'evals/old.test.json', conversation: [{ finalResponse: { parts: [{ text: '' }] } }] });
  });

  test('all problems have their full path', () => {
    const text = JSON.stringify([{ name: 5, data: [{ query: 'q', expected_tool_use: [{ tool_name: 't' }] }, {}] }, { data: {} }]);
    expect(refusal(() => read(text, '/evals/old.evalset.json')).match(/\[.*/g)).toEqual([
      '[0].name', '[0].data[0].expected_tool_use[0].tool_input', '[0].data[1].query', '[1].name', '[1].data',
    ]);
  });

  test.each([
    ['snake_case', { id: 'x', app_name: 'dice', user_id: 'u', state: { rolls: [5, 4] }, events: [], last_update_time: 1 }],
    ['camelCase', { id: 'x', appName: 'dice', userId: 'u', state: { rolls: [5, 4] }, events: [{ invocationId: 'i' }], lastUpdateTime: 1 }],
  ])('G93 a session export in %s is the session of an old file', (_, session) => {
    const initialSessionFile = saved('dice.session.json', JSON.stringify(session));
    const { value, dependencies } = read(JSON.stringify(turns), file, { initialSessionFile });
    expect(value.evalCases[0]?.sessionInput).toEqual({ appName: 'dice', userId: 'u', state: { rolls: [5, 4] } });
    expect(dependencies).toEqual([initialSessionFile]);
  });

  test('an initial session for a set in the new format is refused', () => {
    const initialSessionFile = saved('a.session.json', '{"state": {"a": 1}}');
    expect(refusal(() => read(JSON.stringify(setOf(turn())), file, { initialSessionFile }))).toMatch(/^initial_session_unused/);
  });

  test('a wrong initial session is refused with its place', () => {
    const initialSessionFile = saved('a.session.json', '{\n  "state": null\n}');
    expect(refusal(() => read(JSON.stringify(turns), file, { initialSessionFile }))).toBe(`invalid_initial_session\n${initialSessionFile}:2:3  state\n  Expected an object, got null.`);
  });
});

describe('places', () => {
  test('of cases, turns and calls, in the file\'s own spelling; line and column by reading again', () => {
    const path = saved('a.test.json', '{"eval_set_id": "s",\n "eval_cases": [\n  {"evalId": "c", "conversation": [\n    {"userContent": {},\n     "intermediate_data": {"toolUses": [{"name": "t"}]}}]}]}');
    const loaded = readEvalSetFile(path);
    const evalCase = loaded.value.evalCases[0] as object;
    expect(loaded.placeOf(loaded.value)).toEqual({ file: path, path: [] });
    expect(loaded.placeOf(evalCase)).toEqual({ file: path, path: ['eval_cases', 0] });
    const call = (loaded.value.evalCases[0]?.conversation?.[0]?.intermediateData as IntermediateData).toolUses[0] as object;
    const place = loaded.placeOf(call);
    expect(place).toEqual({ file: path, path: ['eval_cases', 0, 'conversation', 0, 'intermediate_data', 'toolUses', 0] });
    expect(place && positionOf(place)).toEqual({ line: 5, column: 41 });
    expect(loaded.placeOf({})).toBeUndefined();
  });

  test('of cases in TOML and in old files', () => {
    const toml = readEvalSetFile(saved('a.test.toml', 'eval_set_id = "s"\n\n[[eval_cases]]\neval_id = "a"\nconversation = []\n[[eval_cases]]\neval_id = "b"\nconversation = []\n'));
    expect(toml.value.evalCases.map((one) => toml.placeOf(one)).map((place) => place && positionOf(place)?.line)).toEqual([3, 6]);
    const old = readEvalSetFile(saved('old.evalset.json', '[\n  {"name": "a", "data": []},\n  {"name": "b", "data": []}\n]'));
    expect(old.value.evalCases.map((one) => old.placeOf(one)).map((place) => place && positionOf(place))).toEqual([{ line: 2, column: 3 }, { line: 3, column: 3 }]);
  });

  test('a set made in code has none', () => {
    const loaded = evalSetFromObject(setOf(turn()));
    expect(loaded.placeOf(loaded.value.evalCases[0] as object)).toBeUndefined();
  });
});
