import { observed, python, score, turn } from './support';

const criterion = { threshold: 0.8 };

test('C44 the reference is really used: replacing it drops the score to 0', async () => {
  const good = await score('response_match_score', criterion, { actual: [observed('the lamp is on')], expected: [turn('the lamp is on')] });
  const bad = await score('response_match_score', criterion, { actual: [observed('the lamp is on')], expected: [turn('zzz')] });
  expect([good.score, good.status]).toEqual([1, 'passed']);
  expect([bad.score, bad.status]).toEqual([0, 'failed']);
});

test.each([
  ['Paris', 'default', 1],
  ['Rome', 'default', 0],
  ['Paris', 'google-adk', 0.5],
] as const)('B22 thoughts are no answer: reference %s, %s profile', async (reference, profile, expected) => {
  const finalResponse = { parts: [{ text: 'maybe Rome', thought: true }, { text: 'Paris' }] };
  const input = { actual: [observed('', [], { finalResponse })], expected: [turn(reference)] };
  const result = await score('response_match_score', criterion, input, profile === 'default' ? {} : { profile: python });
  expect(result.score).toBeCloseTo(expected, 12);
});

test('B30 a turn whose reference has no text is skipped with a reason, and the mean covers the others', async () => {
  const noText = { ...turn(), finalResponse: { parts: [{}], role: 'model' } };
  const result = await score('response_match_score', criterion, { actual: [observed('null'), observed('yes')], expected: [noText, turn('yes')] });
  expect(result).toMatchObject({ score: 1, status: 'passed', perInvocation: [{ score: null, status: 'not_evaluated', reason: expect.stringMatching(/^No expectation/) }, { score: 1 }] });
});

test('a case without any reference is not evaluated, with the reason; google-adk scores it 0', async () => {
  const input = { actual: [observed('hi')], expected: [turn()] };
  expect(await score('response_match_score', criterion, input)).toMatchObject({ score: null, status: 'not_evaluated', reason: expect.stringMatching(/^No expectation/) });
  expect(await score('response_match_score', criterion, input, { profile: python })).toMatchObject({ score: 0, status: 'failed' });
});

test('an unanswered turn scores 0 and says so', async () => {
  const result = await score('response_match_score', criterion, { actual: [observed(undefined)], expected: [turn('hello')] });
  expect(result.perInvocation).toEqual([
    { score: 0, status: 'failed', explanation: ['no final response: the turn was unanswered (no events and no error)', 'expected  "hello"'] },
  ]);
});

test('F80 a turn with an error and one that was not run make the metric an error; the mean never covers fewer turns', async () => {
  const failed = observed(undefined, [], { outcome: 'error', error: { code: 'error', message: '503' } });
  const notRun = observed(undefined, [], { outcome: 'not_run' });
  const result = await score('response_match_score', criterion, { actual: [observed('a'), failed, notRun], expected: [turn('a'), turn('b'), turn('c')] });
  expect(result).toMatchObject({ score: null, status: 'error', reason: '2 of 3 turns could not be scored. The agent failed: 503' });
  expect(result.perInvocation.map((item) => item.status)).toEqual(['passed', 'error', 'error']);
});

test('a mean a hair below the threshold passes, except under google-adk', async () => {
  const seven = 'a1 b1 c1 d1 e1 f1 g1 x1 y1 z1';
  const input = { actual: Array.from({ length: 3 }, () => observed(seven)), expected: Array.from({ length: 3 }, () => turn('a1 b1 c1 d1 e1 f1 g1 h1 i1 j1')) };
  expect(await score('response_match_score', { threshold: 0.7 }, input)).toMatchObject({ score: 0.6999999999999998, status: 'passed' });
  expect(await score('response_match_score', { threshold: 0.7 }, input, { profile: python })).toMatchObject({ status: 'failed' });
});

test('a null threshold records without judging', async () => {
  const result = await score('response_match_score', { threshold: null }, { actual: [observed('a')], expected: [turn('b')] });
  expect(result).toMatchObject({ score: 0, status: 'informational', perInvocation: [{ score: 0, status: 'informational' }] });
});

test('final_response_from chooses an author, and says when that author gave no answer', async () => {
  const responses = [
    { author: 'A', content: { parts: [{ text: 'draft' }] } },
    { author: 'B', content: { parts: [{ text: 'final' }] } },
  ];
  const input = { actual: [observed('final', [], { responses })], expected: [turn('draft')] };
  expect(await score('response_match_score', { threshold: 1, final_response_from: 'A' }, input)).toMatchObject({ score: 1 });
  expect(await score('response_match_score', criterion, input, { selection: { finalResponseFrom: 'A' } })).toMatchObject({ score: 1 });
  const missing = await score('response_match_score', { threshold: 1, finalResponseFrom: 'C' }, input);
  expect(missing.perInvocation[0]?.explanation?.[0]).toBe('no final response from C');
});

test('the explanation shows both texts and the words that differ', async () => {
  const result = await score('response_match_score', criterion, { actual: [observed('the lamp is off')], expected: [turn('the lamp is on')] });
  expect(result.perInvocation[0]?.explanation).toEqual([
    'expected  "the lamp is on"',
    'actual    "the lamp is off"',
    'precision 0.75, recall 0.75, F 0.75',
    'missing   on',
    'extra     off',
  ]);
});

test('tokenizer is a field of the criterion; a wrong name and a misspelt key are refused together', async () => {
  const input = { actual: [observed('これ は 候補')], expected: [turn('これ は 正解')] };
  expect((await score('response_match_score', { threshold: 0.5, tokenizer: 'whitespace' }, input)).score).toBeCloseTo(2 / 3, 12);
  await expect(score('response_match_score', { threshold: 0.5, tokenizer: 'words', tokeniser: 'x' }, input)).rejects.toMatchObject({
    code: 'bad_criterion',
    problems: [
      { path: ['tokenizer'], hint: 'It takes one of rouge, unicode, characters, whitespace.' },
      { path: ['tokeniser'], hint: 'Did you mean "tokenizer"?' },
    ],
  });
  expect((await score('response_match_score', { threshold: 0.5, tokenizer: 'words' }, input, { profile: python })).score).toBeGreaterThan(0);
});
