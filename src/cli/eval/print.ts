/** What a finished evaluation looks like on a terminal: results on stdout, failures and the summary on stderr. */
import { join, relative } from 'node:path';
import { policyName } from '../../evaluation/verdict';
import { conversationLines } from '../../report/conversation-lines';
import type { MessageColors } from '../../report/failure-text';
import { turnLines } from '../../report/failure-turns';
import { metricLines } from '../../report/metric-lines';
import { countText, durationText, plural, tokenTotals, roleText, roleTotals } from '../../report/totals';
import type { CaseResult, EvalSetResult, EvaluationResult } from '../../results/model';
import { safeFileName } from '../../support/ids';
import { printable, wrapTo } from '../../support/text-width';
import { verdictOf } from './exit-code';

/** How it is printed. */
export interface Printing {
  readonly colors: MessageColors;
  /** Columns. */
  readonly width: number;
  readonly detailed: boolean;
  /** Paths below it are shown relative to it. */
  readonly cwd: string;
}

/** The results: a line per set, with `detailed` every case, metric and turn. */
export function resultLines(result: EvaluationResult, printing: Printing): readonly string[] {
  return result.sets.flatMap((set) => [setLine(set, printing), ...(printing.detailed ? set.cases.flatMap((each) => detailedLines(each, printing)) : [])]);
}

function setLine(set: EvalSetResult, { cwd, colors }: Printing): string {
  const passed = set.cases.filter((each) => verdictOf(each) === 'passed').length;
  const mark = passed === set.cases.length ? colors.green('✓') : colors.red('✗');
  const file = set.evalSetFile === undefined ? '' : ` (${relative(cwd, set.evalSetFile)})`;
  return `${mark} ${printable(set.evalSetId)}${file}: ${passed} of ${plural(set.cases.length, 'case')} passed; ${plural(set.numRuns, 'trial')} each, pass policy ${policyName(set.passPolicy)}`;
}

function detailedLines(result: CaseResult, { colors, width }: Printing): readonly string[] {
  const lines = metricLines(result).map(({ status, text }) => `  ${status === 'passed' ? colors.green(text) : status === 'informational' ? colors.dim(text) : colors.red(text)}`);
  return [...lines, ...conversationLines(result, width)];
}

/** What did not pass, for stderr: metrics that missed, with the turns behind them; what could not be asked, a line per trial. */
export function failureLines(result: EvaluationResult, printing: Printing): readonly string[] {
  return result.sets.flatMap((set) => [
    ...set.cases.filter((each) => each.outcome !== 'passed').flatMap((each) => caseLines(each, set, printing)),
    ...(set.error === undefined ? [] : [`${printing.colors.yellow('!')} Evaluation failed: ${printable(set.evalSetId)}: ${printable(set.error.message)}`]),
  ]);
}

function caseLines(result: CaseResult, set: EvalSetResult, printing: Printing): readonly string[] {
  const { colors, width, cwd, detailed } = printing;
  const verdict = verdictOf(result);
  const place = result.place === undefined ? '' : colors.dim(`  ${relative(cwd, result.place.file)}:${result.place.line}`);
  const mark = verdict === 'failed' ? colors.red('✗') : colors.yellow('!');
  const missed = metricLines(result).filter(({ status }) => status !== 'passed' && status !== 'informational');
  const named = new Set(missed.map(({ metricName }) => metricName));
  const others = result.failures.filter(({ kind, metricName }) => kind !== 'inference_error' && (metricName === undefined || !named.has(metricName)));
  return [
    `${mark} ${printable(set.evalSetId)} › ${printable(result.evalId)}${place}`,
    ...missed.flatMap(({ metricName, status, text }) => [`  ${status === 'error' ? colors.yellow(`Evaluation failed: ${text}`) : colors.red(text)}`, ...turnLines(result, metricName, { width, indent: 6, detailed })]),
    ...others.flatMap(({ kind, message }) => wrapTo(`${kind === 'metric_error' ? 'Evaluation failed: ' : ''}${printable(message)}`, width - 4).map((line) => `    ${line}`)),
    ...inferenceLines(result, set).map((line) => `  ${colors.yellow(line)}`),
  ];
}

/** Never wrapped: one line per trial that failed. */
function inferenceLines(result: CaseResult, set: EvalSetResult): readonly string[] {
  const where = `${printable(set.evalSetId)} ${printable(result.evalId)}`;
  if (result.trials.length === 0) return [`INFERENCE FAILED ${where}: ${printable(result.error?.message ?? '')}`];
  return result.trials.flatMap(({ trial }) => {
    if (trial.error === undefined) return [];
    const run = `(run ${trial.trial + 1} of ${set.numRuns})`;
    return [trial.endReason === 'aborted' ? `not run to its end: ${where} ${run}` : `INFERENCE FAILED ${where} ${run}: ${printable(trial.error.message)}`];
  });
}

/** Warnings of all sets, each once. */
export function warningLines(result: EvaluationResult, { colors, width }: Printing): readonly string[] {
  const warnings = new Set(result.sets.flatMap((set) => set.warnings));
  return [...warnings].flatMap((warning) => wrapTo(`warning: ${printable(warning)}`, width).map((line, index) => colors.yellow(index === 0 ? line : `  ${line}`)));
}

/** Counts, pass rate, time, tokens. */
export function summaryLine(result: EvaluationResult, durationMs: number, startedAt: number): string {
  const verdicts = result.sets.flatMap((set) => set.cases).map(verdictOf);
  const count = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length;
  const [first] = result.sets;
  const trials = result.sets.flatMap((set) => set.cases).reduce((sum, each) => sum + each.trials.length, 0);
  const tokens = tokenTotals({ evaluations: [{ result, startedAt, durationMs }] });
  const rate = verdicts.length === 0 ? '' : ` (${Math.floor((count('passed') / verdicts.length) * 100)}%)`;
  return [
    `${count('passed')} of ${plural(verdicts.length, 'case')} passed${rate}, ${count('failed')} failed, ${plural(count('error'), 'error')}${count('not_run') === 0 ? '' : `, ${count('not_run')} not run`}`,
    `${plural(trials, 'trial')}, pass policy ${first === undefined ? 'none' : policyName(first.passPolicy)}`,
    durationText(durationMs),
    tokens === undefined ? 'tokens not reported' : `${countText(tokens.total)} tokens (${countText(tokens.input)} in, ${countText(tokens.output)} out)`,
    ...roleTotals({ evaluations: [{ result }] }).map((totals) => `${totals.role.toLowerCase()} ${roleText(totals)}`),
  ].join('; ');
}

/** Folders into which something was saved, below the results folder as it was given. */
export function savedFolders(result: EvaluationResult, resultsDir: string): readonly string[] {
  const saved = result.sets.filter((set) => set.resultFile !== undefined);
  return [...new Set(saved.map((set) => join(resultsDir, set.compatibility === 'google-adk' ? set.appName : safeFileName(set.appName), '.adk', 'eval_history')))];
}
