import type { EvalSet, JsonObject, Place } from '../../src/evalset/types';
import { checkMatchers } from '../../src/metrics/check-matchers';
import { compareToolCalls, matchResponse } from '../../src/metrics/compare';
import { $any, match } from '../../src/metrics/matchers';
import { googleAdkProfile } from '../../src/support/profile';
import { observed, turn } from './support';

const accepts = (expected: unknown, args: JsonObject): boolean => compareToolCalls([{ name: 'f', args }], [{ name: 'f', args: { x: expected } as JsonObject }]).pass;

describe('argument matchers', () => {
  test.each<[expected: unknown, good: readonly unknown[], bad: readonly unknown[]]>([
    [$any, [1, null, 'x', {}], []],
    [match.optional(5), [5], [6]],
    [match.not('x'), ['y', 1], ['x']],
    [match.not({ $regex: '^a' }), ['b', 1], ['ab']],
    [match.oneOf('a', { $type: 'integer' }), ['a', 3], ['b', 3.5]],
    [{ $one_of: [1, 2] }, [2], [3]],
    [match.regex(/rain/i), ['Heavy RAIN'], ['sun', 5]],
    [{ $regex: 'rain', $flags: 'i' }, ['RAIN'], ['sun']],
    [match.closeTo(1, 0.1), [0.95, 1n], [1.2, '1']],
    [{ $closeTo: 10, $tolerance: 2 }, [8], [7.9]],
    [{ $close_to: 10 }, [10], [10.1]],
    [match.type('string', 'null'), ['x', null], [1, {}]],
    [{ $type: 'integer' }, [3, 3n], [3.5, '3']],
    [match.contains('b'), ['abc', ['b']], ['a', ['a'], 5]],
    [match.subset({ a: { b: 1 } }), [{ a: { b: 1, c: 2 }, d: 3 }], [{ a: {} }, 5]],
    [match.subset(['a', 'a']), [['a', 'b', 'a']], [['a', 'b'], 'aa']],
    [match.superset(['a', 'b']), [['a'], [], ['b', 'b']], [['c'], 'a']],
    [match.unordered(['a', $any]), [['a', 1], [1, 'a']], [['a'], ['b', 'c']]],
    [match.literal({ $any: true }), [{ $any: true }], [1]],
    [match.where((value) => (value as number) > 3, 'more than 3'), [4], [3]],
    [{ $type: 'string', $not: 'x' }, ['y'], ['x', 5]],
    [{ $gt: 5 }, [{ $gt: 5 }], [6]],
    [{ $any: true, other: 1 }, [{ $any: true, other: 1 }], [6]],
    [[1, $any], [[1, 2]], [[1], [2, 2]]],
  ])('%j', (expected, good, bad) => {
    expect(good.filter((value) => !accepts(expected, { x: value } as JsonObject))).toEqual([]);
    expect(bad.filter((value) => accepts(expected, { x: value } as JsonObject))).toEqual([]);
  });

  test('an argument that is not there fits absent and optional alone', () => {
    expect([match.absent(), match.optional($any), $any, match.not(1), match.type('null')].map((expected) => accepts(expected, {}))).toEqual([true, true, false, false, false]);
    expect(accepts(match.absent(), { x: null })).toBe(false);
  });

  test('a date is compared by its text', () => {
    const day = new Date(0) as unknown as string;
    expect([accepts('1970-01-01T00:00:00.000Z', { x: day }), accepts(new Date(1), { x: day })]).toEqual([true, false]);
  });

  test('under google-adk they are plain data', () => {
    const compare = (args: JsonObject): boolean => compareToolCalls([{ name: 'f', args }], [{ name: 'f', args: { x: { $any: true } } }], { profile: googleAdkProfile }).pass;
    expect([compare({ x: { $any: true } }), compare({ x: 1 })]).toEqual([true, false]);
  });

  test('each is described in words', () => {
    const { explanation } = compareToolCalls([{ name: 'f', args: { a: 1, b: 'x' } }], [{ name: 'f', args: { a: match.oneOf('u', 'v'), b: match.where(() => false, 'a city') } }]);
    expect(explanation.slice(2).map((line) => line.trim().replace(/^~+ /, ''))).toEqual(['a: expected one of ["u","v"], got 1', 'b: expected a city, got "x"']);
  });
});

