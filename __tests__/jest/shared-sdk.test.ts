import { link } from '../support/package-under-test';
import { createProject, removeProjects, type JestMajor, type Project } from '../support/run-jest';

jest.setTimeout(180_000);
afterAll(removeProjects);

const packages = ['@google/adk', '@google/genai', 'zod'];

/** A suite written once for both kinds of modules: `load` gives the modules, `body` is the same. */
const body = `
  class Stub extends BaseLlm {
    constructor(answer) { super({ model: 'stub' }); this.answer = answer; }
    async *generateContentAsync(request) { yield await this.answer(request); }
    async connect() { throw new Error('no live'); }
  }
  const say = (text) => ({ content: { role: 'model', parts: [{ text }] } });
  async function events(agent) {
    const runner = new InMemoryRunner({ agent, appName: 'app' });
    const session = await runner.sessionService.createSession({ appName: 'app', userId: 'u' });
    const seen = [];
    for await (const event of runner.runAsync({ userId: 'u', sessionId: session.id, newMessage: { role: 'user', parts: [{ text: 'hi' }] } })) seen.push(event);
    return seen;
  }

  test('an error of a model stub becomes an error event, as in plain Node', async () => {
    const agent = new LlmAgent({ name: 'a', model: new Stub(() => { throw new Error('quota'); }) });
    expect(await events(agent)).toMatchObject([{ errorMessage: 'quota' }]);
  });

  test('an error of a tool has the text that it has in plain Node', async () => {
    const boom = new FunctionTool({ name: 'boom', description: 'd', parameters: z.object({ n: z.number().describe('a number') }), execute: () => { throw new Error('boom'); } });
    let calls = 0;
    const agent = new LlmAgent({ name: 'a', tools: [boom], model: new Stub((request) => {
      if (calls++ > 0) return say('done');
      expect(JSON.stringify(request.config.tools)).toContain('a number');
      return { content: { role: 'model', parts: [{ functionCall: { name: 'boom', args: { n: 1 } } }] } };
    }) });
    const [, response] = await events(agent);
    expect(response.content.parts[0].functionResponse.response).toEqual({ error: "Error in tool 'boom': boom" });
  });

  test('a model pattern written in a test file is recognised', () => {
    class Registered extends Stub {}
    Registered.supportedModels = [/only-here-.*/];
    LLMRegistry.register(Registered);
    expect(LLMRegistry.resolve('only-here-1')).toBe(Registered);
  });

  test('errors of the sandbox stay errors', () => {
    expect(new Error('x')).toBeInstanceOf(Error);
    expect(() => { throw new TypeError('t'); }).toThrow(TypeError);
    expect(/x/).toBeInstanceOf(RegExp);
  });

  test('the environment that a test sets is the one that the SDK reads', () => {
    process.env.GEMINI_API_KEY = 'from-the-test';
    expect(() => new Gemini({ model: 'gemini-2.5-flash' })).not.toThrow();
    delete process.env.GEMINI_API_KEY;
    expect(() => new Gemini({ model: 'gemini-2.5-flash' })).toThrow(/API key/i);
    process.env = { ...process.env, GEMINI_API_KEY: 'replaced' };
    expect(() => new Gemini({ model: 'gemini-2.5-flash' })).not.toThrow();
  });

  test('a fetch put in place by the test is the one that the SDK calls', async () => {
    const real = globalThis.fetch;
    const seen = [];
    globalThis.fetch = async (url) => { seen.push(String(url)); return new Response(JSON.stringify({ candidates: [{ content: say('from the fake').content, finishReason: 'STOP' }] }), { headers: { 'content-type': 'application/json' } }); };
    try {
      const all = await events(new LlmAgent({ name: 'a', model: new Gemini({ model: 'gemini-2.5-flash', apiKey: 'k' }) }));
      expect(all.at(-1).content.parts[0].text).toBe('from the fake');
      expect(seen).toHaveLength(1);
    } finally { globalThis.fetch = real; }
  });
`;
const names = 'BaseLlm, FunctionTool, Gemini, InMemoryRunner, LLMRegistry, LlmAgent';
const leaked = `
  test('nothing of the file before is left', () => {
    expect(() => LLMRegistry.resolve('only-here-1')).toThrow('not found');
    expect(process.env.GEMINI_API_KEY).toBeUndefined();
    expect(() => new Gemini({ model: 'gemini-2.5-flash' })).toThrow(/API key/i);
  });`;

