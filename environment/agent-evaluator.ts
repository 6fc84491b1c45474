import type { AgentEvaluatorApi as CoreEvaluator } from '../src/agent-evaluator';
import { effectiveOptions } from './evaluate';
import type { FileWorld } from './file-world';

/** The evaluator of one test file: relative paths start there, modules are loaded in its sandbox, its calls have to be awaited. */
export function agentEvaluatorFor(session: FileWorld): CoreEvaluator {
  const evaluator = (): CoreEvaluator => session.core().createAgentEvaluator(session.host());
  return {
    evaluate: (options) =>
      session.watch({ what: 'AgentEvaluator.evaluate()' }, (signal) => evaluator().evaluate({ ...options, ...effectiveOptions(session, options, signal) }), false),
    evaluateEvalSet: (options) =>
      session.watch({ what: 'AgentEvaluator.evaluateEvalSet()' }, (signal) => evaluator().evaluateEvalSet({ ...options, ...effectiveOptions(session, options, signal) }), false),
    findConfigForTestFile: (path) => session.translating(() => evaluator().findConfigForTestFile(path)),
    migrateEvalDataToNewSchema: (options) => session.translating(() => evaluator().migrateEvalDataToNewSchema(options)),
  };
}
