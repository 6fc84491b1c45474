import type { Criterion } from '../../src/config/types';
import type { FunctionCall } from '../../src/evalset/types';
import { match, $any } from '../../src/metrics/matchers';
import type { ObservedToolCall } from '../../src/inference/types';
import { observed, python, score, turn, type Scored } from './support';

const name = 'tool_trajectory_avg_score';

/** One turn: what was called, what was expected. */
function trajectory(actual: readonly Partial<ObservedToolCall>[], expected: readonly FunctionCall[], criterion: Partial<Criterion> = {}, more: Parameters<typeof score>[3] = {}): Promise<Scored> {
  return score(name, { threshold: 1, ...criterion }, { actual: [observed('ok', actual)], expected: [turn('ok', expected)] }, more);
}

const lines = (result: Scored): readonly string[] => result.perInvocation[0]?.explanation ?? [];

test('A2 call ids are never compared, required or shown', async () => {
  const expected = [{ name: 'transfer_to_agent', args: { agent_name: 'journal_agent' } }];
  expect((await trajectory([{ ...expected[0]!, id: 'adk-1f2' }], expected)).score).toBe(1);
  const other = await trajectory([{ name: 'transfer_to_agent', args: { agent_name: 'other' }, id: 'adk-1f2' }], expected);
  expect(lines(other).join('\n')).not.toContain('adk-1f2');
});

describe('the argument of transfer_to_agent, which the two SDKs spell agent_name and agentName', () => {
  const transfer = (args: Record<string, string>): { name: string; args: Record<string, string> } => ({ name: 'transfer_to_agent', args });
  test.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['written for Python, sent by TypeScript', { agentName: 'billing' }, { agent_name: 'billing' }, 1],
    ['written for TypeScript, sent by Python', { agent_name: 'billing' }, { agentName: 'billing' }, 1],
    ['another agent', { agentName: 'support' }, { agent_name: 'billing' }, 0],
    ['both spellings sent', { agentName: 'billing', agent_name: 'billing' }, { agent_name: 'billing' }, 0],
    ['something more', { agentName: 'billing', why: 'x' }, { agent_name: 'billing' }, 0],
  ])('%s', async (_name, actual, expected, wanted) => {
    expect((await trajectory([transfer(actual)], [transfer(expected)])).score).toBe(wanted);
  });

  test('is shown as the agent sent it', async () => {
    expect(lines(await trajectory([transfer({ agentName: 'support' })], [transfer({ agent_name: 'billing' })]))).toEqual([
      'expected  transfer_to_agent({ agentName: "billing" })',
      'actual    transfer_to_agent({ agentName: "support" })',
      '                              ~~~~~~~~~~~~~~~~~~~~ agentName: expected "billing", got "support"',
    ]);
  });

  test('counts once for ARGUMENTS, and may be a matcher', async () => {
    expect((await trajectory([transfer({ agentName: 'billing', why: 'x' })], [transfer({ agent_name: 'billing', why: 'y' })], { match_type: 'ARGUMENTS' })).score).toBe(0.5);
    expect((await trajectory([transfer({ agentName: 'billing' })], [{ name: 'transfer_to_agent', args: { agent_name: { $any: true } } }])).score).toBe(1);
  });

  test('differs in other tools, and under google-adk', async () => {
    expect((await trajectory([{ name: 'assign', args: { agentName: 'a' } }], [{ name: 'assign', args: { agent_name: 'a' } }])).score).toBe(0);
    const result = await score(name, { threshold: 1 }, { actual: [turn('ok', [transfer({ agentName: 'a' })])], expected: [turn('ok', [transfer({ agent_name: 'a' })])] }, { profile: python });
    expect(result.score).toBe(0);
  });
});

test.each([
  [true, 1],
  [false, 0],
])('A4 ignore_args: %s', async (ignoreArgs, expected) => {
  const actual = [{ name: 'A', args: { x: 9 } }, { name: 'C', args: {} }, { name: 'B', args: {} }];
  const wanted = [{ name: 'A', args: { x: 1 } }, { name: 'B', args: { y: 2 } }];
  expect((await trajectory(actual, wanted, { match_type: 'IN_ORDER', ignore_args: ignoreArgs })).score).toBe(expected);
});

test('A5 rules per argument: patterns, tolerance and a subset of the arguments', async () => {
  const expected = [{ name: 'f', args: { q: match.regex('/rain/i'), n: match.closeTo(1, 0.1) } }];
  const subset = { args_mode: 'subset' };
  expect((await trajectory([{ name: 'f', args: { q: 'Heavy RAIN', n: 0.95, extra: true } }], expected, subset)).score).toBe(1);
  const missed = await trajectory([{ name: 'f', args: { q: 'Heavy RAIN', n: 1.2, extra: true } }], expected, subset);
  expect(missed.score).toBe(0);
  expect(lines(missed).at(-1)).toMatch(/~+ n: expected 1 ± 0.1, got 1.2$/);
});

