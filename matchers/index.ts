/** `jest-adk/matchers`: the matchers by name, for `expect.extend`. `jest-adk/register` (part of the preset) does that for all of them. */
export { configureToPassEvalSet, toPassEvalSet, type ToPassEvalSet } from './toPassEvalSet';
export { toHaveMetricScore, type ScoreBounds } from './toHaveMetricScore';
export { toHaveSessionState } from './toHaveSessionState';
export { toHaveToolCall, type ToolCallOptions } from './toHaveToolCall';
export { toHaveToolTrajectory, type ToolTrajectoryOptions } from './toHaveToolTrajectory';
export { toMatchResponse, type ResponseOptions } from './toMatchResponse';
export { toRespondTo, type RespondToOptions } from './toRespondTo';
export type { AdkMatchers } from './types';
