import { didYouMean, nearest } from '../../src/support/nearest';

const rows: readonly [name: string, known: readonly string[], expected: string | undefined][] = [
  ['tool_use', ['tool_uses', 'tool_responses'], 'tool_uses'],
  ['evalCases', ['eval_set_id', 'eval_cases'], 'eval_cases'],
  ['treshold', ['threshold', 'criteria'], 'threshold'],
  ['nope', ['home', 'away'], undefined],
  ['c3', ['c1', 'c2'], 'c1'],
  ['x', ['y'], undefined],
  ['dim_bedroom', ['dim_bedroom_lamp', 'other'], 'dim_bedroom_lamp'],
  ['modle', ['model', 'type'], 'model'],
  ['anything', [], undefined],
];

test.each(rows)('the nearest to %j among %j is %j', (name, known, expected) => {
  expect(nearest(name, known)).toBe(expected);
});

test('didYouMean is a sentence, or nothing', () => {
  expect(didYouMean('eval_case', ['eval_cases'])).toBe('Did you mean "eval_cases"?');
  expect(didYouMean('zzz', ['eval_cases'])).toBeUndefined();
});
