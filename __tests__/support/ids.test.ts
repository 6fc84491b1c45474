import fc from 'fast-check';
import { basename, win32 } from 'node:path';
import { adkResultName, checkNewEvalSetId, checkPathSegment, isSafeSegment, safeFileName } from '../../src/support/ids';
import { defaultProfile, googleAdkProfile } from '../../src/support/profile';
import golden from '../fixtures/golden/core/ids.json';

test.each(golden.cases.map((row) => [row.name, row] as const))('%s', (_name, { input, expected }) => {
  const check = () => (input.kind === 'path_segment' ? checkPathSegment(input.value, 'id') : checkNewEvalSetId(input.value, googleAdkProfile));
  if (expected.ok) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'unsafe_id' }));
});

test('a new eval set may have any id that can be read back, unless compatibility is asked for', () => {
  expect(() => checkNewEvalSetId('a-b.c', defaultProfile)).not.toThrow();
  expect(() => checkNewEvalSetId('a-b.c', googleAdkProfile)).toThrow(/ASCII letters/);
  expect(() => checkNewEvalSetId('../x', defaultProfile)).toThrow(/cannot be used as a file name/);
});

test.each([
  ['home', 'home'],
  ['../../etc/x', '.._.._etc_x'],
  ['..', '__'],
  ['', '_'],
  ['C:\\sets\\a', 'C__sets_a'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  ['com1', '_com1'],
  ['console', 'console'],
  ['ends with dots..', 'ends with dots__'],
  ['ends with a blank ', 'ends with a blank_'],
  ['a\u0000b\nc', 'a_b_c'],
  ['日本語 🎉', '日本語 🎉'],
  ['half \ud83c surrogate', 'half _ surrogate'],
])('safeFileName(%j) is %j', (text, name) => {
  expect(safeFileName(text)).toBe(name);
});

test('G84 whatever the id, the file name stays one segment on every platform and fits', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
    const name = safeFileName(text);
    expect(isSafeSegment(name)).toBe(true);
    expect(basename(name)).toBe(name);
    expect(win32.basename(name)).toBe(name);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(182);
    expect(safeFileName(name)).toBe(name);
  }));
});

test('names that were cut stay apart', () => {
  const [one, two] = ['1', '2'].map((end) => safeFileName('é'.repeat(300) + end));
  expect(one).not.toBe(two);
  expect(Buffer.byteLength(one as string)).toBeLessThanOrEqual(180);
});

test('google-adk names a result after app, set and time', () => {
  expect(adkResultName('app', 'dir/set', 1.5)).toEqual({ id: 'app_dir/set_1.5', name: 'app_dir_set_1.5', file: 'app_dir_set_1.5.evalset_result.json' });
});
