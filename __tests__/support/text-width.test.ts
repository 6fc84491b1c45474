import { displayWidth, padEndTo, padStartTo, printable, truncateTo, wrapTo } from '../../src/support/text-width';

describe('text widths', () => {
  test.each([
    ['abc', 3],
    ['日本語', 6],
    ['e\u0301', 1],
    ['\u001b[31mred\u001b[39m', 3],
    ['✗', 1],
    ['', 0],
  ])('%j takes the columns a terminal gives it', (text, width) => expect(displayWidth(text)).toBe(width));

  test('pads by columns', () => {
    expect(padEndTo('日本', 6)).toBe('日本  ');
    expect(padStartTo('日本', 6)).toBe('  日本');
    expect(padEndTo('longer', 3)).toBe('longer');
  });

  test.each([
    ['short', 10, 'short'],
    ['a longer text', 8, 'a longe…'],
    ['日本語テスト', 6, '日本…'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('%j in %i columns', (text, width, cut) => expect(truncateTo(text, width)).toBe(cut));

  test('wraps at blanks and never cuts a path', () => {
    expect(wrapTo('one two three\n/a/very/long/path x', 8)).toEqual(['one two', 'three', '/a/very/long/path', 'x']);
  });

  test('shows control characters instead of obeying them', () => {
    expect(printable('a\u001b[2Jb\n\nc\u202e')).toBe('a\\u001b[2Jb c\\u202e');
  });
});
