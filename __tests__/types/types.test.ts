import { createProject, removeProjects, type JestMajor } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

/** What must compile, and, behind `@ts-expect-error`, what must not: an unused one is an error too. */
const uses = `
async function uses(): Promise<void> {
  const agent = async (turn: { text: string }): Promise<string> => turn.text;
  const awaited: Promise<void> = expect(agent).toPassEvalSet('./evals/home.test.json', { numRuns: 3, passPolicy: { passRate: 0.9 } });
  await awaited;
  await expect(agent).not.toPassEvalSet(['a.test.json', { evalSetId: 'home', evalCases: [] }]);
  await expect(agent).toRespondTo('hi', { usingTools: [{ name: 'turn_on', args: { device: $any } }], withResponse: /on/ });
  const result = await AgentEvaluator.evaluate({ agentModule: './agent', evalDatasetFilePathOrDir: 'evals', numRuns: 2 });
  const outcome: 'passed' | 'failed' | 'error' = result.outcome;
  const score: number | null | undefined = result.sets[0]?.cases[0]?.metrics[0]?.score;
  const nothing: void = expect(result).toHaveMetricScore('response_match_score', { atLeast: 0.8 });
  expect(result).not.toHaveToolCall('delete_all', { times: 1 });
  expect(result).toHaveToolTrajectory([{ name: 'a' }], { matchType: 'IN_ORDER' });
  expect(result).toMatchResponse('x', { mode: 'rouge', tokenizer: 'unicode' });
  expect(result).toHaveSessionState({ lamp: 'on' });
  describeEvalSet(agent, './evals', { serial: true, numRuns: 1 });
  // @ts-expect-error -- a number of runs is a number
  await expect(agent).toPassEvalSet('x', { numRuns: '3' });
  // @ts-expect-error -- no such option
  await expect(agent).toPassEvalSet('x', { runs: 3 });
  // @ts-expect-error -- no such policy
  await expect(agent).toPassEvalSet('x', { passPolicy: 'most' });
  // @ts-expect-error -- bounds are needed
  expect(result).toHaveMetricScore('x');
  // @ts-expect-error -- no such match type
  expect(result).toHaveToolTrajectory([], { matchType: 'SOME' });
  // @ts-expect-error -- a module or an agent is an option of one object
  await AgentEvaluator.evaluate('./agent');
  void [outcome, score, nothing];
}
void uses;
`;

const hosts = {
  '@types/jest': {
    'globals.ts': `import { $any, describeEvalSet } from 'jest-adk';\n${uses}`,
    'preset.ts': `import { createPreset } from 'jest-adk';\nconst config = createPreset({ adk: { numRuns: 3 }, testMatch: ['**/*.test.ts'] });\nvoid config;\n// @ts-expect-error -- no such option\nvoid createPreset({ adk: { numRun: 3 } });`,
  },
  '@jest/globals': {
    'imported.ts': `import { expect } from '@jest/globals';\nimport { $any, AgentEvaluator, describeEvalSet } from 'jest-adk';\n${uses}`,
    'configured.ts': `import { expect } from '@jest/globals';\nimport { configureToPassEvalSet } from 'jest-adk/matchers';\nimport 'jest-adk/register';\nexpect.extend({ toPassEvalSet: configureToPassEvalSet({ numRuns: 5 }) });`,
  },
} as const;

const resolutions = {
  node20: { module: 'node20' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  commonjs: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
};

/** Every compiler, host and way of resolution, without all their products. */
const rows = [
  ['5.9', '@types/jest', 'node20'],
  ['5.9', '@jest/globals', 'bundler'],
  ['6.0', '@types/jest', 'commonjs'],
  ['6.0', '@jest/globals', 'node20'],
] as const;

it.each(rows)('TypeScript %s, %s, %s', async (version, host, resolution) => {
  const major: JestMajor = '30';
  const options: Record<string, unknown> = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: true, ...resolutions[resolution] };
  if (version === '5.9') delete options['ignoreDeprecations'];
  options['types'] = host === '@types/jest' ? ['node', 'jest', 'jest-adk/globals'] : ['node'];
  const project = createProject({
    jest: major,
    packages: ['@types/node', 'expect', host === '@types/jest' ? '@types/jest' : '@jest/globals'],
    files: { ...hosts[host], 'tsconfig.json': { compilerOptions: options, include: ['*.ts'] } },
  });
  const compiler = require.resolve(version === '6.0' ? 'typescript-6/bin/tsc' : 'typescript/bin/tsc');
  const { stdout, status } = await project.node([compiler, '-p', '.']);
  const ours = stdout.split('\n').filter((line) => line !== '' && !/^(node_modules\/(?!jest-adk)|\.\.\/)/.test(line));
  expect({ status: ours.length === 0 ? 0 : status, ours }).toEqual({ status: 0, ours: [] });
});
