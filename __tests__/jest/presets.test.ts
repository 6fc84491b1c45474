import { answersOnly, evalSet } from '../support/eval-sets';
import { createProject, removeProjects, type JestMajor } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const data = { 'evals/home.test.json': evalSet('home', { hello: 'hello to you' }), 'evals/test_config.json': answersOnly };
const evaluates = `test('evaluates', async () => { await expect(async (turn, session) => 'hello to you').toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });`;
const inTypeScript = `const agent = async (turn: { text: string }, session: unknown): Promise<string> => 'hello to you';
test('evaluates', async () => { await expect(agent).toPassEvalSet('./evals/home.test.json', { numRuns: 1 }); });`;

interface Row {
  readonly name: string;
  readonly config?: object;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly packages?: readonly string[];
  readonly args?: readonly string[];
  /** What the output says, exactly once; nothing is said when it is left out. */
  readonly says?: RegExp;
  readonly fails?: true;
  /** No section at the end. */
  readonly unsummarised?: true;
  /** Differs between the two Jests in what it touches: run on both. */
  readonly onBoth?: true;
}

const reporterHint = /add "jest-adk\/reporter" to `reporters`/g;
const ownReporter = `module.exports = class { onRunComplete() { process.stderr.write('OWN REPORTER\\n'); } };`;
const ownEnvironment = `const { TestEnvironment } = require('jest-environment-node'); module.exports = class extends TestEnvironment { async setup() { await super.setup(); this.global.mine = true; } };`;
const test = { 'home.test.js': evaluates };
const ts = { 'home.test.ts': inTypeScript };
const withTsJest = ['ts-jest', 'typescript', '@types/jest'];
const tsconfig = { 'tsconfig.json': { compilerOptions: { target: 'es2022', module: 'commonjs', esModuleInterop: true, types: ['jest', 'jest-adk/globals'] } } };

