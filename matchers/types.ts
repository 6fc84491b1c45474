// The module must be loaded to be augmented.
import type {} from 'expect';
import type { EvalSetSource, MatcherOptions } from '../environment/calls';
import type { Content } from '../src/evalset/types';
import type { ToolCall } from '../src/metrics/tool-calls';
import type { ScoreBounds } from './toHaveMetricScore';
import type { ToolCallOptions } from './toHaveToolCall';
import type { ToolTrajectoryOptions } from './toHaveToolTrajectory';
import type { ResponseOptions } from './toMatchResponse';
import type { RespondToOptions } from './toRespondTo';

/** Every matcher, as `expect(…)` offers them. `R` is what a matcher gives that needs no waiting. */
export interface AdkMatchers<R> {
  /**
   * Evaluates the agent with an eval set: every case as often as `numRuns` says, every metric of the config that belongs to the set.
   * Must be awaited. Errors (an agent that could not be asked, a file that cannot be read) fail the test, also under `.not`.
   *
   * @param evalSets  path of a file or folder (`./` from the test file, others from rootDir), an eval set in code, or a list
   * @example
   * await expect(rootAgent).toPassEvalSet('./evals/home.test.json', { numRuns: 3, passPolicy: 'all' });
   */
  toPassEvalSet(evalSets: EvalSetSource, options?: MatcherOptions): Promise<void>;

  /**
   * Asks the agent for one turn, in a session of its own. Must be awaited.
   *
   * @example
   * await expect(agent).toRespondTo('turn on the lamp', { usingTools: [{ name: 'turn_on', args: { device: $any } }] });
   */
  toRespondTo(message: string | Content, options?: RespondToOptions): Promise<void>;

  /**
   * The trial made these tool calls: in every trial of a result, over all turns. Under `.not`: in none.
   *
   * @example
   * expect(result).toHaveToolTrajectory([{ name: 'search', args: { q: 'lamp' } }], { matchType: 'IN_ORDER' });
   */
  toHaveToolTrajectory(expected: readonly ToolCall[], options?: ToolTrajectoryOptions): R;

  /**
   * The tool was called, with at least these arguments. Under `.not`: in no trial.
   *
   * @example
   * expect(result).toHaveToolCall('turn_on', { args: { device: 'lamp' }, times: 1 });
   * expect(result).not.toHaveToolCall('delete_all');
   */
  toHaveToolCall(name: string, options?: ToolCallOptions): R;

  /**
   * The final response of the last turn (or of `turn`) is this text, fits this RegExp or matcher, or is this value as JSON.
   *
   * @example
   * expect(result).toMatchResponse(/lamp is on/i);
   * expect(result).toMatchResponse('The lamp is on.', { mode: 'rouge', atLeast: 0.7 });
   */
  toMatchResponse(expected: unknown, options?: ResponseOptions): R;

  /**
   * The metric's score, in every case of the result.
   *
   * @example
   * expect(result).toHaveMetricScore('response_match_score', { atLeast: 0.8 });
   */
  toHaveMetricScore(metricName: string, bounds: ScoreBounds): R;

  /**
   * The session's state after the last turn has these values; other keys are not looked at.
   *
   * @example
   * expect(result).toHaveSessionState({ lamp: 'on', log: expect.any(Array) });
   */
  toHaveSessionState(expected: Readonly<Record<string, unknown>>): R;
}

declare module 'expect' {
  // For `expect` of `@jest/globals`. The type parameters must be those of the original, the unused one included.
  interface Matchers<R extends void | Promise<void>, T = unknown> extends AdkMatchers<R> {}
}