describe('A6 wildcards', () => {
  const expected = [{ name: 'f', args: { device_id: 'device_2', location: { $any: true } } }];

  test('a matcher in the data accepts any location, and asks for one', async () => {
    expect((await trajectory([{ name: 'f', args: { device_id: 'device_2', location: 'Living Room' } }], expected)).score).toBe(1);
    const missing = await trajectory([{ name: 'f', args: { device_id: 'device_2' } }], expected);
    expect(lines(missing).at(-1)).toContain('location: missing, expected anything');
  });

  test.each([
    ['Paris', {}, 0],
    ['ANY', {}, 1],
    ['Paris', { any_string: 'ANY' }, 1],
  ])('the text "ANY" against %j with %j gives %d', async (city, criterion, wanted) => {
    expect((await trajectory([{ name: 'f', args: { city } }], [{ name: 'f', args: { city: 'ANY' } }], criterion)).score).toBe(wanted);
  });

  test('under google-adk a matcher in the data is data', async () => {
    const actual = [{ name: 'f', args: { device_id: 'device_2', location: 'Kitchen' } }];
    const result = await score(name, { threshold: 1 }, { actual: [turn('ok', actual)], expected: [turn('ok', expected)] }, { profile: python });
    expect(result.score).toBe(0);
  });
});

test('A8 the share of equal arguments, with the one that differs named', async () => {
  const result = await trajectory([{ name: 'f', args: { a: 1, b: 2, c: 4 } }], [{ name: 'f', args: { a: 1, b: 2, c: 3 } }], { match_type: 'ARGUMENTS' });
  expect(result.score).toBeCloseTo(0.667, 3);
  expect(lines(result).at(-1)).toContain('c: expected 3, got 4');
});

describe('A9 numbers', () => {
  test('1.0 in a file equals 1', async () => {
    expect((await trajectory([{ name: 'f', args: { n: 1 } }], [{ name: 'f', args: { n: JSON.parse('1.0') as number } }])).score).toBe(1);
  });

  test('a text is no number, and the difference says so', async () => {
    const result = await trajectory([{ name: 'f', args: { n: '1' } }], [{ name: 'f', args: { n: 1 } }]);
    expect(lines(result).at(-1)).toContain('n: expected 1, got "1" (string vs number)');
  });

  test('true is not 1, a warning tells that Python disagrees, and strict_types: false follows Python', async () => {
    const call = [{ name: 'f', args: { n: true } }];
    const strict = await trajectory(call, [{ name: 'f', args: { n: 1 } }]);
    expect([strict.score, strict.warnings.length]).toEqual([0, 1]);
    const lenient = await trajectory(call, [{ name: 'f', args: { n: 1 } }], { strict_types: false });
    expect([lenient.score, lenient.warnings.length]).toEqual([1, 1]);
  });

  test('big integers are exact', async () => {
    expect((await trajectory([{ name: 'f', args: { n: 2 ** 53 } }], [{ name: 'f', args: { n: 9007199254740993n } }])).score).toBe(0);
    expect((await trajectory([{ name: 'f', args: { n: 1 } }], [{ name: 'f', args: { n: 1n } }])).score).toBe(1);
  });
});

test('A13 ignored tools are left out on both sides', async () => {
  const actual = [{ name: 'transfer_to_agent' }, { name: 'search' }, { name: 'set_model_response' }];
  const ignored = ['transfer_to_agent', 'set_model_response'];
  expect((await trajectory(actual, [{ name: 'search' }], { ignore_tools: ignored })).score).toBe(1);
  expect((await trajectory(actual, [{ name: 'search' }], {}, { selection: { ignoreTools: ignored } })).score).toBe(1);
  expect((await trajectory(actual, [{ name: 'search' }])).score).toBe(0);
});

test.each([
  [[0, 0], 1],
  [[0, 1], 0],
])('A14 parallel calls in events %j with parallel_unordered score %d', async (groups, wanted) => {
  const actual = [{ name: 'B', group: groups[0]! }, { name: 'A', group: groups[1]! }];
  expect((await trajectory(actual, [{ name: 'A' }, { name: 'B' }], { parallelUnordered: true })).score).toBe(wanted);
  expect((await trajectory(actual, [{ name: 'A' }, { name: 'B' }])).score).toBe(0);
});

