import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { evalSetsBelow, evalSetStem, findEvalSets } from '../../src/evalset/discover';
import { defaultProfile, googleAdkProfile } from '../../src/support/profile';

const files = [
  'evals/evalsets/b.evalset.json', 'evals/a.test.json', 'evals/c.test.toml', 'evals/deep/er/d.evalset.toml', 'evals/odd.json',
  // never eval sets
  'evals/test_config.json', 'evals/a.config.json', 'evals/eval_config.json', 'evals/app_home_1.0.evalset_result.json', 'evals/a.test.json.bak',
  'evals/node_modules/p/x.test.json', 'evals/.git/x.test.json', 'evals/out/app/.adk/eval_history/x.test.json', 'nothing/readme.md',
];
let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-discover-')));
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '{}');
  }
  symlinkSync(join(root, 'evals/a.test.json'), join(root, 'evals/z_link.test.json'));
  symlinkSync(join(root, 'evals'), join(root, 'evals/loop'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bases = () => ({ callerDir: root, rootDir: root });
const find = (paths: string | string[], profile = defaultProfile) =>
  findEvalSets(paths, bases(), profile).sets.map((set) => [relative(root, set.file).replaceAll('\\', '/'), ...(set.caseIds ?? [])].join(':'));

test('G90 a folder gives every eval set below it, sorted; results, configs and tool folders never', () => {
  expect(evalSetsBelow(join(root, 'evals')).map((file) => relative(root, file).replaceAll('\\', '/'))).toEqual([
    'evals/a.test.json', 'evals/c.test.toml', 'evals/deep/er/d.evalset.toml', 'evals/evalsets/b.evalset.json', 'evals/z_link.test.json',
  ]);
});

test('a file reached twice is one set, and its selections are joined', () => {
  expect(find(['evals/a.test.json:x', './evals/a.test.json:y,x', 'evals/z_link.test.json'])).toEqual(['evals/a.test.json:x:y']);
  expect(find(['evals', 'evals/c.test.toml:x'])).toEqual([
    'evals/a.test.json', 'evals/c.test.toml:x', 'evals/deep/er/d.evalset.toml', 'evals/evalsets/b.evalset.json',
  ]);
});

test('google-adk knows a file by the text of its path', () => {
  expect(find(['evals/a.test.json', './evals/a.test.json'], googleAdkProfile)).toHaveLength(2);
  expect(find(['evals/a.test.json:x', 'evals/a.test.json:x'], googleAdkProfile)).toEqual(['evals/a.test.json:x:x']);
});

test('one file of any name is accepted, with a warning', () => {
  const { sets, warnings } = findEvalSets('./evals/odd.json', bases(), defaultProfile);
  expect(sets).toEqual([{ file: join(root, 'evals/odd.json'), given: './evals/odd.json' }]);
  expect(warnings).toEqual([expect.objectContaining({ code: 'unconventional_name', severity: 'warning', file: join(root, 'evals/odd.json') })]);
});

test.each([
  [[], 'no_paths', /No eval set was named/],
  [['nothing'], 'no_eval_sets', /No eval sets below the folder .*nothing .*\.test\.json, \.test\.toml, \.evalset\.json, \.evalset\.toml/],
  [['evals:x'], 'folder_selection', /Case ids were given for the folder/],
  [['missing.json:x'], 'path_not_found', /No eval set at .*missing\.json/],
  [['nothing', 'missing.json', 'evals'], 'no_eval_sets', /nothing[^]*missing\.json/],
])('%j is refused: %s', (paths, code, message) => {
  expect(() => findEvalSets(paths, bases(), defaultProfile)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});

test.each([
  ['home.test.json', 'home'], ['a/b.evalset.toml', 'b'], ['x.y.json', 'x.y'], ['plain', 'plain'],
])('the stem of %s is %s', (file, stem) => {
  expect(evalSetStem(file)).toBe(stem);
});
