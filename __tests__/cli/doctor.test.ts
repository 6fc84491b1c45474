import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node } from '../../src/cli/doctor/packages';
import { checkCredentials } from '../../src/cli/doctor/credentials';
import { commandFolder, removeCommandFolders, type CommandFolder } from '../support/command';
import { startFakeServer } from '../support/fake-server';
import { repoRoot } from '../support/package-under-test';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

const manifest = (version: string): unknown => ({ version });

/** Links this checkout's packages into a project. */
function link({ dir }: CommandFolder, ...names: readonly string[]): void {
  for (const name of names) {
    const at = join(dir, 'node_modules', name);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(name === 'jest-adk' ? repoRoot : join(repoRoot, 'node_modules', name), at);
  }
}

const keyless = { GOOGLE_GENAI_API_KEY: '', GOOGLE_API_KEY: '', GEMINI_API_KEY: '', GOOGLE_GENAI_USE_VERTEXAI: '', GOOGLE_GENAI_USE_ENTERPRISE: '', GOOGLE_CLOUD_PROJECT: '', GOOGLE_CLOUD_LOCATION: '', GOOGLE_APPLICATION_CREDENTIALS: '' };

test('a project in which everything is in place', async () => {
  const folder = commandFolder({ 'package.json': {}, 'jest.config.js': "module.exports = { preset: 'jest-adk' };\n" });
  link(folder, 'jest', 'jest-adk', '@google/adk', '@google/genai', 'zod');
  const { code, stdout, stderr } = await folder.run(['doctor'], { ...keyless, GEMINI_API_KEY: 'not-to-be-printed-1' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '0 problems, 0 warnings\n' });
  expect(stdout).toMatch(/✓ Node: .*\n✓ Jest: 30\..*\n✓ @google\/adk: 2\..*\n✓ zod: .*\n✓ @google\/genai: .*\n✓ preset: is in force/);
  expect(stdout).toContain('✓ model key: GEMINI_API_KEY is set');
  expect(stdout + stderr).not.toContain('not-to-be-printed-1');
});

test('an empty folder: each line says what to do', async () => {
  const { code, stdout } = await commandFolder({ 'package.json': {} }).run(['doctor', '--json'], keyless);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; advice?: string }[] };
  expect(code).toBe(1);
  expect(findings.filter(({ status }) => status !== 'ok').every(({ advice }) => advice !== undefined)).toBe(true);
  expect(Object.fromEntries(findings.map(({ check, status }) => [check, status]))).toEqual({ Node: 'ok', Jest: 'problem', '@google/adk': 'note', 'model key': 'note' });
});

test('two copies of the SDK and of zod', async () => {
  const { code, stdout } = await commandFolder({
    'package.json': {},
    'node_modules/@google/adk/package.json': manifest('2.0.0'),
    'node_modules/@google/adk/node_modules/zod/package.json': manifest('4.1.0'),
    'node_modules/@google/genai/package.json': manifest('2.0.0'),
    'node_modules/zod/package.json': manifest('3.25.0'),
    'node_modules/tools/package.json': manifest('1.0.0'),
    'node_modules/tools/node_modules/@google/adk/package.json': manifest('1.1.0'),
  }).run(['doctor'], keyless);
  expect(code).toBe(1);
  expect(stdout).toContain('✗ @google/adk: there are 2 copies: 2.0.0 in node_modules/@google/adk, 1.1.0 in node_modules/tools/node_modules/@google/adk\n    An agent made by one is unknown to the other. Run "npm dedupe"');
  expect(stdout).toContain('✗ zod: there are two copies: yours (3.25.0 in node_modules/zod) and that of @google/adk (4.1.0 in node_modules/@google/adk/node_modules/zod)\n');
});

test.each([
  ['Jest 28', { 'node_modules/jest/package.json': manifest('28.1.0'), 'node_modules/jest/bin/jest.js': 'process.exit(1)' }, '✗ Jest: 28.1.0 is too old'],
  ['TypeScript 7', { 'tsconfig.json': {}, 'node_modules/typescript/package.json': manifest('7.0.1'), 'node_modules/ts-jest/package.json': manifest('29.4.0') }, '✗ TypeScript: 7.0.1 does not work with ts-jest'],
  ['ts-jest without TypeScript', { 'tsconfig.json': {}, 'node_modules/ts-jest/package.json': manifest('29.4.0') }, '✗ TypeScript: ts-jest is installed, typescript is not'],
  ['settings that cannot be read', { 'jest-adk.config.json': { numRuns: 0, nmuRuns: 2 } }, '✗ settings: '],
])('%s', async (_name, files, line) => {
  const { code, stdout } = await commandFolder({ 'package.json': {}, ...files }).run(['doctor'], keyless);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(line) as string });
});

