import fc from 'fast-check';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JestAdkError } from '../../src/support/errors';
import { googleAdkProfile, type Profile } from '../../src/support/profile';
import { parseJson, stringifyJson } from '../../src/support/json';
import { evalSetFromObject, readEvalSetText } from '../../src/evalset/reader';
import { contentFromJson, contentToJson, invocationFromJson, invocationToJson } from '../../src/evalset/parts';
import { evalSetText, writeEvalSetFile } from '../../src/evalset/writer';
import { readConfigModel } from '../../src/config/reader';
import { readEvalSetResult } from '../../src/results/adk-format';

const read = (text: string, profile?: Profile) => readEvalSetText(text, 'a.test.json', profile === undefined ? {} : { profile }).value;

describe('what is saved', () => {
  test('G86 text as it is read by people, floats with a point, big integers with all digits', () => {
    const text = '{"eval_set_id":"s","creation_timestamp":10,"eval_cases":[{"eval_id":"天气","conversation":[],"session_input":{"app_name":"アプリ","user_id":"u","state":{"n":12345678901234567890,"nothing":null}}}]}';
    expect(evalSetText(read(text))).toBe(`{
  "eval_set_id": "s",
  "eval_cases": [
    {
      "eval_id": "天气",
      "conversation": [],
      "session_input": {
        "app_name": "アプリ",
        "user_id": "u",
        "state": {
          "n": 12345678901234567890,
          "nothing": null
        }
      }
    }
  ],
  "creation_timestamp": 10.0
}`);
  });

  test('G92 unknown keys of cases and sessions, $schema, and the order of the user\'s own keys', () => {
    const text = stringifyJson({
      $schema: './eval-set.schema.json',
      eval_set_id: 's',
      eval_cases: [{
        eval_id: 'c',
        conversation: [{ user_content: { parts: [{ text: 'x' }] }, intermediate_data: { tool_uses: [{ args: { z: 1, a: { y: 1, b: 2 } }, name: 't' }] } }],
        session_input: { app_name: 'a', user_id: 'u', state: { z: 1, a: 2 }, locale: 'fr' },
        tags: ['slow'],
        ownerTeam: { nameOf: 'x' },
      }],
    });
    expect(evalSetText(read(text))).toBe(text);
  });

  test('intermediate data without an event stay what they are; google-adk makes the other kind of them', () => {
    const text = '{"eval_set_id":"s","eval_cases":[{"eval_id":"c","conversation":[{"user_content":{},"intermediate_data":{"invocation_events":[]}}]}]}';
    expect(read(evalSetText(read(text)))).toEqual(read(text));
    expect(evalSetText(read(text, googleAdkProfile), 'manager', googleAdkProfile)).toContain('"intermediate_data": {}');
  });

  test('a migrated set has every field', () => {
    const saved = parseJson(evalSetText(evalSetFromObject({ eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: [{ user_content: {} }] }] }).value, 'migration')) as { eval_cases: { conversation: object[] }[] };
    expect(Object.keys(saved)).toEqual(['eval_set_id', 'name', 'description', 'eval_cases', 'creation_timestamp']);
    expect(saved.eval_cases[0]).toMatchObject({ conversation_scenario: null, session_input: null, rubrics: null, final_session_state: {} });
    expect(saved.eval_cases[0]?.conversation[0]).toMatchObject({ invocation_id: '', user_content: { parts: null, role: null }, final_response: null, app_details: null });
  });

  test('bytes in the URL-safe alphabet, padded', () => {
    const content = contentFromJson({ parts: [{ inlineData: { data: '+/+/', mimeType: 'x/y' } }, { thought_signature: 'QQ' }] });
    expect(contentToJson(content)).toEqual({ parts: [{ inline_data: { data: '-_-_', mime_type: 'x/y' } }, { thought_signature: 'QQ==' }] });
  });

  test('a turn by itself', () => {
    const json = { invocation_id: 'i', user_content: { parts: [{ text: 'x' }] }, creation_timestamp: 1.5 };
    expect(parseJson(stringifyJson(invocationToJson(invocationFromJson({ invocationId: 'i', userContent: { parts: [{ text: 'x' }] }, creationTimestamp: 1.5 }))))).toEqual(json);
    expect(() => invocationFromJson({ user_contents: {} })).toThrow(JestAdkError);
  });

  test('a file appears whole, and an existing one only goes when told so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jest-adk-writer-'));
    try {
      const path = join(folder, 'a.evalset.json');
      const { value } = evalSetFromObject({ eval_set_id: 's', eval_cases: [] });
      writeEvalSetFile(path, value);
      expect(() => writeEvalSetFile(path, { ...value, evalSetId: 't' })).toThrow(expect.objectContaining({ code: 'EEXIST' }));
      expect(read(readFileSync(path, 'utf8')).evalSetId).toBe('s');
      writeEvalSetFile(path, { ...value, evalSetId: 't' }, { overwrite: true });
      expect(read(readFileSync(path, 'utf8')).evalSetId).toBe('t');
      expect(readdirSync(folder)).toEqual(['a.evalset.json']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('日本語'));
const json = fc.jsonValue({ maxDepth: 2 });
const map = fc.dictionary(fc.oneof(fc.constantFrom('snake_key', 'camelKey', '__proto__', 'constructor'), fc.string({ minLength: 1, maxLength: 5 })), json, { maxKeys: 4 });
const float = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e18 });
const optional = <T,>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const call = fc.record({ id: optional(text), name: optional(text), args: optional(map) });
const part = fc.oneof(
  fc.record({ text }),
  fc.record({ functionCall: call }),
  fc.record({ inlineData: fc.record({ data: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64url')), mimeType: text }) }),
  fc.record({ text, thought: fc.boolean() }),
);
const content = fc.record({ parts: optional(fc.array(part, { maxLength: 3 })), role: optional(text) });
const intermediateData = fc.oneof(
  fc.record({ toolUses: fc.array(call, { maxLength: 2 }), intermediateResponses: fc.array(fc.tuple(text, fc.array(part, { maxLength: 2 })), { maxLength: 2 }) }),
  fc.record({ invocationEvents: fc.array(fc.record({ author: text, content: optional(content), modelVersion: optional(text), usageMetadata: optional(fc.record({ totalTokenCount: optional(fc.nat()) })) }), { maxLength: 2 }) }),
);
const invocation = fc.record({ invocationId: text, userContent: content, finalResponse: optional(content), intermediateData: optional(intermediateData), creationTimestamp: float, duration: optional(float) });
const evalCase = fc.record({
  evalId: text,
  conversation: fc.array(invocation, { maxLength: 2 }),
  sessionInput: optional(fc.record({ appName: text, userId: text, sessionId: optional(text), state: map })),
  creationTimestamp: float,
  tags: optional(json.filter((value) => value !== null)),
});
const evalSet = fc.record({ evalSetId: text, name: optional(text), evalCases: fc.array(evalCase, { maxLength: 3 }), creationTimestamp: float });
const wellFormed = (value: unknown): boolean => !/\\ud[89a-f]/i.test(JSON.stringify(value));

describe('whatever the set', () => {
  test.each(['manager', 'with_defaults', 'migration'] as const)('reading what was saved as %s gives the same set, and saves the same text', (shape) => {
    fc.assert(fc.property(evalSet.filter(wellFormed), (raw) => {
      const { value } = evalSetFromObject(raw);
      const saved = evalSetText(value, shape);
      const again = read(saved);
      expect(evalSetText(again, shape)).toBe(saved);
      expect(stripBase64Padding(again)).toEqual(stripBase64Padding(parseNumbers(value)));
    }), { numRuns: 60 });
  });

  const junk = fc.anything({ withBigInt: true, withNullPrototype: true, maxDepth: 4, key: fc.constantFrom('eval_set_id', 'evalCases', 'eval_cases', 'eval_id', 'conversation', 'user_content', 'parts', 'text', 'data', 'query', 'name', 'criteria', 'threshold', 'type', '__proto__', 'x') });
  test.each<[string, (value: unknown) => unknown]>([
    ['eval sets', (value) => evalSetFromObject(value)],
    ['eval sets as google-adk', (value) => evalSetFromObject(value, { profile: googleAdkProfile })],
    ['old turns', (value) => evalSetFromObject([{ query: 'x' }, value])],
    ['old cases', (value) => evalSetFromObject([{ name: 'x', data: value, initial_session: value }])],
    ['turns', (value) => invocationFromJson({ user_content: value, intermediate_data: value })],
    ['configs', (value) => readConfigModel({ criteria: value, custom_metrics: value, user_simulator_config: value })],
    ['results', (value) => readEvalSetResult(stringifyJson(value))],
  ])('junk in place of %s is refused in so many words', (_, act) => {
    fc.assert(fc.property(junk, (value) => {
      try {
        act(value);
      } catch (error) {
        if (!(error instanceof JestAdkError)) throw error;
        expect(error.problems).not.toEqual([]);
      }
    }), { numRuns: 200 });
  });
});

/** -0 is written as 0 where JSON cannot tell. */
function parseNumbers<T>(value: T): T {
  return parseJson(stringifyJson(value)) as T;
}

function stripBase64Padding(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item: unknown) => (key === 'data' && typeof item === 'string' ? item.replace(/=+$/, '') : item)));
}
