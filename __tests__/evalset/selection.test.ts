import fc from 'fast-check';
import { parseSelections, selectCases, selectionConfigFile } from '../../src/evalset/selection';
import type { EvalSet } from '../../src/evalset/types';
import { defaultProfile, googleAdkProfile } from '../../src/support/profile';
import golden from '../fixtures/golden/core/selection.json';

test.each(golden.cases.map((row) => [row.name, row] as const))('google-adk: %s', (_name, { input, expected }) => {
  const exists = (path: string) => (input.existing as string[]).includes(path);
  const selections = parseSelections(input.args, googleAdkProfile, exists);
  expect(selections.map(({ path, caseIds }) => [path, caseIds])).toEqual(expected.selection);
  expect(selectionConfigFile(selections, exists) ?? null).toBe(expected.config_file);
});

test.each([
  ['a.json', 'a.json', []],
  ['a.json:x,y', 'a.json', ['x', 'y']],
  ['./a:case_1, case_2', './a', ['case_1', 'case_2']],
  ['C:\\tmp\\a.evalset.json', 'C:\\tmp\\a.evalset.json', []],
  ['C:\\tmp\\a.evalset.json:case1,case2', 'C:\\tmp\\a.evalset.json', ['case1', 'case2']],
  ['c:/tmp/a.json:x', 'c:/tmp/a.json', ['x']],
  ['a.json:x,x', 'a.json', ['x']],
  ['a.json:turn:1', 'a.json', ['turn:1']],
  ['odd:name.json', 'odd:name.json', []],
  ['file:///sets/a.json:x', 'file:///sets/a.json', ['x']],
])('G82 %s names %s and cases %j', (argument, path, caseIds) => {
  expect(parseSelections([argument], defaultProfile, (name) => name === 'odd:name.json')).toEqual([{ path, caseIds }]);
});

test('C33 a colon without case ids is refused, every such argument at once', () => {
  expect(() => parseSelections(['a.json:', 'b.json:x', 'c.json: , '], defaultProfile)).toThrow(
    expect.objectContaining({ code: 'empty_selection', problems: [expect.anything(), expect.anything()] }),
  );
});

test('G82 whatever follows a drive, its colon selects nothing', () => {
  fc.assert(fc.property(fc.stringMatching(/^[A-Za-z]:[\\/][^:]*$/), (path) => {
    expect(parseSelections([path], defaultProfile)).toEqual([{ path, caseIds: [] }]);
  }));
});

const evalSet = { evalSetId: 'home', creationTimestamp: 0, evalCases: ['dim_bedroom', 'ask_weather'].map((evalId) => ({ evalId, creationTimestamp: 0 })) } satisfies EvalSet;

test('C33 no list means all cases; a list selects in the order of the file', () => {
  expect(selectCases(evalSet, undefined, defaultProfile)).toHaveLength(2);
  expect(selectCases(evalSet, ['ask_weather', 'dim_bedroom'], defaultProfile).map((one) => one.evalId)).toEqual(['dim_bedroom', 'ask_weather']);
});

test('C33 an empty list is not "all"', () => {
  expect(() => selectCases(evalSet, [], defaultProfile)).toThrow(/empty list of case ids.*\n?.*"dim_bedroom", "ask_weather"/);
  expect(() => selectCases(evalSet, [], googleAdkProfile)).toThrow(expect.objectContaining({ code: 'empty_selection' }));
});

test('C33 unknown ids are refused, all of them, with the nearest and the available ones', () => {
  expect(() => selectCases(evalSet, ['dim_bedrom', 'nope'], defaultProfile)).toThrow(
    'No case "dim_bedrom" in eval set "home". Did you mean "dim_bedroom"? It has "dim_bedroom", "ask_weather".\nNo case "nope" in eval set "home". It has "dim_bedroom", "ask_weather".',
  );
  expect(selectCases(evalSet, ['nope', 'ask_weather'], googleAdkProfile)).toHaveLength(1);
});
