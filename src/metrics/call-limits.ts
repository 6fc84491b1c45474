import type { ToolCall } from './tool-calls';
import type { CallLimits } from './trajectory-criterion';

/**
 * Rules about calls that a trial broke, by the turn that broke them. `max_calls` is broken in the turn that makes one call too many,
 * `min_calls` in the last turn. All counts are over the whole trial.
 *
 * @param limits  the rules of the criterion
 * @param turns  the calls of each turn
 * @param everything  the same with what the selection leaves out: a forbidden call is one wherever it was made
 */
export function brokenLimits(limits: CallLimits, turns: readonly (readonly ToolCall[])[], everything = turns): ReadonlyMap<number, string[]> {
  const broken = new Map<number, string[]>();
  const note = (turn: number, line: string): void => void broken.set(turn, [...(broken.get(turn) ?? []), line]);
  const counts = new Map<string, number>();
  turns.forEach((calls, turn) => {
    for (const name of limits.forbiddenTools) {
      if (everything[turn]?.some((call) => call.name === name)) note(turn, `turn ${turn + 1} called forbidden tool ${name}`);
    }
    for (const call of calls) {
      const count = (counts.get(call.name ?? '') ?? 0) + 1;
      counts.set(call.name ?? '', count);
      const most = limits.maxCalls.get(call.name ?? '');
      if (most !== undefined && count === most + 1) note(turn, `turn ${turn + 1} made call ${count} of ${call.name}; max_calls allows ${most}`);
    }
  });
  for (const [name, least] of limits.minCalls) {
    const count = counts.get(name) ?? 0;
    if (count < least && turns.length > 0) note(turns.length - 1, `${name} was called ${count} times in all; min_calls asks for ${least}`);
  }
  return broken;
}