const rows: readonly Row[] = [
  { name: 'the preset alone', config: { preset: 'jest-adk' }, files: test },
  { name: 'the preset, TypeScript with ts-jest', onBoth: true, config: { preset: 'jest-adk' }, files: { ...ts, ...tsconfig }, packages: withTsJest },
  { name: 'the preset, TypeScript without a transform', config: { preset: 'jest-adk' }, files: ts, says: /Nothing in .* compiles TypeScript for Jest/g, fails: true },
  { name: 'jest-adk/ts', config: { preset: 'jest-adk/ts' }, files: { ...ts, ...tsconfig }, packages: withTsJest },
  { name: 'jest-adk/ts without ts-jest', config: { preset: 'jest-adk/ts' }, files: ts, says: /needs ts-jest with a TypeScript that it supports/g, fails: true },
  { name: 'jest-adk/js', config: { preset: 'jest-adk/js' }, files: test },
  {
    name: 'a transform of their own',
    config: { preset: 'jest-adk', transform: { '\\.ts$': '<rootDir>/strip.js' } },
    files: { ...ts, 'strip.js': `exports.process = (text) => ({ code: text.replace(/: (\\{[^}]*\\}|unknown|Promise<string>)/g, '') });` },
  },
  { name: 'own testEnvironmentOptions', config: { preset: 'jest-adk', testEnvironmentOptions: { mine: 1 } }, files: test },
  { name: 'own testEnvironmentOptions with ours', config: { preset: 'jest-adk', testEnvironmentOptions: { adk: { numRuns: 3 } } }, files: test },
  { name: 'a misspelt option of ours', config: { preset: 'jest-adk', testEnvironmentOptions: { adk: { numRun: 3 } } }, files: test, says: /has no option "numRun". Did you mean "numRuns"\?/g, fails: true },
  { name: 'own testEnvironment: node', config: { preset: 'jest-adk', testEnvironment: 'node' }, files: test },
  {
    name: 'own testEnvironment: a class', onBoth: true,
    config: { preset: 'jest-adk', testEnvironment: '<rootDir>/environment.js' },
    files: { 'environment.js': ownEnvironment, 'home.test.js': `${evaluates} test('is theirs', () => { expect(mine).toBe(true); });` },
    packages: ['jest-environment-node'],
  },
  { name: 'an environment in the docblock', onBoth: true, config: { preset: 'jest-adk' }, files: { 'home.test.js': `/** @jest-environment node */\n${evaluates}` } },
  { name: 'own reporters', onBoth: true, config: { preset: 'jest-adk', reporters: ['<rootDir>/reporter.js'] }, files: { ...test, 'reporter.js': ownReporter }, says: reporterHint, unsummarised: true },
  { name: 'own reporters with ours', config: { preset: 'jest-adk', reporters: ['<rootDir>/reporter.js', 'jest-adk/reporter'] }, files: { ...test, 'reporter.js': ownReporter } },
  {
    name: 'own reporters on the command line',
    config: { preset: 'jest-adk' },
    files: { ...test, 'reporter.js': ownReporter },
    args: ['--reporters=./reporter.js'],
    says: reporterHint,
    unsummarised: true,
  },
  {
    name: 'own setupFilesAfterEnv',
    config: { preset: 'jest-adk', setupFilesAfterEnv: ['<rootDir>/setup.js'] },
    files: { 'setup.js': `globalThis.setUp = typeof expect(1).toPassEvalSet;`, 'home.test.js': `${evaluates} test('set up', () => { expect(setUp).toBe('function'); });` },
  },
  { name: 'own moduleNameMapper', config: { preset: 'jest-adk', moduleNameMapper: { '^alias$': '<rootDir>/aliased.js' } }, files: { 'aliased.js': 'module.exports = 1;', 'home.test.js': `${evaluates} test('alias', () => { expect(require('alias')).toBe(1); });` } },
  { name: '--config with JSON', files: test, args: ['--config', '{"preset":"jest-adk"}'] },
  { name: 'projects with the preset', onBoth: true, config: { projects: [{ preset: 'jest-adk', displayName: 'one' }] }, files: test, says: reporterHint, unsummarised: true },
  { name: 'projects with the preset, our reporter at the root', config: { projects: [{ preset: 'jest-adk', displayName: 'one' }], reporters: ['default', 'jest-adk/reporter'] }, files: test },
  {
    name: 'createPreset with projects, reporters, options and transform', onBoth: true,
    files: {
      ...test,
      'strip.js': `exports.process = (text) => ({ code: text });`,
      'reporter.js': ownReporter,
      'jest.config.js': `module.exports = require('jest-adk').createPreset({
        projects: [{ displayName: 'one', transform: { '\\\\.js$': '<rootDir>/strip.js' }, testEnvironmentOptions: { mine: 1 } }],
        reporters: ['<rootDir>/reporter.js'], adk: { numRuns: 3 } });`,
    },
  },
  { name: 'no injected globals', config: { preset: 'jest-adk', injectGlobals: false }, files: { 'home.test.js': `const { test, expect } = require('@jest/globals');\n${evaluates}` }, packages: [] },
  { name: 'the environment and the register file by hand', onBoth: true, config: { testEnvironment: 'jest-adk/environment', setupFilesAfterEnv: ['jest-adk/register'] }, files: test, says: reporterHint, unsummarised: true },
  { name: 'the register file alone', config: { setupFilesAfterEnv: ['jest-adk/register'] }, files: test, says: /toPassEvalSet needs jest-adk around the test file/g, fails: true, unsummarised: true },
  { name: 'a testMatch that takes eval sets for tests', config: { preset: 'jest-adk', testMatch: ['**/*.test.*'] }, files: test, says: /home\.test\.json is an eval set, not a test/g, fails: true },
];

describe.each<JestMajor>(['29', '30'])('Jest %s', (major) => {
  it.each(rows.filter(({ onBoth }) => major === '30' || onBoth === true).map((row) => [row.name, row] as const))('%s: works, or says once what to do', async (_name, row) => {
    const project = createProject({
      jest: major,
      files: { ...data, ...row.files, 'package.json': { name: 'project', private: true, ...(row.config !== undefined && { jest: row.config }) } },
      packages: row.packages ?? [],
    });
    const run = await project.jest(row.args);
    expect({ status: run.status, output: run.status === (row.fails ? 1 : 0) ? '' : run.output }).toEqual({ status: row.fails ? 1 : 0, output: '' });
    // The section tells of files that could not be run a second time.
    const [said = ''] = run.output.split('ADK eval results');
    if (row.says !== undefined) expect({ times: said.match(row.says)?.length, said }).toMatchObject({ times: 1 });
    else expect(run.output).not.toMatch(/jest-adk: |needs jest-adk/);
    expect(run.output.includes('ADK eval results')).toBe(row.unsummarised !== true);
  });
});
