import { isInvocationEvents, type Invocation, type InvocationEvent } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import type { Metric, MetricContext, MetricDetails, MetricScore } from './types';
import { merge } from '../support/merge';

/** What an efficiency metric finds in a turn or a case. null: not available, which is not 0. */
export interface EfficiencyValue {
  readonly score: number | null;
  readonly details?: MetricDetails;
}

interface EfficiencyMetric {
  readonly name: string;
  readonly description: string;
  turn(turn: Invocation | ActualInvocation, context: MetricContext): EfficiencyValue;
  /** Called for one turn or more. */
  total(turns: readonly EfficiencyValue[]): EfficiencyValue;
}

/** Makes one of the metrics that are recorded for every case and never judged. */
export function efficiencyMetric(definition: EfficiencyMetric): Metric {
  return {
    name: definition.name,
    info: { metricName: definition.name, description: definition.description, metricValueInfo: {}, requiresThreshold: false },
    neverJudged: true,
    needs: [],
    readCriterion: (criterion) => ({ criterion, problems: [] }),
    evaluate(input, context): MetricScore {
      const turns = input.actual.map((turn) => definition.turn(turn, context));
      const total = turns.length === 0 ? { score: null } : definition.total(turns);
      const status = 'informational' as const;
      return merge(total, { status, perInvocation: turns.map((turn) => merge(turn, { status })) });
    },
  };
}

/** The recorded events of a turn; undefined when its data has the other shape, which says nothing about model calls. */
export function eventsOf(turn: Invocation): readonly InvocationEvent[] | undefined {
  const data = turn.intermediateData;
  return data !== undefined && isInvocationEvents(data) ? data.invocationEvents : undefined;
}

/** Sum of what is there; null when nothing is. */
export function sumAvailable(values: readonly (number | null | undefined)[]): number | null {
  const available = values.filter((value) => value !== null && value !== undefined);
  return available.length === 0 ? null : available.reduce((sum, value) => sum + Number(value), 0); // counts beyond 2^53 are read as bigint
}

/** Mean of what is there; null when nothing is. */
export function meanAvailable(values: readonly (number | null | undefined)[]): number | null {
  const available = values.filter((value) => value !== null && value !== undefined);
  const sum = sumAvailable(available);
  return sum === null ? null : sum / available.length;
}

/** Rounds to three digits as Python does: the exact binary value decides, and a real tie goes to the even digit. */
export function roundToThree(value: number): number {
  const sixteenths = value * 16;
  // n/2000 is a tie only where a double can hold it, and those are the odd sixteenths.
  if (!Number.isInteger(sixteenths) || sixteenths % 2 === 0) return Number(value.toFixed(3));
  const below = Math.floor(value * 1000);
  return (below % 2 === 0 ? below : below + 1) / 1000;
}
