import { rouge1 } from '../../src/metrics/rouge';
import { tokenize } from '../../src/metrics/tokenizers';
import { golden } from './support';

interface Expected {
  readonly precision: number;
  readonly recall: number;
  readonly fmeasure: number;
  readonly candidate_tokens: readonly string[];
  readonly reference_tokens: readonly string[];
}

describe('rouge1 agrees with the reference to the last bit', () => {
  test.each(golden<{ candidate: string; reference: string }, Expected>('rouge').map((item) => [item.name, item] as const))('%s', (_name, { input, expected }) => {
    const { candidateTokens, referenceTokens, ...figures } = rouge1(input.candidate, input.reference);
    expect({ ...figures, candidate_tokens: candidateTokens, reference_tokens: referenceTokens }).toEqual(expected);
  });
});

test.each(golden<{ words: string[] }, { tokens: string[][] }>('stem').map((item) => [item.name, item] as const))('stems as the reference: %s', (_name, { input, expected }) => {
  expect(input.words.map((word) => tokenize(word))).toEqual(expected.tokens);
});

test.each([
  ['ponies and ties', ['poni', 'and', 'tie']],
  ['enjoy happy spy', ['enjoy', 'happi', 'spy']],
  ['3.14 café ÉCOLE snake_case', ['3', '14', 'café', 'école', 'snake', 'case']],
  ['', []],
])('rouge tokens of %j', (text, tokens) => {
  expect(tokenize(text)).toEqual(tokens);
});

describe('B20 Japanese', () => {
  test('blanks between words count with the whitespace tokenizer', () => {
    const { precision, recall, fmeasure } = rouge1('これ は テスト 候補 の 応答', 'これ は テスト の 正解', 'whitespace');
    expect([precision, recall, fmeasure].map((figure) => figure.toFixed(3))).toEqual(['0.667', '0.800', '0.727']);
  });

  test('words are found without blanks by the unicode tokenizer', () => {
    const { fmeasure, candidateTokens } = rouge1('これはテスト候補の応答', 'これはテストの正解', 'unicode', 'ja');
    expect(candidateTokens).toEqual(expect.arrayContaining(['これ', 'テスト']));
    expect(fmeasure).toBeGreaterThan(0.5);
    expect(fmeasure).toBeLessThan(1);
  });
});

test('B21 Thai that is equal in part scores between 0 and 1', () => {
  expect(rouge1('สวัสดี คุณ สบายดี ไหม วันนี้', 'สวัสดี คุณ อากาศ เป็น อย่างไร', 'whitespace').fmeasure).toBeCloseTo(0.4, 12);
  const unspaced = rouge1('สวัสดีคุณสบายดีไหมวันนี้', 'สวัสดีคุณอากาศเป็นอย่างไร', 'unicode', 'th').fmeasure;
  expect(unspaced).toBeGreaterThan(0);
  expect(unspaced).toBeLessThan(1);
});

test('characters compares letter by letter and leaves punctuation out', () => {
  expect(tokenize('A-b, é!', 'characters')).toEqual(['a', 'b', 'é']);
});