test('a damaged package is named, and the rest is looked at', async () => {
  const { code, stdout, stderr } = await commandFolder({ 'package.json': {}, 'node_modules/jest/package.json': '{ bad' }).run(['doctor'], keyless);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '1 problem, 0 warnings\n' });
  expect(stdout).toMatch(/✗ Jest: .*node_modules\/jest\/package\.json could not be read: .*\n    The installation is damaged/);
  expect(stdout).toContain('· model key: ');
});

test('Node that is too old', () => {
  expect(node('20.18.1')).toMatchObject({ status: 'problem' });
  expect(node('18.20.0')).toMatchObject({ status: 'problem', advice: 'Install Node 20.19 or newer.' });
  expect(['20.19.0', '22.0.0'].map((version) => node(version).status)).toEqual(['ok', 'ok']);
});

describe('preset', () => {
  const shown = async (config: string): Promise<string> => {
    const folder = commandFolder({ 'package.json': {}, 'jest.config.js': config });
    link(folder, 'jest', 'jest-adk', '@google/adk', '@google/genai', 'zod');
    return (await folder.run(['doctor'], keyless)).stdout;
  };

  test.each([
    ['missing', 'module.exports = {};', '✗ preset: is not in force\n    Add preset: '],
    ['half of it', "module.exports = { preset: 'jest-adk', testEnvironment: 'node', testRunner: 'jest-circus/runner' };", '✗ preset: is there, but the configuration replaces its testEnvironment, testRunner\n'],
    ['a configuration that prints lines of its own', "console.log('{'); console.log('hello { }'); process.on('exit', () => console.log('bye')); module.exports = { preset: 'jest-adk' };", '✓ preset: is in force'],
    ['a configuration that does not load', 'module.exports = { preset: "jest-adkk" };', '✗ preset: Jest does not start here: '],
  ])('%s', async (_name, config, line) => {
    expect(await shown(config)).toContain(line);
  });

  test('a Jest that shows no configuration', async () => {
    const { code, stdout } = await commandFolder({ 'package.json': {}, 'node_modules/jest/package.json': manifest('30.0.0'), 'node_modules/jest/bin/jest.js': "console.log('hello')" }).run(['doctor'], keyless);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('✗ preset: Jest shows no configuration; it printed: hello\n') as string });
  });

  test('in projects, where the reporter is easily lost', async () => {
    const stdout = await shown("module.exports = { projects: [{ displayName: 'agents', preset: 'jest-adk' }, { displayName: 'ui' }] };");
    expect(stdout).toContain('✓ preset of agents: is in force');
    expect(stdout).toContain('· preset of ui: is not used in this project');
    expect(stdout).toContain('! reporter: is missing');
  });
});

