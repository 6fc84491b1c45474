import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../support/package-under-test';
import { createProject, removeProjects } from '../support/run-jest';
import { brokenLinks, codeBlocks, pages, type CodeBlock } from './markdown';

jest.setTimeout(180_000);
afterAll(removeProjects);

const blocks = pages().flatMap(codeBlocks);
const place = (block: CodeBlock): string => `${block.page}:${block.line}`;

/** Names that a reader of a page takes as given: they stand for the user's own agent and an evaluation's result. */
const givens = `
import type { LlmAgent } from '@google/adk';
import type { EvaluationResult } from 'jest-adk';
declare global {
  var rootAgent: LlmAgent;
  var agent: LlmAgent;
  var result: EvaluationResult;
}
`;

const tsconfig = {
  compilerOptions: { target: 'es2022', lib: ['es2023'], module: 'node20', strict: true, esModuleInterop: true, skipLibCheck: true, noEmit: true, allowJs: true, types: ['node', 'jest', 'jest-adk/globals'], isolatedModules: true },
  include: ['givens.d.ts', 'pages'],
};

/** Each page is a folder of its own, with the example's agent in it, so that \`./agent\` means something. */
function snippetFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const block of blocks) {
    if (!/^(ts|typescript|js|javascript|mjs|mts)$/.test(block.language)) continue;
    const folder = join('pages', block.page.replace(/\W/g, '_'));
    // Only ES modules may wait at the top.
    const extension = block.language.startsWith('t') ? (/^(const .*= )?await /m.test(block.text) ? 'mts' : 'ts') : block.language === 'mjs' || block.language === 'mts' ? block.language : 'js';
    const unchecked = block.flags.includes('fragment') ? '// @ts-nocheck\n' : '';
    const marker = /^\s*(import|export)\b/m.test(block.text) || extension.endsWith('js') ? '' : 'export {};\n';
    files[join(folder, `line-${block.line}`, block.name ?? `block.${extension}`)] = `${unchecked}${block.text}${marker}`;
    for (const part of ['agent.ts', 'scripted-model.ts']) files[join(folder, `line-${block.line}`, part)] ??= readFileSync(join(repoRoot, 'examples/home-automation', part), 'utf8');
  }
  return files;
}

/** Reads every file of the folder with the package's own readers and prints what they object to. */
const readAll = `
  const { readdirSync, readFileSync } = require('node:fs');
  const core = require('node:path').dirname(require.resolve('jest-adk')) + '/src';
  const { readEvalSetFile } = require(core + '/evalset/reader');
  const { readConfigFile } = require(core + '/config/reader');
  for (const name of readdirSync('.').filter((name) => /[.](json|toml)$/.test(name) && name !== 'package.json')) {
    try {
      const read = readFileSync(name, 'utf8').includes('eval_cases') ? readEvalSetFile : readConfigFile;
      for (const warning of read(process.cwd() + '/' + name).warnings) console.log(name, warning);
    } catch (error) { console.log(name, error.message); }
  }
`;

describe('pages', () => {
  it.each(pages())('%s links only to what is there', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('json blocks are JSON', () => {
    const broken = blocks.filter((block) => block.language === 'json').flatMap((block) => {
      try {
        JSON.parse(block.text);
        return [];
      } catch (error) {
        return [`${place(block)}: ${(error as Error).message}`];
      }
    });
    expect(broken).toEqual([]);
  });

  it('eval sets and configs on pages are read as they stand', async () => {
    const files = blocks.filter((block) => /^(json|toml)$/.test(block.language) && !block.flags.includes('fragment') && /eval_cases|criteria/.test(block.text));
    expect(files.length).toBeGreaterThan(3);
    const project = createProject({ files: Object.fromEntries(files.map((block) => [`${block.page.replace(/\W/g, '_')}-${block.line}.${block.language}`, block.text])) });
    const run = await project.node(['-e', readAll]);
    expect(run.output.trim()).toBe('');
  });

  it('shell blocks name scripts and files of this checkout that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const missing = blocks.filter((block) => /^(sh|bash|shell)$/.test(block.language)).flatMap((block) => [
      ...[...block.text.matchAll(/npm run ([\w:-]+)/g)].filter((match) => !((match[1] ?? '') in scripts)).map((match) => `${place(block)}: npm run ${match[1]}`),
      ...[...block.text.matchAll(/^node (?!-)(\S+)/gm)].filter((match) => !existsSync(join(repoRoot, match[1] ?? ''))).map((match) => `${place(block)}: ${match[1]}`),
    ]);
    expect(missing).toEqual([]);
  });

  it('TypeScript and JavaScript blocks compile against the package as it is installed', async () => {
    const project = createProject({
      packages: ['typescript', '@types/node', '@types/jest', '@jest/globals', '@google/adk', '@google/genai', 'zod', 'expect'],
      files: { 'tsconfig.json': tsconfig, 'givens.d.ts': givens, ...snippetFiles() },
    });
    const run = await project.node(['node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false']);
    expect(run.stdout.split('\n').filter((line) => line !== '')).toEqual([]);
  });
});
