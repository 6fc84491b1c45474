import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects } from '../support/run-jest';

jest.setTimeout(180_000);
afterAll(removeProjects);

const flag = { NODE_OPTIONS: '--experimental-vm-modules' };
const data = { 'evals/home.test.json': evalSet('home', { hello: 'hello to you' }), 'evals/test_config.json': answersOnly };
const evaluates = (target: string): string => `test('evaluates', async () => { await expect('${target}').toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });`;
const answer = `async (turn, session) => 'hello to you'`;

const agents: readonly (readonly [name: string, target: string, files: Readonly<Record<string, string>>])[] = [
  ['CommonJS', './agent', { 'agent.js': `exports.rootAgent = ${answer};` }],
  ['CommonJS, a default export', './agent.cjs', { 'agent.cjs': `module.exports = ${answer};` }],
  ['an ES module with import.meta', './agent.mjs', { 'agent.mjs': `import { readFileSync } from 'node:fs'; const self = readFileSync(new URL(import.meta.url), 'utf8'); export const rootAgent = async (turn, session) => (self.includes('rootAgent') ? 'hello to you' : 'no');` }],
  ['an ES module with a default export', './agent.mjs', { 'agent.mjs': `export default ${answer};` }],
  ['a named export', './agent#other', { 'agent.js': `exports.rootAgent = async (turn, session) => 'no'; exports.other = ${answer};` }],
  ['a folder', './agents', { 'agents/index.js': `exports.agent = ${answer};` }],
  ['a package', 'home-agent', { 'node_modules/home-agent/package.json': '{"name":"home-agent","main":"main.js"}', 'node_modules/home-agent/main.js': `exports.rootAgent = ${answer};` }],
];

it.each(agents)('D61 an agent module loads as the test file would load it: %s', async (_name, target, files) => {
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files: { ...data, ...files, 'home.test.js': evaluates(target) } });
  const run = await project.jest([], { env: flag });
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
});

it('says how to start Jest for an agent that is an ES module', async () => {
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files: { ...data, 'agent.mjs': `export default ${answer};`, 'home.test.js': evaluates('./agent.mjs') } });
  const run = await project.jest();
  expect(run.status).toBe(1);
  expect(run.output).toMatch(/agent\.mjs is an ES module[^]*NODE_OPTIONS=--experimental-vm-modules/);
});

it('uses mocks of the test file, and counts the agent in coverage', async () => {
  const files = {
    ...data,
    'agent.js': `const { say } = require('./say'); exports.rootAgent = async (turn, session) => say();`,
    'say.js': `exports.say = () => 'no';`,
    'home.test.js': `jest.mock('./say', () => ({ say: () => 'hello to you' }));\n${evaluates('./agent')}`,
  };
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files });
  const run = await project.jest(['--coverage', '--coverageReporters=json-summary']);
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
  expect(Object.keys(JSON.parse(project.read('coverage/coverage-summary.json')) as object).map((path) => path.replace(project.dir, ''))).toEqual(['total', '/agent.js']);
});

it('loads custom metrics of a config where the test file lives, in TypeScript too', async () => {
  const files = {
    ...data,
    'evals/test_config.json': { criteria: { tone: 0.5 }, custom_metrics: { tone: { code_config: { name: './metrics/tone.ts#tone' } } } },
    'evals/metrics/tone.ts': `import { kind } from './words'; export const tone = (metric: { threshold: number }): { score: number; reason: string } => ({ score: kind ? 1 : 0, reason: 'kind words' });`,
    'evals/metrics/words.ts': `export const kind: boolean = false;`,
    'home.test.js': `jest.mock('./evals/metrics/words', () => ({ kind: true }));\n${evaluates('./agent')}`,
    'agent.js': `exports.rootAgent = ${answer};`,
    'tsconfig.json': { compilerOptions: { target: 'es2022', module: 'commonjs', esModuleInterop: true } },
  };
  const project = createProject({ packages: ['ts-jest', 'typescript'], packageJson: { jest: { preset: 'jest-adk' } }, files });
  const run = await project.jest();
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
});
