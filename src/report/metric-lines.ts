/** Scores as single lines, the way pytest-adk prints them, so that what reads its output reads ours. */
import type { MetricStatus } from '../metrics/types';
import type { CaseResult, MetricSummary } from '../results/model';
import { pythonFloat } from '../support/numbers';
import { printable } from '../support/text-width';

/** A metric of a case: its line, and what it came to over all trials. */
export interface MetricLine {
  readonly metricName: string;
  readonly status: MetricStatus;
  readonly text: string;
}

/** `[case] metric: score=S threshold=T status=FAILED` for each metric of a case, informational ones last as they are configured. */
export function metricLines(result: CaseResult): readonly MetricLine[] {
  return result.metrics.map((metric) => {
    const failure = result.failures.find(({ metricName }) => metricName === metric.metricName);
    // The mean may pass where a trial did not.
    const status = failure?.kind === 'below_threshold' ? 'failed' : metric.status;
    return { metricName: metric.metricName, status, text: metricLine(result.evalId, metric, status) };
  });
}

function metricLine(evalId: string, { metricName, score, threshold, direction, reason }: MetricSummary, status: MetricStatus): string {
  const why = reason === undefined || status === 'passed' ? '' : `  ${printable(reason)}`;
  const limit = threshold === null ? 'None' : `${direction === 'min' ? '<=' : ''}${short(threshold, score)}`;
  return `[${printable(evalId)}] ${printable(metricName)}: score=${score === null ? 'None' : short(score, threshold)} threshold=${limit} status=${status.toUpperCase()}${why}`;
}

/** Four decimals, or all where fewer would hide the difference. */
function short(value: number, other: number | null): string {
  const rounded = Number(value.toFixed(4));
  return pythonFloat(other !== null && value !== other && rounded === Number(other.toFixed(4)) ? value : rounded);
}
