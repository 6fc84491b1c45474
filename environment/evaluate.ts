import type { EvaluateOptions } from '../src/evaluation/types';
import type { EvaluationResult } from '../src/results/model';
import type { EvalSetSource, MatcherOptions } from './calls';
import type { FileWorld } from './file-world';

/** Options of a call over those of the project. */
export function effectiveOptions(session: FileWorld, options: EvaluateOptions, signal?: AbortSignal): EvaluateOptions {
  const { detailed: _detailed, ...own } = options as MatcherOptions;
  const merged: EvaluateOptions = { ...session.defaults, ...own };
  const signals = [merged.signal, signal].filter((one) => one !== undefined);
  return {
    ...merged,
    ...(signals.length > 0 && { signal: signals.length === 1 ? (signals[0] as AbortSignal) : AbortSignal.any(signals) }),
  };
}

/** Plans, runs and saves an evaluation for a matcher. */
export async function evaluate(session: FileWorld, target: unknown, evalSets: EvalSetSource, options: MatcherOptions, signal: AbortSignal): Promise<EvaluationResult> {
  const core = session.core();
  const host = session.host();
  const plan = await core.planEvaluation({ target, evalSets, options: effectiveOptions(session, options, signal) }, host);
  return core.startEvaluation(plan, host).result;
}
