import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, repoRoot } from '../support/package-under-test';

// The loader is for plain Node, where `import()` is Node's own, so it is tried there.
const files: Readonly<Record<string, string>> = {
  'package.json': '{"name": "project"}',
  'common.cjs': 'exports.agent = "cjs"; exports.kind = typeof module;',
  'plain.js': 'module.exports = { agent: "js" };',
  'modern.mjs': 'export const agent = "mjs"; export default import.meta.url.startsWith("file:");',
  'syntax.js': 'export const agent = "esm syntax without type";',
  'typed.ts': 'import { agent as other } from "./modern.mjs";\nimport { part } from "./part.js";\nexport const agent: string = `ts+${other}+${part}`; export const url = import.meta.url.startsWith("file:");',
  'part.ts': 'export const part = "part" as const;',
  'waits.mts': 'export const agent = await Promise.resolve("top-level await");',
  'common.cts': 'const agent: string = "cts"; module.exports = { agent };',
  'throws.js': 'throw new RangeError("no key configured");',
  'throws.ts': 'throw new RangeError("no key configured");',
  'broken.ts': 'export const agent: string = ;',
  'lacks.mjs': 'import "not-installed";',
  'node_modules/pkg/package.json': '{"name": "pkg", "exports": {"./sub": {"import": "./sub.mjs", "require": "./sub.cjs"}, "./old": {"require": "./sub.cjs"}}}',
  'node_modules/pkg/sub.mjs': 'export const agent = "package, import";',
  'node_modules/pkg/sub.cjs': 'exports.agent = "package, require";',
};
let root: string;
beforeAll(() => {
  ensureBuilt();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-loader-')));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}, 200_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Loads each module in one fresh Node and reports what it exports, or the error. */
function load(calls: readonly string[]): Record<string, { value?: Record<string, unknown>; code?: string; message?: string; cause?: string }> {
  const script = `
    const { createNodeLoader } = require(${JSON.stringify(join(repoRoot, 'dist/src/target/module-loader.js'))});
    const { join } = require('node:path');
    const loader = createNodeLoader();
    const root = ${JSON.stringify(root)};
    (async () => {
      const out = {};
      for (const name of ${JSON.stringify(calls)}) {
        try {
          const module = name.startsWith('pkg') || name.startsWith('none') ? await loader.loadPackage(name, root) : await loader.load(join(root, name));
          out[name] = { value: { ...module } };
        } catch (error) {
          out[name] = { code: error.code, message: error.message, cause: error.cause && error.cause.name };
        }
      }
      process.stdout.write(JSON.stringify(out));
    })();`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: tmpdir(), stdio: 'pipe' })) as ReturnType<typeof load>;
}

test('CommonJS, ES modules and TypeScript load, files and packages', () => {
  const found = load(['common.cjs', 'plain.js', 'modern.mjs', 'syntax.js', 'typed.ts', 'waits.mts', 'common.cts', 'pkg/sub', 'pkg/old']);
  const agentOf = (name: string) => found[name]?.value?.['agent'] ?? (found[name]?.value?.['default'] as Record<string, unknown> | undefined)?.['agent'] ?? found[name]?.message;
  expect(Object.keys(found).map((name) => [name, agentOf(name)])).toEqual([
    ['common.cjs', 'cjs'], ['plain.js', 'js'], ['modern.mjs', 'mjs'], ['syntax.js', 'esm syntax without type'], ['typed.ts', 'ts+mjs+part'],
    ['waits.mts', 'top-level await'], ['common.cts', 'cts'], ['pkg/sub', 'package, import'], ['pkg/old', 'package, require'],
  ]);
  expect(found['typed.ts']?.value?.['url']).toBe(true);
});

test('C40 a module that throws while it is loaded is an error with its file and the cause', () => {
  const found = load(['throws.js', 'throws.ts', 'broken.ts', 'lacks.mjs', 'gone.js', 'none-such']);
  for (const name of ['throws.js', 'throws.ts']) {
    expect(found[name]).toEqual({ code: 'module_failed', message: `${join(root, name)} could not be loaded: RangeError: no key configured`, cause: 'RangeError' });
  }
  expect(found['broken.ts']).toMatchObject({ code: 'module_failed', message: expect.stringContaining(`${join(root, 'broken.ts')} could not be loaded`) });
  expect(found['lacks.mjs']).toMatchObject({ code: 'module_failed', message: expect.stringMatching(/not-installed.*Something that it imports is missing/s) });
  expect(found['gone.js']).toMatchObject({ code: 'module_failed' });
  expect(found['none-such']).toMatchObject({ code: 'module_not_found', message: `There is no module "none-such" to be imported from ${root}.` });
});
