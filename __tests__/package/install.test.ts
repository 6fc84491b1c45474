import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks } from '../docs/markdown';
import { repoRoot } from '../support/package-under-test';
import { removeProjects } from '../support/run-jest';
import { install, pack, realInstalls, type Installed, type Packed } from './packed';

jest.setTimeout(600_000);

let packed: Packed;
beforeAll(() => {
  packed = pack();
});
afterAll(() => {
  packed.remove();
  removeProjects();
});

const example = (name: string): string => readFileSync(join(repoRoot, 'examples', 'home-automation', name), 'utf8');

/** The files that README tells a user to write, beside the agent that it says they have. */
function readmeFiles(): Record<string, string> {
  const named = codeBlocks('README.md').flatMap((block) => (block.name === undefined ? [] : [[block.name, block.text] as const]));
  return { ...Object.fromEntries(named), 'agent.ts': example('agent.ts'), 'scripted-model.ts': example('scripted-model.ts') };
}

const functionTarget = {
  'jest.config.js': "module.exports = { preset: 'jest-adk' };\n",
  'evals/echo.test.json': JSON.stringify({
    eval_set_id: 'echo',
    eval_cases: [{ eval_id: 'says_it_back', conversation: [{ user_content: { role: 'user', parts: [{ text: 'good morning' }] }, final_response: { role: 'model', parts: [{ text: 'good morning' }] } }] }],
  }),
  'evals/test_config.json': JSON.stringify({ criteria: { response_match_score: 0.9 } }),
  'echo.test.js': "test('a function is scored', async () => {\n  await expect(async (turn) => turn.text).toPassEvalSet('./evals/echo.test.json');\n});\n",
};

describe(`the packed file ${realInstalls ? 'installed by npm' : 'beside linked packages'}`, () => {
  it('holds no sources, tests or source maps, and is small', () => {
    expect(packed.paths.filter((path) => /\.map$|__tests__|\.test\.|^(src|environment|matchers|scripts|bench|examples)\//.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(2_000_000);
  });

  it.each(['30', '29'] as const)('does what README says, with Jest %s, TypeScript and the SDK', async (major) => {
    const project = install(packed, { jest: major, sdk: true, typescript: true, files: { ...readmeFiles(), 'tsconfig.json': tsconfig } });
    const run = await project.jest();
    expect(run.output).toContain('1 passed, 1 total');
    expect(run.output).toContain('ADK eval results');
    expect(run.status).toBe(0);

    writeFileSync(join(project.dir, 'evals', 'home.test.json'), (readmeFiles()['evals/home.test.json'] ?? '').replace('"level": 30', '"level": 40'));
    const failing = await project.jest();
    expect(failing.status).toBe(1);
    expect(failing.output).toContain('level: expected 40, got 30');
    project.remove();
  });

  describe('without the SDK and without TypeScript', () => {
    let project: Installed;
    beforeAll(() => {
      project = install(packed, { jest: '30', sdk: false, typescript: false, files: functionTarget });
    });

    it('scores a function', async () => {
      const run = await project.jest();
      expect(run.output).toContain('1 passed, 1 total');
      expect(run.status).toBe(0);
    });

    it.each([
      ['require', ['-e', "const m = require('jest-adk'); console.log(typeof m.AgentEvaluator.evaluate, typeof m.JestAdkError, typeof require('jest-adk/matchers').toPassEvalSet)"]],
      ['import', ['--input-type=module', '-e', "import { AgentEvaluator, JestAdkError } from 'jest-adk'; import { toPassEvalSet } from 'jest-adk/matchers'; console.log(typeof AgentEvaluator.evaluate, typeof JestAdkError, typeof toPassEvalSet)"]],
    ])('gives its names to %s', async (_how, args) => {
      const run = await project.node(...args);
      expect(run.output.trim()).toBe('function function function');
    });

    it('scores a function in plain Node, from CommonJS and from ES modules', async () => {
      const script = "AgentEvaluator.evaluate({ agent: async (turn) => turn.text, evalDatasetFilePathOrDir: './evals' }).then((result) => console.log(result.outcome))";
      const cjs = await project.node('-e', `const { AgentEvaluator } = require('jest-adk'); ${script}`);
      const esm = await project.node('--input-type=module', '-e', `import { AgentEvaluator } from 'jest-adk'; ${script}`);
      expect([cjs.output.trim(), esm.output.trim()]).toEqual(['passed', 'passed']);
    });
  });

  it.each(['CommonJS', 'ES modules'])('has types for %s', async (kind) => {
    const project = install(packed, {
      jest: '30',
      sdk: false,
      typescript: true,
      files: {
        'package.json': JSON.stringify({ name: 'types', private: true, ...(kind === 'CommonJS' ? {} : { type: 'module' }) }),
        'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false, types: ['node', 'jest'], lib: ['es2023'] }, include: ['*.ts'] }),
        'use.ts': types,
      },
    });
    const run = await project.node('node_modules/typescript/bin/tsc', '-p', '.');
    // Types of other packages are theirs to mend.
    expect(run.output.split('\n').filter((line) => line.startsWith('use.ts') || line.includes('jest-adk'))).toEqual([]);
    project.remove();
  });
});

const tsconfig = JSON.stringify({ compilerOptions: { target: 'es2022', module: 'node20', strict: true, esModuleInterop: true, skipLibCheck: true, isolatedModules: true } });

const types = `/// <reference types="jest-adk/globals" />
import { AgentEvaluator, JestAdkError, type EvaluationResult } from 'jest-adk';
import { toPassEvalSet } from 'jest-adk/matchers';

export async function use(): Promise<EvaluationResult> {
  await expect(() => 'hi').toPassEvalSet('./evals', { numRuns: 3, passPolicy: 'all' });
  // @ts-expect-error a number is no pass policy
  await expect(() => 'hi').toPassEvalSet('./evals', { passPolicy: 3 });
  if (typeof toPassEvalSet !== 'function') throw new JestAdkError('none', []);
  return AgentEvaluator.evaluate({ agent: () => 'hi', evalDatasetFilePathOrDir: './evals' });
}
`;
