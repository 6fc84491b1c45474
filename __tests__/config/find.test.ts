import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseConfig, defaultConfig, findConfig } from '../../src/config/find';
import { defaultProfile, googleAdkProfile } from '../../src/support/profile';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function project(files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'jest-adk-config-'));
  folders.push(root);
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '{}');
  }
  return root;
}

const all = ['home.config.json', 'test_config.json', 'eval_config.json'];
const rows: readonly [set: string, files: readonly string[], file: string | undefined, reason: string][] = [
  ['home.test.json', all, 'home.config.json', 'stem'],
  ['home.evalset.toml', all, 'home.config.json', 'stem'],
  ['other.test.json', all, 'test_config.json', 'test_config'],
  ['other.test.json', ['eval_config.json'], 'eval_config.json', 'eval_config'],
  ['tests/eval/evalsets/basic.evalset.json', ['tests/eval/eval_config.json'], 'tests/eval/eval_config.json', 'parent_of_evalsets'],
  ['evalsets/a.test.json', ['eval_config.json', 'test_config.json'], 'test_config.json', 'parent_of_evalsets'],
  ['evalsets/a.test.json', ['test_config.json', 'evalsets/eval_config.json'], 'evalsets/eval_config.json', 'eval_config'],
  ['evalsets/deep/a.test.json', ['test_config.json', 'evalsets/test_config.json'], undefined, 'default'],
  ['sets/a.test.json', ['test_config.json'], undefined, 'default'],
  ['a.test.json', ['test_config.json/inside.txt'], undefined, 'default'],
];

test.each(rows)('C45 the config of %s among %j is %s', (set, files, file, reason) => {
  const root = project([set, ...files]);
  expect(findConfig(join(root, set), { profile: defaultProfile })).toEqual({ ...(file !== undefined && { file: join(root, file) }), reason });
});

test('C45 google-adk looks for test_config.json beside the set and nowhere else', () => {
  const root = project(['evalsets/home.test.json', 'evalsets/home.config.json', 'evalsets/eval_config.json', 'test_config.json']);
  const set = join(root, 'evalsets/home.test.json');
  expect(findConfig(set, { profile: googleAdkProfile })).toEqual({ reason: 'default' });
  writeFileSync(join(root, 'evalsets/test_config.json'), '{}');
  expect(findConfig(set, { profile: googleAdkProfile })).toEqual({ file: join(root, 'evalsets/test_config.json'), reason: 'test_config' });
});

test('an explicit config wins; a missing one is an error, except under google-adk', () => {
  const root = project(['a.test.json', 'test_config.json', 'mine.json']);
  const set = join(root, 'a.test.json');
  expect(findConfig(set, { explicit: join(root, 'mine.json'), profile: defaultProfile })).toEqual({ file: join(root, 'mine.json'), reason: 'explicit' });
  const explicit = join(root, 'nope.json');
  expect(() => findConfig(set, { explicit, profile: defaultProfile })).toThrow(`No config file at ${explicit}.`);
  expect(findConfig(set, { explicit, profile: googleAdkProfile })).toEqual({ reason: 'default' });
});

test('the choice carries the config that was read, or the default criteria', () => {
  const root = project(['a.test.json']);
  const set = join(root, 'a.test.json');
  expect(chooseConfig(set, { profile: defaultProfile }, () => { throw new Error('nothing to read'); })).toEqual({ config: defaultConfig, reason: 'default' });
  expect([...defaultConfig.criteria]).toEqual([['tool_trajectory_avg_score', { threshold: 1 }], ['response_match_score', { threshold: 0.8 }]]);
  writeFileSync(join(root, 'a.config.json'), '{}');
  const config = { ...defaultConfig, criteria: new Map() };
  expect(chooseConfig(set, { profile: defaultProfile }, () => config)).toEqual({ config, file: join(root, 'a.config.json'), reason: 'stem' });
});
