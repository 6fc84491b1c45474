import type { ToolCall } from '../src/metrics/tool-calls';
import type { TrajectoryOptions } from '../src/metrics/trajectory-criterion';
import { bridgeFor, hintFor, type MatcherContext, type MatcherResult } from './support/context';
import { judgeSubjects, subjectsOf, turnsAt } from './support/subjects';

/** Options of `toHaveToolTrajectory`: those of the criterion of `tool_trajectory_avg_score`, and which turn is meant. */
export interface ToolTrajectoryOptions extends TrajectoryOptions {
  /** Counts from 1; when left out, the calls of all turns count, in order. */
  readonly turn?: number;
  /** Least score that passes, for graded match types; 1 when left out. */
  readonly atLeast?: number;
}

/** Compares the tool calls of a trial with the expected ones. */
export function toHaveToolTrajectory(this: MatcherContext, received: unknown, expected: readonly ToolCall[], options: ToolTrajectoryOptions = {}): MatcherResult {
  const core = bridgeFor('toHaveToolTrajectory').core();
  const { turn, ...rules } = options;
  const subjects = subjectsOf(this, 'toHaveToolTrajectory', received);
  const hint = hintFor(this, 'toHaveToolTrajectory', 'result', `[${expected.map(({ name }) => name).join(', ')}]`);
  return judgeSubjects(this, hint, subjects, (subject) => {
    const calls = turnsAt(subject, turn).flatMap((one) => core.toolCallsOf(one, core.defaultProfile, rules));
    const { pass, explanation } = core.compareToolCalls(calls, expected, rules);
    return { holds: pass, lines: pass ? ['made these calls'] : explanation };
  });
}