describe('A17 forbidden tools and numbers of calls', () => {
  const two = (...second: Partial<ObservedToolCall>[]): Parameters<typeof score>[2] => ({
    actual: [observed('ok', [{ name: 'search' }]), observed('ok', second)],
    expected: [turn('ok'), turn('ok')],
  });

  test.each([
    ['forbidden_tools', { forbidden_tools: ['delete_all'] }, two({ name: 'delete_all' }), 'turn 2 called forbidden tool delete_all'],
    ['forbidden_tools, nested', { forbidden_tools: ['delete_all'] }, two({ name: 'delete_all', nestedIn: 'helper' }), 'turn 2 called forbidden tool delete_all'],
    ['max_calls', { max_calls: { search: 2 } }, two({ name: 'search' }, { name: 'search' }), 'turn 2 made call 3 of search; max_calls allows 2'],
    ['min_calls', { minCalls: { search: 2 } }, two(), 'search was called 1 times in all; min_calls asks for 2'],
  ])('%s', async (_field, rule, input, text) => {
    const result = await score(name, { threshold: 0.5, match_type: 'ANY_ORDER', ...rule }, input);
    expect(result).toMatchObject({ score: 0, status: 'failed' });
    expect(result.perInvocation[1]?.explanation).toEqual([text]);
  });

  test('kept rules leave the score alone', async () => {
    const result = await score(name, { threshold: 1, match_type: 'ANY_ORDER', forbidden_tools: 'delete_all', max_calls: { search: 1 }, min_calls: { search: 1 } }, two());
    expect(result).toMatchObject({ score: 1, status: 'passed', warnings: [] });
  });
});

describe('graded scores', () => {
  const call = (n: string): { name: string } => ({ name: n });
  test.each([
    ['PRECISION', ['a', 'b', 'x', 'y'], ['b', 'a', 'c'], 2 / 4],
    ['RECALL', ['a', 'b', 'x', 'y'], ['b', 'a', 'c'], 2 / 3],
    ['f1', ['a', 'b', 'x', 'y'], ['b', 'a', 'c'], 4 / 7],
    ['PRECISION', [], ['a'], 0],
    ['RECALL', ['a'], [], 1],
    ['F1', [], [], 1],
    ['ARGUMENTS', ['a', 'x'], ['a'], 1 / 2],
    ['ARGUMENTS', [], [], 1],
  ])('%s of %j against %j is %d', async (matchType, actual, expected, wanted) => {
    expect((await trajectory(actual.map(call), expected.map(call), { match_type: matchType })).score).toBeCloseTo(wanted, 12);
  });

  test('the pairing is the best one, not the first: a matcher does not take the call that another needs', async () => {
    const expected = [{ name: 'f', args: { x: $any } }, { name: 'f', args: { x: 1 } }];
    const actual = [{ name: 'f', args: { x: 1 } }, { name: 'f', args: { x: 2 } }];
    for (const match_type of ['ANY_ORDER', 'F1', 'ARGUMENTS']) expect((await trajectory(actual, expected, { match_type })).score).toBe(1);
  });
});

test('nested calls count when asked for', async () => {
  const actual = [{ name: 'math' }, { name: 'add', nestedIn: 'math', author: 'math' }];
  expect((await trajectory(actual, [{ name: 'math' }])).score).toBe(1);
  expect((await trajectory(actual, [{ name: 'math' }, { name: 'add' }], { nested_tools: true })).score).toBe(1);
  expect((await trajectory(actual, [{ name: 'math' }, { name: 'add' }], {}, { selection: { nestedTools: true } })).score).toBe(1);
});

test('only calls of the named authors count', async () => {
  const actual = [{ name: 'a', author: 'root' }, { name: 'b', author: 'helper' }];
  expect((await trajectory(actual, [{ name: 'b' }], { authors: ['helper'] })).score).toBe(1);
});

test('a Jest matcher in an expected argument decides', async () => {
  const args = { q: expect.stringContaining('rain') as string, deep: expect.objectContaining({ a: 1 }) as Record<string, number> };
  expect((await trajectory([{ name: 'f', args: { q: 'heavy rain', deep: { a: 1, b: 2 } } }], [{ name: 'f', args }])).score).toBe(1);
  const missed = await trajectory([{ name: 'f', args: { q: 'sun', deep: { a: 1 } } }], [{ name: 'f', args }]);
  expect(lines(missed).at(-1)).toContain('q: expected StringContaining "rain", got "sun"');
});

test.each([
  ['no args', undefined, {}, {}, 0],
  ['no args with absent_equals_empty', undefined, {}, { absent_equals_empty: true }, 1],
  ['subset', { a: 1, b: 2 }, { a: 1 }, { args_mode: 'subset' }, 1],
  ['subset at depth', { o: { a: 1, b: 2 } }, { o: { a: 1 } }, { args_mode: 'subset' }, 1],
  ['superset', { a: 1 }, { a: 1, b: 2 }, { args_mode: 'superset' }, 1],
  ['superset, unknown argument', { c: 1 }, { a: 1 }, { args_mode: 'superset' }, 0],
])('%s', async (_name, actual, expected, criterion, wanted) => {
  expect((await trajectory([{ name: 'f', ...(actual === undefined ? {} : { args: actual }) }], [{ name: 'f', args: expected }], criterion)).score).toBe(wanted);
});

