/**
 * `jest-adk/globals`: types for projects that use Jest's globals with `@types/jest`. Nothing at run time.
 *
 * @example
 * // tsconfig.json: "types": ["jest", "jest-adk/globals"]
 */
import type { AgentEvaluatorApi } from '../src/agent-evaluator';
import type { AdkMatchers } from './types';

declare global {
  namespace jest {
    // The type parameters must be those of the original, the unused one included.
    interface Matchers<R, T = {}> extends AdkMatchers<R> {}
  }
  /** Evaluates agents: one per test file, put there by the environment. */
  var AgentEvaluator: AgentEvaluatorApi;
}
