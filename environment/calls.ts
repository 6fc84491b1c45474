/** What users pass to the calls that evaluate in a test file. */
import type { EvaluateOptions, EvalSetSource as OneEvalSet } from '../src/evaluation/types';

/** A path, an eval set, or several of them. */
export type EvalSetSource = OneEvalSet | readonly OneEvalSet[];

/** Options of `toPassEvalSet` and `describeEvalSet`. */
export interface MatcherOptions extends EvaluateOptions {
  /** Shows prompt, expected and actual answer of every turn that failed. */
  readonly detailed?: boolean;
}

/** Options of `describeEvalSet`. */
export interface DescribeOptions extends MatcherOptions {
  /** Each case is run inside its own test, one after the other, instead of all together at the start of the file. */
  readonly serial?: boolean;
}

/**
 * Makes one Jest test per eval case, in a `describe` block per eval set. The cases that are selected start together, before the
 * first test of the file; each test waits for its own.
 *
 * @param target  what is evaluated: an agent, an `App` or `Runner`, a factory, a function, or the path of a module
 * @param evalSets  a path (file, folder, `file:case1,case2`), an eval set in code, or a list of these
 * @example
 * describeEvalSet(rootAgent, './evals/home.test.json', { numRuns: 3 });
 */
export type DescribeEvalSet = (target: unknown, evalSets: EvalSetSource, options?: DescribeOptions) => void;