describe('explanations', () => {
  test('the argument that differs is underlined and named', async () => {
    const result = await trajectory([{ name: 'set_brightness', args: { room: 'bedroom', level: 0.3 } }], [{ name: 'set_brightness', args: { room: 'bedroom', level: 30 } }]);
    expect(lines(result)).toEqual([
      'expected  set_brightness({ room: "bedroom", level: 30 })',
      'actual    set_brightness({ room: "bedroom", level: 0.3 })',
      '                                            ~~~~~~~~~~ level: expected 30, got 0.3',
    ]);
  });

  test('calls that agree are left out; a missing and an unexpected call are shown', async () => {
    const result = await trajectory([{ name: 'a' }, { name: 'c' }, { name: 'd' }], [{ name: 'a' }, { name: 'b' }]);
    expect(lines(result)).toEqual(['expected  b()', 'actual    c()', 'expected  (no call)', 'actual    d()']);
  });

  test('another order is said in one line', async () => {
    const result = await trajectory([{ name: 'b' }, { name: 'a' }], [{ name: 'a' }, { name: 'b' }]);
    expect(lines(result)).toEqual(['same calls in another order', 'expected  a → b', 'actual    b → a']);
  });

  test('long data is elided and arguments that agree make room', async () => {
    const image = 'A'.repeat(5000);
    const actual = [{ name: 'upload', args: { note: 'the same note for both sides of this comparison', image, page: 2 } }];
    const result = await trajectory(actual, [{ name: 'upload', args: { note: 'the same note for both sides of this comparison', image, page: 1 } }]);
    expect(lines(result)).toEqual(['expected  upload({ page: 1, … })', 'actual    upload({ page: 2, … })', '                   ~~~~~~~ page: expected 1, got 2']);
    expect(lines(await trajectory([], [{ name: 'upload', args: { image } }])).join('\n').length).toBeLessThan(200);
  });

  test('many calls are explained by their first differences', async () => {
    const calls = (level: number): FunctionCall[] => Array.from({ length: 400 }, (_item, index) => ({ name: 'f', args: { index, level } }));
    const result = lines(await trajectory(calls(1) as ObservedToolCall[], calls(2)));
    expect(result).toHaveLength(13);
    expect(result.at(-1)).toBe('… and 396 more calls that differ');
  });

  test('an unanswered turn says so', async () => {
    const result = await score(name, { threshold: 1 }, { actual: [observed(undefined)], expected: [turn('ok', [{ name: 'a' }])] });
    expect(result.perInvocation[0]?.explanation).toEqual(['the turn was unanswered: no events and no error', 'expected  a()', 'actual    (no call)']);
  });
});

test('an expectation that asserts nothing is mentioned', async () => {
  expect((await trajectory([{ name: 'a' }], [], { match_type: 'IN_ORDER' })).warnings).toEqual([`${name}: no turn expects a call, so IN_ORDER asserts nothing. EXACT allows no calls.`]);
  expect((await trajectory([], [])).warnings).toEqual([]);
});

describe('criteria', () => {
  const make = (criterion: Partial<Criterion>, profile?: typeof python): Promise<Scored> => trajectory([], [], criterion, profile === undefined ? {} : { profile });

  test('every bad field is reported at once', async () => {
    await expect(make({ match_type: 'SOME', ignoreArgs: 'maybe', max_calls: { a: -1 }, ignore_arg: true })).rejects.toMatchObject({
      code: 'bad_criterion',
      problems: [
        { path: ['match_type'], hint: 'It takes one of EXACT, IN_ORDER, ANY_ORDER, PRECISION, RECALL, F1, ARGUMENTS.' },
        { path: ['ignoreArgs'] },
        { path: ['max_calls'] },
        { path: ['ignore_arg'], hint: 'Did you mean "ignore_args"?' },
      ],
    });
  });

  test('graded scores are refused under google-adk, and unknown keys are data there', async () => {
    await expect(make({ match_type: 'F1' }, python)).rejects.toMatchObject({ code: 'bad_criterion' });
    await expect(make({ ignore_arg: true, args_mode: 5 }, python)).resolves.toMatchObject({ score: 1 });
  });

  test('one field in two spellings is refused', async () => {
    await expect(make({ match_type: 'EXACT', matchType: 'EXACT' })).rejects.toMatchObject({ problems: [{ message: 'Both match_type and matchType are given.' }] });
  });
});
