import { flatHeaders, headerPairs, headerRefusals, type HeaderPair } from '../../../src/target/http/headers';

test('an object may give several values of one name', () => {
  expect(headerPairs({ a: '1', b: ['2', '3'] })).toEqual([['a', '1'], ['b', '2'], ['b', '3']]);
});

test.each<[unknown, string]>([
  [['', 'x'], 'empty name'],
  [['a b', 'x'], '"a b" cannot be the name'],
  [['a:', 'x'], '"a:" cannot be the name'],
  [['ä', 'x'], '"ä" cannot be the name'],
  [['a\r\nb', 'x'], 'cannot be the name'],
  [['content-LENGTH', '3'], 'belongs to the connection'],
  [['Transfer-Encoding', 'chunked'], 'belongs to the connection'],
  [['x', 's3cret\r\nevil: 1'], 'The value of the header "x" contains a line break'],
  [['x', 's3crét'], 'not ASCII'],
  [['x', 's3cret\0'], 'not ASCII'],
  [['x'], 'no pair'],
  ['x: y', 'no pair'],
  [['x', 1], 'no pair'],
])('%j is refused, its value not shown', (pair, message) => {
  const [problem] = headerRefusals([pair as HeaderPair]);
  expect(problem?.message).toContain(message);
  expect(problem?.message).not.toContain('s3cr');
});

test('every header is looked at', () => {
  expect(headerRefusals([['', ''], ['ok', 'fine: 3, "x"'], ['b b', '']])).toHaveLength(2);
  expect(headerRefusals([['X-Empty', '']])).toEqual([]);
});

test('headers keep their order and repetition; ours give way', () => {
  expect(flatHeaders([['B', '1'], ['a', '2'], ['b', '3'], ['Content-Type', 'x/y']], [['host', 'h'], ['content-type', 'application/json']])).toEqual(['host', 'h', 'B', '1', 'a', '2', 'b', '3', 'Content-Type', 'x/y']);
});
