import { findJson } from '../../src/judge/json-answer';

const score = (text: string): unknown => findJson(text, ({ score: found }) => found);

test.each([
  ['alone', '{"score": 1}'],
  ['in a fence', 'Here it is:\n```json\n{"score": 1}\n```\nBye.'],
  ['in a fence without a name, indented', '  ```\n{\n "score": 1\n}\n  ```'],
  ['after prose', 'I think {it} is fine. {"score": 1} That is all.'],
  ['after an object of something else', '{"reasoning": "a {brace}"} {"score": 1}'],
  ['with braces and quotes in texts', '{"why": "a } and \\" {", "score": 1}'],
])('finds an object %s', (_name, text) => {
  expect(score(text)).toBe(1);
});

test.each([['nothing', ''], ['prose', 'yes'], ['a cut-off object', '{"score": 1'], ['a list', '[1]'], ['no such field', '{"points": 1}']])('finds none in %s', (_name, text) => {
  expect(score(text)).toBeUndefined();
});