describe('checkMatchers', () => {
  const check = (args: JsonObject): ReturnType<typeof checkMatchers> => {
    const value: EvalSet = { evalSetId: 's', creationTimestamp: 0, evalCases: [{ evalId: 'c', creationTimestamp: 0, conversation: [turn('x', [{ name: 'f', args }])] }] };
    const place: Place = { file: '/evals/a.json', path: ['eval_cases', 0, 'conversation', 0, 'intermediateData', 'tool_uses', 0, 'args'] };
    return checkMatchers({ value, placeOf: (node) => (node === args ? place : undefined) });
  };

  test.each<[args: JsonObject, problem: object]>([
    [{ q: { $regex: '(' } }, { message: '$regex is "(".', hint: expect.stringContaining('Invalid regular expression') }],
    [{ q: { $regex: 'a'.repeat(1001) } }, { hint: 'The pattern has 1001 characters; 1000 are allowed.' }],
    [{ q: { $closeTo: 'x' } }, { hint: 'It takes a number, or [number, tolerance].' }],
    [{ q: { $any: false } }, { hint: 'It takes true.' }],
    [{ q: { $any: true, $flags: 'i' } }, { hint: 'It belongs beside $regex.' }],
    [{ q: { $regx: 'a' } }, { severity: 'warning', hint: 'Did you mean "$regex"?' }],
  ])('%j', (args, problem) => {
    expect(check(args)).toMatchObject([{ code: 'bad_matcher', severity: 'error', file: '/evals/a.json', path: ['eval_cases', 0, 'conversation', 0, 'intermediateData', 'tool_uses', 0, 'args', 'q'], ...problem }]);
  });

  test('plain data and good matchers pass', () => {
    expect(check({ q: { $any: true }, filter: { $gt: 5 }, list: [{ $type: 'string' }] })).toEqual([]);
  });
});

describe('compareToolCalls', () => {
  test('takes an invocation, and a least score for graded matches', () => {
    const actual = observed('x', [{ name: 'a' }, { name: 'b' }]);
    expect(compareToolCalls(actual, [{ name: 'a' }], { matchType: 'PRECISION', atLeast: 0.5 })).toEqual({ pass: true, score: 0.5, explanation: [] });
    expect(compareToolCalls(actual, [{ name: 'a' }])).toMatchObject({ pass: false, score: 0, explanation: ['expected  (no call)', 'actual    b()'] });
  });

  test('compares authors when asked', () => {
    const actual = observed('x', [{ name: 'a', author: 'root' }]);
    expect(compareToolCalls(actual, [{ name: 'a', author: 'helper' }])).toMatchObject({ pass: true });
    expect(compareToolCalls(actual, [{ name: 'a', author: 'helper' }], { compareAuthors: true }).explanation.at(-1)?.trim()).toBe('author: expected helper, got root');
  });
});

describe('matchResponse', () => {
  const actual = observed('The lamp is on');
  test.each<[expected: unknown, options: Parameters<typeof matchResponse>[2], pass: boolean]>([
    ['The lamp is on', {}, true],
    ['the lamp is on', {}, false],
    ['the lamp is on', { ignoreCase: true }, true],
    ['lamp', { mode: 'contains' }, true],
    [/LAMP/i, {}, true],
    ['l.mp', { mode: 'regex' }, true],
    ['the lamp is off', { mode: 'rouge', atLeast: 0.7 }, true],
    ['the lamp is off', { mode: 'rouge' }, false],
    [expect.stringContaining('lamp'), {}, true],
    [{ $regex: 'moon' }, {}, false],
  ])('%p with %j: %p', (expected, options, pass) => {
    expect(matchResponse(actual, expected, options).pass).toBe(pass);
  });

  test('a value is compared as JSON; nothing is an empty text', () => {
    expect(matchResponse('{"a":1}', { a: 1 }).pass).toBe(true);
    expect(matchResponse(undefined, 'x').explanation).toContain('actual    ""');
  });
});
