import { bodyExcerpt, bodyWords } from '../../../src/target/http/excerpt';

test.each([
  ['', ''],
  ['Internal Server Error', 'Internal Server Error'],
  ['{"detail":"Session not found"}', 'Session not found'],
  ['{"error":"Session not found: 7"}', 'Session not found: 7'],
  ['{"error":{"code":400,"message":"API key not valid"}}', 'API key not valid'],
  ['{"error":"RuntimeError: x","error_details":"while it ran"}', 'RuntimeError: x (while it ran)'],
  ['{"message":"no"}', 'no'],
  ['{"detail":[{"loc":["body","userId"],"msg":"Field required","type":"missing"},{"loc":["body",0],"msg":"JSON decode error"}]}', 'body.userId: Field required; body.0: JSON decode error'],
  ['{"errors":["one","two"]}', 'one; two'],
  ['{"a":1}', '{"a":1}'],
  ['"just a text"', 'just a text'],
  ['{"detail": "cut', '{"detail": "cut'],
  ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>a{}</style></head><body><h1>502</h1>\n<p>nginx &amp; co</p></body></html>', '502 Bad Gateway 502 nginx & co'],
  ['<pre>SyntaxError</pre>', 'SyntaxError'],
  ['two\nlines\t\u001b[31mred', 'two lines [31mred'],
])('the words of %j', (body, words) => {
  expect(bodyWords(body)).toBe(words);
});

test('a long body is cut', () => {
  expect(bodyWords('x'.repeat(10_000))).toHaveLength(300);
  expect(bodyWords(`<p>${'x '.repeat(100_000)}`).length).toBeLessThanOrEqual(300);
});

test.each([['', 'nothing'], ['  ', 'nothing'], ['<html>', '"<html>"'], ['a\n"b"', '"a \\"b\\""']])('the beginning of %j', (body, excerpt) => {
  expect(bodyExcerpt(body)).toBe(excerpt);
});
