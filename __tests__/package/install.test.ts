import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Judged, played by a simulated user, and talked to in two sessions; every model is a function. */
const judgedTarget = {
  'judged/judged.test.json': JSON.stringify({
    eval_set_id: 'judged',
    eval_cases: [
      { eval_id: 'written', conversation: [{ user_content: { role: 'user', parts: [{ text: 'good morning' }] }, final_response: { role: 'model', parts: [{ text: 'good morning' }] } }] },
      { eval_id: 'played', conversation_scenario: { starting_prompt: 'hello', conversation_plan: 'Say goodbye.' } },
      { eval_id: 'resumed', sessions: ['one', 'two'].map((text) => ({ conversation: [{ user_content: { role: 'user', parts: [{ text }] } }] })) },
    ],
  }),
  'judged/test_config.json': JSON.stringify({ criteria: { safety_v1: 0.5, hallucinations_v1: 0.5, per_turn_user_simulator_quality_v1: 0.5, multi_turn_task_success_v1: 0.5 } }),
  'models.js': `
    exports.judge = (prompt, { schema }) => {
      const fields = Object.keys(schema.properties);
      if (fields.includes('is_valid')) return { criteria: [{ name: 'plan', passed: true, reason: 'as planned' }], is_valid: true };
      if (fields.includes('score')) return { rubric_verdicts: [], explanation: 'fine', score: 1 };
      return { labels: [{ id: 1, label: 'supported', rationale: 'said before' }] };
    };
    exports.userModel = (prompt) => (prompt.includes('Good bye.') ? '</finished>' : 'Good bye.');`,
  'judged.test.js': "const models = require('./models');\ntest('judged', async () => {\n  await expect(async (turn) => turn.text).toPassEvalSet('./judged/judged.test.json', { ...models, numRuns: 1 });\n});\n",
  'jest-adk.config.js': "const { judge, userModel } = require('./models');\nmodule.exports = { judgeModel: judge, userModel };\n",
  'agent.cjs': 'exports.agent = async (turn) => turn.text;\n',
};

describe(`the packed file ${realInstalls ? 'installed by npm' : 'beside linked packages'}`, () => {
  it('holds no sources, tests or source maps, and is small', () => {
    expect(packed.paths.filter((path) => /\.map$|__tests__|\.test\.|^(src|environment|matchers|scripts|bench|examples)\//.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(2_000_000);
  });

  it('holds every prompt of judges and simulations', () => {
    const prompts = readdirSync(join(repoRoot, 'src', 'judge', 'prompts')).filter((name) => name.endsWith('.eta'));
    expect(prompts.length).toBeGreaterThan(10);
    expect(packed.paths.filter((path) => path.endsWith('.eta')).map((path) => path.split('/').at(-1)).sort()).toEqual(prompts.sort());
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
      project = install(packed, { jest: '30', sdk: false, typescript: false, files: { ...functionTarget, ...judgedTarget } });
    });

    it('scores a function', async () => {
      const run = await project.jest('echo.test.js');
      expect(run.output).toContain('1 passed, 1 total');
      expect(run.status).toBe(0);
    });

    it('asks judges and plays users, in Jest and on the command line', async () => {
      const run = await project.jest('judged.test.js');
      expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
      expect(run.output).toContain('3 passed, 3 total');
      const command = await project.node('node_modules/jest-adk/bin/jest-adk.js', 'eval', './agent.cjs', 'judged', '--num-runs', '1');
      expect({ status: command.status, output: command.status === 0 ? '' : command.output }).toEqual({ status: 0, output: '' });
      expect(command.output).toContain('3 of 3 cases passed');
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
