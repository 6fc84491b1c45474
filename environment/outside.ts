/** What `jest-adk` exports beside the core, outside Jest's sandboxes. Inside them the environment's own take their place. */
import { refusal } from '../src/support/errors';
import type { DescribeEvalSet } from './describe-eval-set';

export { createPreset, type JestConfiguration, type PresetOptions } from './preset';
export type { DescribeEvalSet, DescribeOptions } from './describe-eval-set';
export type { EnvironmentOptions } from './options';
export type { MatcherOptions } from './evaluate';
export type { AdkMatchers } from '../matchers/types';

/** Makes one Jest test per eval case; see `DescribeEvalSet`. Only test files have it. */
export const describeEvalSet: DescribeEvalSet = () => {
  throw refusal('not_in_jest', 'describeEvalSet makes Jest tests: it can only be called in a test file that Jest runs with the preset of jest-adk.');
};
