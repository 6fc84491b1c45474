/** The core, without Jest. Rooms add what they publish here; `index.ts` beside `src/` is the package's entry. */
export type * from './evalset/types';
export type * from './config/types';
export type * from './results/model';
export { JestAdkError, type ErrorInfo, type Problem } from './support/errors';
export { AgentEvaluationError, createAgentEvaluator, type AgentEvaluatorApi, type AgentEvaluatorOptions, type EvaluateArguments, type EvaluateEvalSetArguments } from './agent-evaluator';
export type { MigrationOptions } from './evaluation/migrate';
export { planEvaluation } from './evaluation/plan';
export { startEvaluation } from './evaluation/run';
export type * from './evaluation/types';
export { evaluationMessage, type MessageColors, type MessageOptions } from './report/failure-text';
