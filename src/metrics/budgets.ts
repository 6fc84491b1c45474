import type { Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { CriterionFields } from './criterion-fields';
import { eventsOf, sumAvailable } from './efficiency';
import { isActual } from './text';
import { tokenUsage } from './token-usage';
import { toolCallsOf } from './tool-calls';
import { scoreTurns } from './turns';
import type { Metric, MetricContext, MetricInput, MetricScore } from './types';
import { judge } from './verdict';

type Turn = Invocation | ActualInvocation;

/** Something that a turn spends. */
interface Quantity {
  readonly name: string;
  readonly unit: string;
  /** null: the target does not say. */
  measure(turn: Turn, context: MetricContext): number | null;
}

const quantities: readonly Quantity[] = [
  { name: 'latency_ms', unit: 'ms', measure: latencyMs },
  { name: 'tokens', unit: 'tokens', measure: tokens },
  { name: 'tool_calls', unit: 'tool calls', measure: (turn, { profile, selection }) => toolCallsOf(turn, profile, selection).length },
  { name: 'model_calls', unit: 'model calls', measure: modelCalls },
];

function latencyMs(turn: Turn): number | null {
  if (isActual(turn)) return turn.latencyMs;
  return turn.duration === undefined ? null : turn.duration * 1000;
}

function tokens(turn: Turn): number | null {
  const observed = isActual(turn) ? turn.usageByModel.map(({ usage }) => usage) : [];
  if (observed.length > 0) return tokenUsage(observed).totalTokens;
  return tokenUsage((eventsOf(turn) ?? []).flatMap((event) => (event.usageMetadata === undefined ? [] : [event.usageMetadata]))).totalTokens;
}

function modelCalls(turn: Turn): number | null {
  if (isActual(turn) && turn.usageByModel.length > 0) return turn.usageByModel.reduce((sum, { calls }) => sum + calls, 0);
  return eventsOf(turn)?.filter((event) => event.usageMetadata !== undefined || event.modelVersion !== undefined).length ?? null;
}

/**
 * What a trial may spend: `turn_latency_ms`, `turn_tokens`, `turn_tool_calls`, `turn_model_calls` are judged per turn and averaged,
 * the `total_` forms over the whole trial. The threshold is the budget; lower is better.
 */
export const budgetMetrics: readonly Metric[] = quantities.flatMap((quantity) => [turnBudget(quantity), totalBudget(quantity)]);

function budget(name: string, description: string, evaluate: Metric['evaluate']): Metric {
  return {
    name,
    info: { metricName: name, description, metricValueInfo: {}, direction: 'min' },
    needs: [],
    readCriterion(raw, profile) {
      const fields = new CriterionFields(raw, [], profile);
      fields.reportKeys();
      return { criterion: raw, problems: fields.problems };
    },
    evaluate,
  };
}

function turnBudget(quantity: Quantity): Metric {
  const name = `turn_${quantity.name}`;
  return budget(name, `Budget per turn, in ${quantity.unit}.`, (input, context) => measureTurns(name, quantity, input, context));
}

function totalBudget(quantity: Quantity): Metric {
  const name = `total_${quantity.name}`;
  return budget(name, `Budget for the whole trial, in ${quantity.unit}.`, (input, context): MetricScore => {
    const turns = measureTurns(name, quantity, input, context);
    if (turns.status === 'error') return { ...turns, perInvocation: [] };
    const score = sumAvailable(turns.perInvocation.map((turn) => turn.score));
    if (score === null) return { score, status: 'not_evaluated', reason: turns.reason ?? unknown(quantity), perInvocation: [] };
    const status = judge(score, input.threshold, context.profile, 'min');
    return { score, status, perInvocation: [], ...(status === 'failed' ? { explanation: [spent(score, input.threshold, quantity)] } : {}) };
  });
}

function measureTurns(metricName: string, quantity: Quantity, input: MetricInput, context: MetricContext): MetricScore {
  const score = (turn: Turn): { score: number | null; reason?: string; explain?: () => string[] } => {
    const value = quantity.measure(turn, context);
    return value === null ? { score: null, reason: unknown(quantity) } : { score: value, explain: () => [spent(value, input.threshold, quantity)] };
  };
  return scoreTurns({ metricName, direction: 'min', score }, input, context);
}

function unknown(quantity: Quantity): string {
  return `The target does not report its ${quantity.unit === 'ms' ? 'latency' : quantity.unit}.`;
}

function spent(value: number, threshold: number | null, { unit }: Quantity): string {
  return `${Math.round(value * 10) / 10} ${unit}, budget ${threshold}`;
}
