import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInside, resolveExisting, resolveFrom } from '../../src/support/paths';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-paths-')));
  for (const file of ['evals/a.json', 'tests/b.json', 'outside/secret.txt']) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  symlinkSync(join(root, 'outside/secret.txt'), join(root, 'tests/link.txt'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bases = () => ({ callerDir: join(root, 'tests'), rootDir: root });

test.each([
  ['./b.json', 'tests/b.json'],
  ['../evals/a.json', 'evals/a.json'],
  ['evals/a.json', 'evals/a.json'],
  ['.', 'tests'],
  ['.hidden', '.hidden'],
])('%s is found at %s', (path, expected) => {
  expect(resolveFrom(bases(), path)).toBe(join(root, expected));
});

test('absolute paths and file URLs are taken as they are', () => {
  const file = join(root, 'evals/a.json');
  expect(resolveFrom(bases(), file)).toBe(file);
  expect(resolveFrom(bases(), pathToFileURL(file).href)).toBe(file);
});

test.each([
  ['./a.json', /No eval set at .*tests.a\.json \(given as "\.\/a\.json"\)\.$/],
  ['./evals/a.json', /There is .*evals.a\.json: paths from rootDir are written without "\.\/"/],
  ['b.json', /No eval set at .*b\.json .* There is .*tests.b\.json: paths beside the test file start with "\.\/"/],
  ['', /path of the eval set is empty/],
])('a missing %j names the absolute path tried and the likely one', (path, message) => {
  expect(() => resolveExisting(bases(), path, 'eval set')).toThrow(message);
});

test.each([
  ['tests/b.json', true],
  ['tests', true],
  ['tests/not/there.txt', true],
  ['tests/..b.json', true],
  ['evals/a.json', false],
  ['tests/link.txt', false],
])('isInside(tests, %s) is %s', (path, inside) => {
  expect(isInside(join(root, 'tests'), join(root, path))).toBe(inside);
});