function project(major: JestMajor, esm: boolean): Project {
  const head = esm
    ? `import { ${names} } from '@google/adk';\nimport { z } from 'zod';\n`
    : `const { ${names} } = require('@google/adk');\nconst { z } = require('zod');\n`;
  return createProject({
    jest: major,
    packages,
    packageJson: { type: esm ? 'module' : 'commonjs', jest: { preset: 'jest-adk' } },
    files: { 'a.test.js': head + body, 'b.test.js': head + leaked },
  });
}

const esmFlag = { NODE_OPTIONS: '--experimental-vm-modules' };

describe.each<[JestMajor, 'CommonJS' | 'ES modules']>([
  ['29', 'CommonJS'],
  ['29', 'ES modules'],
  ['30', 'CommonJS'],
  ['30', 'ES modules'],
])('Jest %s, %s', (major, kind) => {
  it('behaves as in plain Node, and gives nothing of one test file to the next', async () => {
    const esm = kind === 'ES modules';
    const run = await project(major, esm).jest(['-i'], { json: true, ...(esm && { env: esmFlag }) });
    const failures = run.json?.testResults.flatMap((file) => [file.message, ...file.assertionResults.flatMap((one) => one.failureMessages)]).filter((text) => text !== '');
    expect(failures).toEqual([]);
    expect(run.json).toMatchObject({ success: true, numPassedTests: 7 });
    expect(run.stderr).not.toContain('zod');
  });
});

it('leaves mocks, resets, coverage and projects working', async () => {
  const files = {
    'lib/agent.js': `const { LlmAgent } = require('@google/adk'); exports.make = () => new LlmAgent({ name: 'a', model: 'gemini-2.5-flash' });`,
    'mocked.test.js': `
      jest.mock('@google/adk', () => ({ ...jest.requireActual('@google/adk'), LlmAgent: class Fake { constructor() { this.fake = true; } } }));
      test('is mocked', () => { expect(require('./lib/agent').make()).toEqual({ fake: true }); });`,
    'reset.test.js': `
      test('one SDK through resets', () => {
        const first = require('@google/adk').LlmAgent;
        jest.resetModules();
        expect(require('@google/adk').LlmAgent).toBe(first);
        const agent = require('./lib/agent').make();
        expect(agent).toBeInstanceOf(first);
      });
      test('a spy ends with its file', () => { jest.spyOn(require('@google/adk'), 'isLlmAgent').mockReturnValue('spied'); expect(require('@google/adk').isLlmAgent()).toBe('spied'); });`,
    'spied.test.js': `test('no spy of another file', () => { expect(require('@google/adk').isLlmAgent({})).toBe(false); });`,
  };
  const made = createProject({ packages, files, packageJson: { jest: { collectCoverage: true, coverageReporters: ['json-summary'], projects: [{ preset: 'jest-adk', displayName: 'one' }] } } });
  const run = await made.jest(['-i'], { json: true });
  expect(run.json).toMatchObject({ success: true, numPassedTests: 4 });
  expect(Object.keys(JSON.parse(made.read('coverage/coverage-summary.json')) as object).map((path) => path.replace(made.dir, ''))).toEqual(['total', '/lib/agent.js']);
});

it('loads neither the core nor the SDK for a file that needs neither', async () => {
  const made = createProject({
    packages,
    packageJson: { jest: { preset: 'jest-adk', globalTeardown: '<rootDir>/teardown.js' } },
    files: {
      'teardown.js': `module.exports = () => console.log('LOADED ' + JSON.stringify(Object.keys(require.cache).filter((file) => /@google|zod|jest-adk.dist.src/.test(file) && !/dist.src.(results|support|inference.clock)/.test(file)).map((file) => file.split('node_modules').at(-1))));`,
      'plain.test.js': `test('plain', () => { expect(1).toBe(1); });`,
    },
  });
  const run = await made.jest(['-i']);
  expect(JSON.parse(/LOADED (.*)/.exec(run.stdout)?.[1] ?? 'null')).toEqual([]);
});

