import type { Criterion } from '../../src/config/types';
import { observed, score, turn, type Scored } from './support';

function run(metric: string, actual: string, reference: string | undefined, criterion: Partial<Criterion> = {}): Promise<Scored> {
  return score(metric, { threshold: 1, ...criterion }, { actual: [observed(actual)], expected: [turn(reference)] });
}

const lines = (result: Scored): readonly string[] => result.perInvocation[0]?.explanation ?? [];

test('B29 JSON is compared by value: escapes and key order do not count', async () => {
  expect((await run('response_json_equality', String.raw`{"b":1,"a":"\u3042"}`, '{"a":"あ","b":1}')).score).toBe(1);
});

test.each([
  ['a fence is taken off', '```json\n{"a":1}\n```', '{"a":1}', {}, 1],
  ['more keys than expected', '{"a":1,"b":2}', '{"a":1}', {}, 0],
  ['more keys under subset', '{"a":1,"b":2}', '{"a":1}', { mode: 'subset' }, 1],
  ['matchers in the reference', '{"id":"o-17"}', '{"id":{"$regex":"^o-"}}', {}, 1],
  ['exact integers', '9007199254740993', '9007199254740992', {}, 0],
])('response_json_equality: %s', async (_name, actual, reference, criterion, wanted) => {
  expect((await run('response_json_equality', actual, reference, criterion)).score).toBe(wanted);
});

test('response_json_equality names the place, an answer that is no JSON, and refuses a reference that is none', async () => {
  expect(lines(await run('response_json_equality', '{"a":[1,{"b":"x"}]}', '{"a":[1,{"b":"y"}]}'))).toEqual(['$.a[1].b: expected "y", got "x"']);
  expect(lines(await run('response_json_equality', 'Sure!', '{}'))).toEqual(['the response is not JSON', 'actual    "Sure!"']);
  await expect(run('response_json_equality', '{}', 'hello')).rejects.toMatchObject({ code: 'bad_reference' });
});

test.each([
  ['the lamp is on', 'the lamp is on', {}, 1],
  ['The lamp  is on', 'the lamp is on', {}, 0],
  ['The lamp  is on\n', 'the lamp is on', { ignore_case: true, ignoreWhitespace: true }, 1],
  ['cafe\u0301', 'caf\u00e9', {}, 1],
])('response_exact_match: %j against %j with %j is %d', async (actual, reference, criterion, wanted) => {
  expect((await run('response_exact_match', actual, reference, criterion)).score).toBe(wanted);
});

test('response_exact_match shows the texts from where they part', async () => {
  expect(lines(await run('response_exact_match', 'the lamp is off', 'the lamp is on'))).toEqual(['expected  "the lamp is on"', 'actual    "the lamp is off"', 'differs at character 14']);
});

test.each([
  ['Your order 17 has shipped', 'order 17', {}, 1],
  ['Your order 17 has shipped', undefined, { contains: ['order', '17'] }, 1],
  ['Your order 17 has shipped', undefined, { contains: ['order', '18'] }, 0],
  ['Your order 17 has shipped', undefined, { contains_any: ['18', '17'] }, 1],
  ['Your order 17 has shipped', undefined, { not_contains: 'shipped' }, 0],
  ['Your order 17 has shipped', undefined, { contains: 'ORDER', ignore_case: true }, 1],
])('response_contains: %j against %j with %j is %d', async (actual, reference, criterion, wanted) => {
  expect((await run('response_contains', actual, reference, criterion)).score).toBe(wanted);
});

test('response_contains without texts and without a reference has nothing to judge', async () => {
  expect(await run('response_contains', 'a', undefined)).toMatchObject({ status: 'not_evaluated' });
});

test.each([
  ['order 17', undefined, { pattern: 'order \\d+' }, 1],
  ['ORDER 17', undefined, { pattern: '/order \\d+/i' }, 1],
  ['ORDER 17', undefined, { pattern: 'order', flags: 'i', negate: true }, 0],
  ['order 17', '^order \\d+$', {}, 1],
])('response_regex: %j against %j with %j is %d', async (actual, reference, criterion, wanted) => {
  expect((await run('response_regex', actual, reference, criterion)).score).toBe(wanted);
});

test('response_regex refuses a pattern that does not compile', async () => {
  await expect(run('response_regex', 'a', undefined, { pattern: '(' })).rejects.toMatchObject({ code: 'bad_criterion', problems: [{ path: ['pattern'] }] });
  await expect(run('response_regex', 'a', '(')).rejects.toMatchObject({ code: 'bad_pattern' });
});

test('a pattern that backtracks without end is an error, not a hang', async () => {
  await expect(run('response_regex', `${'a'.repeat(40)}b`, undefined, { pattern: '^(a+)+$' })).rejects.toMatchObject({ code: 'pattern_timeout' });
});
