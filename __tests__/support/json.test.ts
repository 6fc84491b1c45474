import fc from 'fast-check';
import { JestAdkError } from '../../src/support/errors';
import { JsonFloat, floatText, parseJson, stringifyJson } from '../../src/support/json';

function problemsOf(text: string): string[] {
  try {
    parseJson(text, 'f.json');
  } catch (error) {
    if (error instanceof JestAdkError) return error.problems.map((p) => `${p.line}:${p.column} ${p.message}`);
    throw error;
  }
  return [];
}

describe('parseJson', () => {
  test.each<[string, unknown]>([
    ['{"a": [1, 2.5, "x", null, true]}', { a: [1, 2.5, 'x', null, true] }],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['{"a": -12345678901234567890, "b": "12345678901234567890"}', { a: -12345678901234567890n, b: '12345678901234567890' }],
    ['[0.12345678901234567890, 1e20, 12345678901234567890.0]', [0.12345678901234568, 1e20, 12345678901234567000]],
    ['[NaN, Infinity, -Infinity, 1e999]', [NaN, Infinity, -Infinity, Infinity]],
    ['{"k": 1, "k": 2}', { k: 2 }],
    ['"\\ud83c\\udf89"', '🎉'],
    ['["\ue000", "\\uE001", 12345678901234567890]', ['\ue000', '\ue001', 12345678901234567890n]],
    [`${'['.repeat(200)}${']'.repeat(200)}`, JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)],
  ])('reads %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('a key named __proto__ is data', () => {
    const value = parseJson('{"__proto__": 12345678901234567890}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe(12345678901234567890n);
  });

  test.each<[string, string[]]>([
    ['', ['1:1 Not JSON: the text is empty.']],
    ['{"a": 1,}', ['1:9 Not JSON: A key in double quotes is expected here. Is there a comma too many?']],
    ['{\n  "a" 1,\n  "b": [1 2]\n}', ['2:7 Not JSON: A ":" between key and value is missing.', '3:11 Not JSON: A "," is missing before this.']],
    ['{"a": NaN, "b": tru}', ['1:17 Not JSON: Unknown word; JSON knows texts in double quotes, numbers, true, false, null, lists and objects.']],
    ['"\\ud800"', ['1:2 Not JSON: A \\u escape of half a character stands without its other half.']],
    [`\n${'['.repeat(100_000)}`, ['2:201 Not JSON: Nested deeper than 200 levels.']],
    ['// hello\n1', ['1:1 Not JSON: JSON knows no comments.']],
  ])('refuses %j with its places', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('refuses what JSON.parse refuses, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.stringMatching(/^[[\]{},:"0-9a.e\\-]{0,12}$/)), (text) => {
        let refused = false;
        try {
          JSON.parse(text);
        } catch {
          refused = true;
        }
        const found = problemsOf(text);
        if (refused && !/NaN|Infinity/.test(text)) expect(found).not.toEqual([]);
        if (!refused && !/\\u[dD]/.test(text)) expect(found).toEqual([]);
      }),
    );
  });
});

describe('stringifyJson', () => {
  test.each<[unknown, string]>([
    [{ a: [], b: {}, c: undefined, d: [1] }, '{\n  "a": [],\n  "b": {},\n  "d": [\n    1\n  ]\n}'],
    [{ big: 12345678901234567890n, text: 'G86 日本語 "q"' }, '{\n  "big": 12345678901234567890,\n  "text": "G86 日本語 \\"q\\""\n}'],
    [[NaN, new JsonFloat(10), new JsonFloat(Infinity)], '[\n  null,\n  10.0,\n  null\n]'],
  ])('writes %#', (value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });

  test('writes what it reads', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(parseJson(stringifyJson(value))).toEqual(JSON.parse(JSON.stringify(value)))));
    fc.assert(fc.property(fc.bigInt(), (value) => expect(BigInt(parseJson(stringifyJson(value)) as bigint)).toBe(value)));
  });

  // Figures: what google-adk 2.13 writes for these timestamps.
  test.each([
    [0, '0.0'], [10, '10.0'], [1.5, '1.5'], [1e16, '1e+16'], [123456789012345678, '1.2345678901234568e+17'], [0.000015, '0.000015'], [1e-7, '1e-7'], [1e22, '1e+22'],
  ])('writes the float %p as %s', (value, text) => {
    expect(floatText(value)).toBe(text);
  });
});
