import { createProject, removeProjects, type JestMajor } from '../support/run-jest';

jest.setTimeout(180_000);
afterAll(removeProjects);

const turn = { user_content: { role: 'user', parts: [{ text: 'hi' }] } };
const files = {
  'evals/home.test.json': { eval_set_id: 'home', eval_cases: [{ eval_id: 'greet', conversation: [turn] }] },
  'evals/test_config.json': { criteria: { safety_v1: { threshold: 0.5, judge_model_options: { num_samples: 1 } } } },
  'evals/named.test.json': { eval_set_id: 'named', eval_cases: [{ eval_id: 'greet', conversation: [turn] }] },
  'played/played.test.json': { eval_set_id: 'played', eval_cases: [{ eval_id: 'talk', conversation_scenario: { starting_prompt: 'hello', conversation_plan: 'Ask for the time, then leave.' } }] },
  'played/test_config.json': { criteria: { per_turn_user_simulator_quality_v1: { threshold: 0.5, judge_model_options: { num_samples: 1 } } } },
};

/** What each of these evaluations comes to is told by the test of the file itself. */
const body = `
  const agent = (turn) => 'Hello, ' + turn.text;
  const safe = { score: 1, explanation: 'harmless' };
  const unsafe = { score: 0, explanation: 'it threatens' };
  const once = (judge, more) => expect(agent).toPassEvalSet('./evals/home.test.json', { numRuns: 1, judge, ...more });
  const failureOf = (promise) => promise.then(() => 'passed', (error) => error.message);

  class Stub extends BaseLlm {
    constructor({ model }, answer = safe) { super({ model }); this.answer = answer; }
    async *generateContentAsync(request) { this.request = request; yield { content: { role: 'model', parts: [{ text: JSON.stringify(this.answer) }] } }; }
    async connect() { throw new Error('no live'); }
  }

  test('a function that gives a value', () => once(async (prompt, { schema }) => (schema.type === 'object' && prompt.includes('Hello, hi') ? safe : unsafe)));
  test('a function that gives text', () => once(() => '\`\`\`json\\n' + JSON.stringify(safe) + '\\n\`\`\`'));
  test('a jest.fn', async () => { const judge = jest.fn(() => safe); await once(judge); expect(judge).toHaveBeenCalledTimes(1); });
  test('its verdict fails the test, in its words', async () => { expect(await failureOf(once(() => unsafe))).toMatch(/safety_v1[^]*prompt +hi[^]*actual +Hello, hi[^]*it threatens/); });
  test('one that throws is an error, in its words', async () => { expect(await failureOf(once(function broken() { throw new Error('the judge is offline'); }))).toMatch(/function broken[^]*the judge is offline/); });
  test('one that rejects with no error', async () => { expect(await failureOf(once(() => Promise.reject('nothing at all')))).toContain('nothing at all'); });
  test('one that talks instead is an error with what it said', async () => { expect(await failureOf(once(() => 'I would rather not.'))).toContain('I would rather not.'); });
  test('one that says nothing', async () => { expect(await failureOf(once(() => undefined))).toMatch(/it returned undefined; it is to\\s+return the answer as\\s+text/); });
  test('fake timers do not stop it', async () => {
    jest.useFakeTimers();
    try { await once(() => safe); } finally { jest.useRealTimers(); }
  });
  test('a BaseLlm of the test file', async () => { const llm = new Stub({ model: 'mine' }); await once(llm); expect(llm.request.config.responseJsonSchema.type).toBe('object'); });
  test('a name that the test file registers', async () => {
    class Registered extends Stub {}
    Registered.supportedModels = [/sandbox-judge-.*/];
    LLMRegistry.register(Registered);
    await once('sandbox-judge-1');
    await expect(agent).toPassEvalSet('./evals/named.test.json', { numRuns: 1, config: { criteria: { safety_v1: { threshold: 0.5, judge_model_options: { judge_model: 'sandbox-judge-2', num_samples: 1 } } } } });
  });
  test('a name that nobody knows is told before the agent is asked', async () => {
    let asked = false;
    const failure = await failureOf(expect(() => { asked = true; return 'x'; }).toPassEvalSet('./evals/home.test.json', { judge: 'no-such-model' }));
    expect([failure, asked]).toEqual([expect.stringMatching(/no-such-model.*does not know/), false]);
  });
  test('more calls than are allowed', async () => { expect(await failureOf(once(() => safe, { numRuns: 3, maxJudgeCalls: 2 }))).toContain('Judges may be asked 3 times'); });
  test('a function plays the user', async () => {
    const said = [];
    const userModel = (prompt) => { said.push(prompt); return said.length === 1 ? 'What time is it?' : '</finished>'; };
    await expect(agent).toPassEvalSet('./played/played.test.json', { numRuns: 1, userModel, judge: () => ({ criteria: [{ name: 'plan', passed: true, reason: 'as planned' }], is_valid: true }) }).catch((error) => { throw new Error(error.message); });
    expect(said).toHaveLength(2);
  });
`;

describe.each<JestMajor>(['29', '30'])('Jest %s', (major) => {
  test('E70 models of a test file judge and play users, and their plan is told before', async () => {
    const project = createProject({
      jest: major,
      packages: ['@google/adk', '@google/genai', 'zod'],
      packageJson: { jest: { preset: 'jest-adk' } },
      files: { ...files, 'judges.test.js': `const { BaseLlm, LLMRegistry } = require('@google/adk');\n${body}` },
    });
    const run = await project.jest([], { json: true });
    expect(run.json?.testResults.flatMap(({ message, assertionResults }) => [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)]).filter((text) => text !== '')).toEqual([]);
    expect(run.json).toMatchObject({ success: true, numPassedTests: 14 });
    expect(run.stderr).toContain('jest-adk: "a function that gives a value" asks judges at most 1 time (');
    expect((await project.jest(['--silent', '-t', 'gives a value'])).stderr).not.toContain('asks judges at most');
  });
});

test('names and functions work from an ES module', async () => {
  const project = createProject({
    packages: ['@google/adk', '@google/genai', 'zod'],
    packageJson: { type: 'module', jest: { preset: 'jest-adk' } },
    files: { ...files, 'judges.test.js': `import { jest } from '@jest/globals';\nimport { BaseLlm, LLMRegistry } from '@google/adk';\n${body}` },
  });
  const run = await project.jest([], { json: true, env: { NODE_OPTIONS: '--experimental-vm-modules' } });
  expect(run.json?.testResults.flatMap(({ message, assertionResults }) => [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)]).filter((text) => text !== '')).toEqual([]);
  expect(run.json).toMatchObject({ success: true, numPassedTests: 14 });
});
