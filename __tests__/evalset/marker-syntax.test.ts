import fc from 'fast-check';
import { parseMarker } from '../../src/evalset/marker-syntax';

test.each<[text: string, file: string, variables: Record<string, string>]>([
  ['<prompt:a.txt>', 'a.txt', {}],
  ['  <prompt:a.txt NAME=Bo>\n', 'a.txt', { NAME: 'Bo' }],
  ['<prompt: a.txt\n  A=1\n  B=2 >', 'a.txt', { A: '1', B: '2' }],
  ['<prompt:"my file.txt" A="two words" B=\'it is "so"\'>', 'my file.txt', { A: 'two words', B: 'it is "so"' }],
  ['<prompt:a.txt "KEY=a b" \'L=c d\'>', 'a.txt', { KEY: 'a b', L: 'c d' }],
  ['<prompt:a.txt EMPTY= QUOTED="" EQ=a=b URL=http://x/?q=1>', 'a.txt', { EMPTY: '', QUOTED: '', EQ: 'a=b', URL: 'http://x/?q=1' }],
  ['<prompt:a.txt A=it\'s B=5" C=a\\b D=#1 E==">', 'a.txt', { A: "it's", B: '5"', C: 'a\\b', D: '#1', E: '="' }],
  ['<prompt:a.txt A=x="y B=2>', 'a.txt', { A: 'x="y', B: '2' }],
  ['<prompt:a.txt A="b"c>', 'a.txt', { A: 'bc' }],
  ['<prompt:a.txt A="x > y" B=1>2>', 'a.txt', { A: 'x > y', B: '1>2' }],
  ['<prompt:a.txt A=1 A=2>', 'a.txt', { A: '2' }],
  ['<prompt:日本.txt 名前=ボブ>', '日本.txt', { 名前: 'ボブ' }],
])('%j is a marker', (text, file, variables) => {
  const marker = parseMarker(text);
  expect(marker).toMatchObject({ file, problems: [] });
  expect(Object.fromEntries(marker?.variables ?? [])).toEqual(variables);
});

test.each(['', 'hello', 'see <prompt:a.txt>', '<prompt:a.txt> please', '<prompt:a> and <prompt:b>', '<prompt:a.txt', '<prompt:a.txt A="x', '<Prompt:a.txt>', '<prompt a.txt>'])(
  '%j is an ordinary text', (text) => expect(parseMarker(text)).toBeUndefined(),
);

test.each([
  ['<prompt:>', ['marker_without_file']],
  ['<prompt:  >', ['marker_without_file']],
  ['<prompt:"">', ['marker_without_file']],
  ['<prompt:a.txt NAME =x =y>', ['marker_pair', 'marker_pair', 'marker_pair']],
  ['<prompt:a.txt A="x>', ['marker_quote']],
  ["<prompt:'a.txt>", ['marker_quote']],
])('%j is a broken marker: %j', (text, codes) => {
  expect(parseMarker(text)?.problems.map((problem) => problem.code)).toEqual(codes);
});

test('what is quoted comes back as it was', () => {
  const value = fc.string({ unit: 'binary' }).filter((text) => !text.includes('"'));
  fc.assert(fc.property(fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), value), (variables) => {
    const pairs = Object.entries(variables).map(([key, text]) => ` ${key}="${text}"`).join('');
    const marker = parseMarker(`<prompt:a.txt${pairs}>`);
    expect(marker?.problems).toEqual([]);
    expect(new Map(Object.entries(variables))).toEqual(marker?.variables);
  }));
});

test('no text makes the reader throw, and only whole markers are taken', () => {
  const junk = fc.array(fc.constantFrom('<prompt:', '>', '"', "'", '=', ' ', '\n', 'a', '\\', '#', '$'), { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(junk, (text) => {
    const marker = parseMarker(text);
    if (marker !== undefined) expect(text.trim()).toMatch(/^<prompt:[^]*>$/);
  }), { numRuns: 500 });
});
