/** What `jest-adk` exports beside the core, outside Jest's sandboxes. Inside them the environment's own take their place. */
import { createAgentEvaluator, type AgentEvaluatorApi } from '../src/agent-evaluator';
import type { Host } from '../src/evaluation/types';
import { refusal } from '../src/support/errors';
import type { DescribeEvalSet } from './calls';

export { createPreset, type JestConfiguration, type PresetOptions } from './preset';
export type { DescribeEvalSet, DescribeOptions, MatcherOptions } from './calls';
export type { EnvironmentOptions } from './options';
export type { AdkMatchers } from '../matchers/types';

/** Makes one Jest test per eval case; see `DescribeEvalSet`. Only test files have it. */
export const describeEvalSet: DescribeEvalSet = () => {
  throw refusal('not_in_jest', 'describeEvalSet makes Jest tests: it can only be called in a test file that Jest runs with the preset of jest-adk.');
};

/**
 * Evaluates agents in plain Node. Paths start at the working directory; modules, TypeScript too, are loaded from there. In a test
 * file the environment's own takes its place.
 *
 * @example
 * const result = await AgentEvaluator.evaluate({ agentModule: './agent', evalDatasetFilePathOrDir: 'evals', throwOnFailure: false });
 */
export const AgentEvaluator: AgentEvaluatorApi = createAgentEvaluator(nodeHost);

/** The world of a script. Everything is loaded at the call: importing the package costs nothing. */
function nodeHost(): Host {
  const { createNodeLoader } = require('../src/target/module-loader') as typeof import('../src/target/module-loader');
  const { openRunFolder, runResultsDir } = require('./run-folder') as typeof import('./run-folder');
  const folder = process.cwd();
  return { rootDir: folder, callerDir: folder, loader: createNodeLoader(), resultsDir: runResultsDir(openRunFolder()), listeners: [] };
}
