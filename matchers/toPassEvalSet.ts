import type { EvalSetSource, MatcherOptions } from '../environment/calls';
import type { EvaluationResult } from '../src/results/model';
import { bridgeFor, colorsOf, hintFor, nameOf, type MatcherContext, type MatcherResult } from './support/context';

/** Type of `toPassEvalSet`, for `expect.extend`. */
export type ToPassEvalSet = (this: MatcherContext, received: unknown, evalSets: EvalSetSource, options?: MatcherOptions) => Promise<MatcherResult>;

/**
 * Makes a `toPassEvalSet` with defaults of your own.
 *
 * @example
 * expect.extend({ toPassEvalSet: configureToPassEvalSet({ numRuns: 5, passPolicy: 'majority' }) });
 */
export function configureToPassEvalSet(defaults: MatcherOptions = {}): ToPassEvalSet {
  return function toPassEvalSet(this: MatcherContext, received, evalSets, options = {}) {
    const bridge = bridgeFor('toPassEvalSet');
    const name = nameOf(evalSets);
    return bridge.watch({ what: `toPassEvalSet(${name})` }, async (signal) => {
      const merged = { ...defaults, ...options };
      const result = await bridge.evaluate(received, evalSets, merged, signal);
      const matcherHint = hintFor(this, 'toPassEvalSet', typeof received === 'string' ? JSON.stringify(received) : 'agent', name);
      const message = (): string => bridge.core().evaluationMessage(result, { matcherHint, colors: colorsOf(this), detailed: merged.detailed ?? false });
      // An error is no verdict: it fails the test under `.not` as well.
      if (result.outcome === 'error' || (this.isNot === true && agentErred(result))) throw new Error(message());
      return { pass: result.outcome === 'passed', message };
    });
  };
}

/** An agent could not be asked: with google-adk's verdicts that is a failed case, but no reason for a `.not` to pass. */
function agentErred(result: EvaluationResult): boolean {
  return result.sets.some(({ cases }) => cases.some(({ trials }) => trials.some(({ trial }) => trial.error !== undefined)));
}

/** `toPassEvalSet` without defaults. */
export const toPassEvalSet = configureToPassEvalSet();
