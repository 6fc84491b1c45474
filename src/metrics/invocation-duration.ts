import type { Invocation } from '../evalset/types';
import { efficiencyMetric, meanAvailable, roundToThree, type EfficiencyValue } from './efficiency';

const parts = ['totalSeconds', 'modelSeconds', 'toolSeconds', 'frameworkSeconds'] as const;
type Durations = Readonly<Record<(typeof parts)[number], number | null>>;

/** Parts of a turn's time, as measured; what neither model nor tools took is the framework's. Without a total nothing is known. */
function durations(turn: Invocation): Durations {
  if (turn.duration === undefined) return { totalSeconds: null, modelSeconds: null, toolSeconds: null, frameworkSeconds: null };
  const { duration, modelDuration, toolDuration } = turn;
  const rest = modelDuration === undefined || toolDuration === undefined ? null : roundToThree(Math.max(duration - modelDuration - toolDuration, 0));
  return { totalSeconds: duration, modelSeconds: modelDuration ?? null, toolSeconds: toolDuration ?? null, frameworkSeconds: rest };
}

function value(times: Durations): EfficiencyValue {
  return { score: times.totalSeconds, details: { durationDetails: { ...times } } };
}

function average(turns: readonly EfficiencyValue[]): Durations {
  const entries = parts.map((part) => {
    const mean = meanAvailable(turns.map((turn) => turn.details?.durationDetails?.[part]));
    return [part, mean === null ? null : roundToThree(mean)] as const;
  });
  return Object.fromEntries(entries) as Durations;
}

/** `invocation_duration_v1`: seconds of a turn and its parts, and their mean over the turns that were timed, rounded to milliseconds. */
export const invocationDuration = efficiencyMetric({
  name: 'invocation_duration_v1',
  description: 'Seconds per turn, and how much of them went to models and tools.',
  turn: (turn) => value(durations(turn)),
  total: (turns) => value(average(turns)),
});
