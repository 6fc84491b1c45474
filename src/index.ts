/** The core, without Jest. Rooms add what they publish here; `index.ts` beside `src/` is the package's entry. */
export type * from './evalset/types';
export type * from './config/types';
export type * from './results/model';
export { JestAdkError, type ErrorInfo, type Problem } from './support/errors';
export { AgentEvaluationError, createAgentEvaluator, type AgentEvaluatorApi, type AgentEvaluatorOptions, type EvaluateArguments, type EvaluateEvalSetArguments } from './agent-evaluator';
export type { MigrationOptions } from './evaluation/migrate';
export { listCases, type ListedCase, type ListedSet } from './evaluation/list-cases';
export { planEvaluation } from './evaluation/plan';
export { startEvaluation } from './evaluation/run';
export { runSingleTurn, type TurnStart } from './evaluation/single-turn';
export type * from './evaluation/types';
export { evaluationMessage, type MessageColors, type MessageOptions } from './report/failure-text';
export { compareToolCalls, matchResponse, type CompareToolCallsOptions, type Comparison, type ExpectedToolCall, type MatchResponseOptions } from './metrics/compare';
export type { CustomMetricFunction, CustomMetricResult, CustomMetricSpec, CustomTurnResult } from './metrics/custom';
export { $any, match, type ArgumentMatcher, type PredicateMatcher } from './metrics/matchers';
export { toolCallsOf, type ToolCall } from './metrics/tool-calls';
export { defaultProfile } from './support/profile';