describe('agent', () => {
  test('a server that answers, and headers that are not printed', async () => {
    const server = await startFakeServer();
    await server.script({ apps: ['home', 'office'], default: { text: 'Hello.' } });
    const { code, stdout, stderr } = await commandFolder({ 'package.json': {}, 'node_modules/jest/package.json': manifest('30.0.0'), 'node_modules/jest/bin/jest.js': 'process.exit(1)' }).run(['doctor', server.url, '--header', 'Authorization: Bearer abc-very-secret'], keyless);
    await server.stop();
    expect(stdout).toContain('✓ server: answers; its 2 apps: home, office (choose one with --app-name)');
    expect(stderr).toContain('nothing was sent but GET /list-apps');
    expect(stdout + stderr).not.toContain('very-secret');
    expect(code).toBe(1);
  });

  test('a server that is not there', async () => {
    const { code, stdout } = await commandFolder({ 'package.json': {} }).run(['doctor', 'http://127.0.0.1:1'], keyless);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/✗ server: GET \/list-apps .*refused[^]*Start the server/) as string });
  });

  test('a module, and the models its agents use', async () => {
    const agent = "const { LlmAgent } = require('@google/adk');\nexports.rootAgent = new LlmAgent({ name: 'home', model: 'gemini-2.5-flash', subAgents: [new LlmAgent({ name: 'lamps', model: 'gemini-3-pro-preview' })] });\n";
    const folder = commandFolder({ 'package.json': {}, 'agent.cjs': agent });
    link(folder, '@google/adk', '@google/genai', 'zod');
    const { stdout } = await folder.run(['doctor', './agent.cjs'], { ...keyless, GOOGLE_GENAI_USE_VERTEXAI: '1', GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_CLOUD_LOCATION: 'us-central1' });
    expect(stdout).toContain('✓ agent: ./agent.cjs exports an agent "home"; models: gemini-2.5-flash, gemini-3-pro-preview');
    expect(stdout).toContain('✗ location: us-central1, where gemini-3-pro-preview is not served: models of Gemini 3 are in "global" alone\n    Set GOOGLE_CLOUD_LOCATION=global.');
  });

  test('a module that does not load', async () => {
    const { code, stdout } = await commandFolder({ 'package.json': {}, 'agent.cjs': 'throw new Error("no lamp");' }).run(['doctor', './agent.cjs'], keyless);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/✗ agent: \.\/agent\.cjs: .*no lamp/) as string });
  });
});

describe('keys and locations', () => {
  const surroundings = (env: Record<string, string>, ...models: string[]): Parameters<typeof checkCredentials>[0] => ({ cwd: '/', env, target: undefined, models, headers: [] });
  const vertex = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' };

  test.each([
    ['no key, no model known', {}, [], 'note'],
    ['no key, and a model that needs one', {}, ['gemini-2.5-flash'], 'problem'],
    ['a key', { GOOGLE_API_KEY: 'k' }, ['gemini-2.5-flash'], 'ok'],
  ])('%s', (_name, env, models, status) => {
    expect(checkCredentials(surroundings(env, ...models))).toMatchObject([{ check: 'model key', status }]);
  });

  test.each([
    ['Gemini 3 elsewhere than in global', 'us-central1', ['gemini-3-flash'], 'problem'],
    ['Gemini 3 in global', 'global', ['gemini-3-flash'], 'ok'],
    ['Gemini 2.5 anywhere', 'us-central1', ['gemini-2.5-flash'], 'ok'],
    ['no model known', 'us-central1', [], 'note'],
  ])('%s', (_name, location, models, status) => {
    const found = checkCredentials(surroundings({ ...vertex, GOOGLE_CLOUD_LOCATION: location }, ...models));
    expect(found).toMatchObject([{ check: 'Vertex AI', status: 'ok' }, { check: 'location', status }]);
  });

  test('Vertex AI without a location, and a credentials file that is not there', () => {
    const found = checkCredentials(surroundings({ ...vertex, GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json' }));
    expect(found).toMatchObject([{ check: 'Vertex AI', status: 'problem', message: expect.stringContaining('GOOGLE_CLOUD_LOCATION is not set') as string }, { check: 'location' }, { check: 'credentials', status: 'problem' }]);
  });

  test('a project without the switch is not used, and that is said', () => {
    expect(checkCredentials(surroundings({ GOOGLE_CLOUD_PROJECT: 'p' }))).toMatchObject([{ check: 'model key' }, { check: 'Vertex AI', status: 'note', message: 'is not used: GOOGLE_GENAI_USE_VERTEXAI is not set' }]);
  });
});

test('an --env-file is read, and missing ones are refused', async () => {
  const folder = commandFolder({ 'package.json': {}, '.env': 'GEMINI_API_KEY=from-the-file-123\n' });
  const { GEMINI_API_KEY: _none, ...rest } = keyless;
  expect((await folder.run(['doctor', '--env-file', '.env'], rest)).stdout).toContain('✓ model key: GEMINI_API_KEY is set');
  // Node 20 reads the flag itself, also behind the script's name, and ends with 9.
  const missing = await folder.run(['doctor', '--env-file', 'none.env'], rest);
  expect([2, 9]).toContain(missing.code);
  expect(missing.stderr).toContain('none.env');
});
