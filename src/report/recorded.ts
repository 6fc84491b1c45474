import { figure } from '../evaluation/figures';
import type { MetricSummary } from '../results/model';
import { printable } from '../support/text-width';

/** Scores that nobody judges, in one go: `recorded: tool_call_count_v1 2.00, …`. Empty when there are none. */
export function recordedText(metrics: readonly MetricSummary[]): string {
  const recorded = metrics.filter(({ status, score }) => status === 'informational' && score !== null);
  return recorded.length === 0 ? '' : `recorded: ${recorded.map(({ metricName, score }) => `${printable(metricName)} ${figure(score)}`).join(', ')}`;
}
