import { turn } from '../support/eval-sets';
import { createProject, removeProjects, type JestMajor } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const home = { eval_set_id: 'home', eval_cases: [{ eval_id: 'lamp', conversation: [turn('turn on the lamp', 'done: {"result":"lamp is on"}', [{ name: 'turn_on', args: { device: 'lamp' } }])] }] };

/** An agent of the real SDK with a scripted model; TypeScript where `t` gives its types. */
const agentModule = (t: (types: string) => string): string => `
class Scripted extends BaseLlm {
  constructor() { super({ model: 'scripted' }); }
  async *generateContentAsync(request${t(': any')})${t(': any')} {
    const last = request.contents.at(-1).parts.at(-1);
    const part = last.functionResponse === undefined ? { functionCall: { name: 'turn_on', args: { device: 'lamp' } } } : { text: 'done: ' + JSON.stringify(last.functionResponse.response) };
    yield { content: { role: 'model', parts: [part] }, usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 } };
  }
  async connect()${t(': Promise<never>')} { throw new Error('no live'); }
}
const turnOn = new FunctionTool({ name: 'turn_on', description: 'Turns a device on.', parameters: z.object({ device: z.string() }), execute: ({ device }${t(': { device: string }')}) => device + ' is on' });
`;

const tests = (agentFile: string): string => `
test('a matcher', async () => { await expect(rootAgent).toPassEvalSet('./evals/home.test.json'); });
test('the evaluator, with a module', async () => {
  const result = await AgentEvaluator.evaluate({ agentModule: './${agentFile}', evalDatasetFilePathOrDir: 'evals' });
  expect(result).toHaveToolCall('turn_on', { args: { device: match.regex(/lamp/) }, author: 'home_agent' });
  expect(result).toHaveMetricScore('tool_trajectory_avg_score', { atLeast: 1 });
  expect(result.sets[0].appName).toBe('home_agent');
});
test('one turn', async () => { await expect(rootAgent).toRespondTo('turn on the lamp', { usingTools: [{ name: 'turn_on', args: { device: $any } }], withResponse: /lamp is on/ }); });
test('the agent is the one of this realm', () => { expect(rootAgent).toBeInstanceOf(LlmAgent); });
describeEvalSet(rootAgent, './evals/home.test.json');
`;

const pairs: readonly (readonly [JestMajor, 'JavaScript' | 'TypeScript', 'CommonJS' | 'ES modules'])[] = [
  ['29', 'JavaScript', 'CommonJS'],
  ['30', 'JavaScript', 'ES modules'],
  ['30', 'TypeScript', 'CommonJS'],
  ['29', 'TypeScript', 'ES modules'],
];

it.each(pairs)('Jest %s, %s, %s', async (major, language, modules) => {
  const typed = language === 'TypeScript';
  const esm = modules === 'ES modules';
  const t = (types: string): string => (typed ? types : '');
  const imports = typed || esm;
  const from = (names: string, module: string): string => (imports ? `import { ${names} } from '${module}';\n` : `const { ${names} } = require('${module}');\n`);
  const extension = typed ? 'ts' : 'js';
  const project = createProject({
    jest: major,
    packages: ['@google/adk', '@google/genai', 'zod', ...(typed ? ['ts-jest', 'typescript', '@types/jest', '@types/node', 'expect'] : [])],
    packageJson: {
      ...(esm && { type: 'module' }),
      jest: { preset: 'jest-adk', ...(typed && esm && { extensionsToTreatAsEsm: ['.ts'], moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' } }) },
    },
    files: {
      'evals/home.test.json': home,
      [`agent.${extension}`]: `${from('BaseLlm, FunctionTool, LlmAgent', '@google/adk')}${from('z', 'zod')}${agentModule(t)}
${imports ? 'export const rootAgent =' : 'exports.rootAgent ='} new LlmAgent({ name: 'home_agent', model: new Scripted(), tools: [turnOn] });`,
      [`home.test.${extension}`]: `${from('LlmAgent', '@google/adk')}${from('$any, describeEvalSet, match', 'jest-adk')}${from('rootAgent', esm ? './agent.js' : './agent')}${tests('agent')}`.replace('result.sets[0].appName', typed ? 'result.sets[0]?.appName' : 'result.sets[0].appName'),
      ...(typed && { 'tsconfig.json': { compilerOptions: { target: 'es2022', module: esm ? 'esnext' : 'commonjs', moduleResolution: 'bundler', ...(!esm && { module: 'esnext' }), esModuleInterop: true, skipLibCheck: true, types: ['jest', 'node', 'jest-adk/globals'] } } }),
    },
  });
  const run = await project.jest([], { json: true, ...(esm && { env: { NODE_OPTIONS: '--experimental-vm-modules' } }) });
  const failures = run.json?.testResults.flatMap((file) => [file.message, ...file.assertionResults.flatMap((one) => one.failureMessages)]).filter((text) => text !== '');
  expect(failures).toEqual([]);
  expect(run.json).toMatchObject({ success: true, numPassedTests: 5 });
});