it('leaves everything in the sandbox with share: false', async () => {
  const made = createProject({
    packages,
    files: {
      'jest.config.js': `module.exports = require('jest-adk').createPreset({ adk: { share: false } });`,
      'own.test.js': `test('own zod', () => { const { z } = require('zod'); expect(z.array(z.string()).parse(['x'])).toBeInstanceOf(Array); });`,
    },
  });
  const run = await made.jest(['--showConfig']);
  expect(run.stdout).not.toContain('shared-');
  expect((await made.jest([])).status).toBe(0);
});

it('does not share a zod of another major version, and says so once', async () => {
  const made = createProject({
    packages: ['@google/adk', '@google/genai'],
    packageJson: { jest: { preset: 'jest-adk' } },
    files: {
      'node_modules/zod/package.json': { name: 'zod', version: '3.99.0', main: 'index.js' },
      'node_modules/zod/index.js': `exports.z = { mine: true }; exports.realm = () => [] instanceof Array;`,
      'a.test.js': `test('own zod', () => { expect(require('zod').z.mine).toBe(true); });`,
      'b.test.js': `test('own zod', () => { expect(require('zod').z.mine).toBe(true); });`,
    },
  });
  const run = await made.jest(['-i']);
  expect(run.status).toBe(0);
  expect(run.stderr.match(/this project uses zod 3.99.0, @google\/adk uses zod 4/g)).toHaveLength(1);
});

it('finds the SDK of the package that imports it, in a workspace whose root has none', async () => {
  const made = createProject({
    packageJson: { jest: { preset: 'jest-adk' } },
    files: {
      'packages/home/agent.js': `const { LlmAgent } = require('@google/adk'); exports.make = () => new LlmAgent({ name: 'a', model: 'gemini-2.5-flash' }); exports.LlmAgent = LlmAgent;`,
      'tests/home.test.js': `const { make, LlmAgent } = require('../packages/home/agent'); test('found', () => { expect(make()).toBeInstanceOf(LlmAgent); });`,
    },
  });
  link('@google/adk', `${made.dir}/packages/home`, '@google/adk');
  const run = await made.jest();
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
});

it('what the SDK logs goes to stderr: stdout is for --json', async () => {
  const made = createProject({
    packages,
    packageJson: { jest: { preset: 'jest-adk' } },
    files: {
      'a.test.js': `
        const { LlmAgent, BaseLlm, getLogger } = require('@google/adk');
        class Stub extends BaseLlm {
          constructor() { super({ model: 'stub' }); }
          async *generateContentAsync() { yield { content: { role: 'model', parts: [{ text: 'hi' }] } }; }
          async connect() { throw new Error('no live'); }
        }
        const tool = new (require('@google/adk').FunctionTool)({ name: 't', description: 'd', execute: () => 'x' });
        test('a', async () => {
          getLogger().warn('a warning of the SDK');
          await expect(new LlmAgent({ name: 'a', model: new Stub(), tools: [tool] })).toRespondTo('hello', { withResponse: 'hi' });
        });`,
    },
  });
  const run = await made.jest(['--json']);
  expect(JSON.parse(run.stdout)).toMatchObject({ success: true });
  expect(run.stderr).toContain('a warning of the SDK');
  expect(run.stderr).not.toContain('beforeToolSelection');
});

it('lets go of a test file that has used the SDK and evaluated', async () => {
  const made = createProject({
    packages,
    packageJson: { jest: { preset: 'jest-adk' } },
    files: {
      'a.test.js': `
        const { LlmAgent, BaseLlm, LLMRegistry } = require('@google/adk');
        class Stub extends BaseLlm {
          async *generateContentAsync() { yield { content: { role: 'model', parts: [{ text: 'hello' }] } }; }
          async connect() { throw new Error('no live'); }
        }
        Stub.supportedModels = [/leaky-.*/];
        LLMRegistry.register(Stub);
        test('evaluates', async () => { await expect(new LlmAgent({ name: 'a', model: 'leaky-1' })).toRespondTo('hi', { withResponse: 'hello' }); });`,
    },
  });
  const run = await made.jest(['-i', '--detectLeaks']);
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
});
