import { figure } from '../evaluation/figures';
import type { MetricStatus } from '../metrics/types';
import type { CaseResult, MetricSummary } from '../results/model';
import { displayWidth, padEndTo, padStartTo, printable, wrapTo } from '../support/text-width';
import type { SummaryContext } from './context';
import type { MessageColors } from './failure-text';
import { shortPath } from './paths';
import { recordedText } from './recorded';

/** A case that failed: its id and place, a row per metric with score and threshold, what no metric tells, and how to run it again. */
export function failureTable(result: CaseResult, context: SummaryContext): readonly string[] {
  const judged = result.metrics.filter(({ status }) => status !== 'informational');
  const rows = judged.map(metricRow);
  const [name, score] = [widest(rows.map((row) => row.name)), widest(rows.map((row) => row.score))];
  const table = rows.map((row) => `        ${statusMark(row.status, context.colors)} ${padEndTo(row.name, name)}  ${padStartTo(row.score, score)}  ${row.needs}`.trimEnd());
  const others = result.failures.filter((failure) => failure.metricName === undefined || !judged.some((metric) => metric.metricName === failure.metricName));
  return [...headLine(result, context), ...table, ...recordedLines(result, context), ...others.flatMap((failure) => marked(printable(`${failure.metricName === undefined ? '' : `${failure.metricName}: `}${failure.message}`), context)), ...rerunLines(result, context)];
}

function recordedLines(result: CaseResult, { colors, width }: SummaryContext): readonly string[] {
  const text = recordedText(result.metrics);
  return text === '' ? [] : wrapTo(text, width - 10).map((line, index) => colors.dim(index === 0 ? `        · ${line}` : `          ${line}`));
}

/** A case that could not be evaluated: its id and place and every reason. */
export function errorLines(result: CaseResult, context: SummaryContext): readonly string[] {
  const reasons = new Set([...(result.error === undefined ? [] : [result.error.message]), ...result.failures.map((failure) => failure.message)]);
  return [...headLine(result, context), ...[...reasons].flatMap((reason) => marked(printable(reason), context)), ...rerunLines(result, context)];
}

/** A row of the table of metrics, before it is aligned. */
interface MetricRow {
  readonly name: string;
  readonly status: MetricStatus;
  readonly score: string;
  readonly needs: string;
}

function metricRow({ metricName, score, threshold, direction, status, reason, unstable }: MetricSummary): MetricRow {
  let digits = 2;
  while (digits < 15 && status === 'failed' && score !== threshold && figure(score, digits) === figure(threshold, digits)) digits += 1;
  const limit = direction === 'min' ? 'at most ' : '';
  const wanted = threshold === null ? 'not judged' : `needs ${limit}${figure(threshold, digits)}`;
  const why = reason === undefined || status === 'passed' ? '' : `  ${printable(reason)}`;
  return { name: printable(metricName), status, score: score === null ? '–' : figure(score, digits), needs: `${wanted}${why}${unstable === true ? '  unstable: the judge was not of one mind' : ''}` };
}

function statusMark(status: MetricStatus, colors: MessageColors): string {
  if (status === 'passed') return colors.green('✓');
  return status === 'failed' ? colors.red('✗') : colors.yellow('!');
}

function headLine(result: CaseResult, { colors, cwd, width }: SummaryContext): readonly string[] {
  const id = printable(result.evalId);
  if (result.place === undefined) return [`      ${id}`];
  const place = `${shortPath(result.place.file, cwd)}:${result.place.line}`;
  if (6 + displayWidth(id) + 2 + displayWidth(place) <= width) return [`      ${id}  ${colors.dim(place)}`];
  return [`      ${id}`, `        ${colors.dim(place)}`];
}

function marked(text: string, { colors, width }: SummaryContext): readonly string[] {
  return wrapTo(text, width - 10).map((line, index) => (index === 0 ? `        ${colors.yellow('!')} ${line}` : `          ${line}`));
}

/** On one line however long it is: a command that was broken cannot be copied. */
function rerunLines(result: CaseResult, { colors, rerun }: SummaryContext): readonly string[] {
  return [`        ${colors.dim('rerun:')} ${rerun(result)}`];
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(displayWidth));
}
