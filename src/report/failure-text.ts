/** The text of an evaluation that did not pass: every failure and error at once, the smallest useful difference, path last. */
import { isAbsolute, relative } from 'node:path';
import { figure } from '../evaluation/figures';
import { policyName } from '../evaluation/verdict';
import type { CaseFailure, CaseResult, EvalSetResult, EvaluationResult } from '../results/model';
import { redactKnown } from '../support/secrets';
import { displayWidth, printable, wrapTo } from '../support/text-width';
import { conversationLines } from './conversation-lines';
import { turnLines } from './failure-turns';

/** Colour functions; each defaults to no colour. */
export interface MessageColors {
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** How an evaluation is told. */
export interface MessageOptions {
  /** First line, e.g. `expect(agent).toPassEvalSet("evals/home.test.json")`; none when left out. */
  readonly matcherHint?: string;
  readonly colors?: Partial<MessageColors>;
  /** Columns; 80 when left out. */
  readonly width?: number;
  /** Prompt, expected and actual answer of every turn that failed. */
  readonly detailed?: boolean;
  /** Paths below this folder are shown relative to it; the working directory when left out. */
  readonly cwd?: string;
}

interface Context {
  readonly colors: MessageColors;
  readonly width: number;
  readonly detailed: boolean;
  readonly cwd: string;
}

const plain = (text: string): string => text;

/**
 * What an evaluation came to, for a matcher, an error or a log.
 *
 * @returns lines joined by line breaks, readable without colour; also for an evaluation that passed (a failing `.not`)
 */
export function evaluationMessage(result: EvaluationResult, options: MessageOptions = {}): string {
  const colors = { red: plain, yellow: plain, green: plain, dim: plain, ...options.colors };
  const context: Context = { colors, width: options.width ?? 80, detailed: options.detailed ?? false, cwd: options.cwd ?? process.cwd() };
  const cases = result.sets.flatMap((set) => set.cases);
  const lines = [
    ...(options.matcherHint === undefined ? [] : [options.matcherHint, '']),
    headline(result, cases),
    '',
    ...result.sets.flatMap((set) => setLines(set, result.sets.length > 1, context)),
    ...footer(result, context),
  ];
  return redactKnown(lines.join('\n'));
}

function headline(result: EvaluationResult, cases: readonly CaseResult[]): string {
  const failed = cases.filter((one) => one.outcome === 'failed').length;
  const errors = cases.filter((one) => one.outcome === 'error').length;
  const total = `of ${cases.length} case${cases.length === 1 ? '' : 's'}`;
  const how = unique(result.sets.map((set) => `${set.numRuns} trial${set.numRuns === 1 ? '' : 's'} each, pass policy ${policyName(set.passPolicy)}`)).join('; ');
  if (cases.length === 0) return 'no case was evaluated';
  if (failed + errors === 0) return `${cases.length} ${total} passed (${how})`;
  if (failed === 0) return `${errors} ${total} could not be evaluated (${how})`;
  return `${failed + errors} ${total} failed${errors === 0 ? '' : `, ${errors} of them with an error`} (${how})`;
}

function setLines(set: EvalSetResult, named: boolean, context: Context): readonly string[] {
  const cases = set.cases.filter((one) => one.outcome !== 'passed');
  const flaky = set.cases.filter((one) => one.flaky && one.outcome === 'passed');
  const passed = set.cases.length > 0 && cases.length === 0 && flaky.length === 0 ? [`  ${context.colors.green('✓')} ${set.cases.length} passed`] : [];
  const unsaved = set.error === undefined ? [] : placed(context.colors.yellow('!'), `results not saved  error: ${printable(set.error.message)}`, '', context);
  const body = [...cases.flatMap((one) => caseLines(one, context)), ...flaky.map((one) => flakyLine(one, context)), ...passed, ...unsaved];
  if (body.length === 0) return [];
  return [...(named ? [`${printable(set.evalSetId)}${set.evalSetFile === undefined ? '' : context.colors.dim(`  ${show(set.evalSetFile, context)}`)}`] : []), ...body, ''];
}

function caseLines(result: CaseResult, context: Context): readonly string[] {
  return [...failureLines(result, context), ...playedLines(result, context)];
}

/** A conversation with a simulated user stands in no file: it is shown as it went, and how it ended. */
function playedLines(result: CaseResult, context: Context): readonly string[] {
  if (result.expected !== null || result.trials.every(({ trial }) => trial.invocations.length === 0)) return [];
  const ends = unique(result.trials.map(({ trial }) => trial.endReason));
  return [`      the conversation, ended by ${ends.join(' or ')}`, ...conversationLines(result, context.width).map((line) => `  ${line}`)];
}

function failureLines(result: CaseResult, context: Context): readonly string[] {
  return result.failures.flatMap((failure) => {
    const isError = failure.kind === 'metric_error' || failure.kind === 'inference_error' || result.outcome === 'error' && failure.kind === 'not_evaluated';
    const mark = isError ? context.colors.yellow('!') : context.colors.red('✗');
    const head = `${printable(result.evalId)}${failure.metricName === undefined ? '' : ` › ${failure.metricName}`}`;
    const turns = failure.metricName === undefined ? [] : turnLines(result, failure.metricName, { width: context.width, indent: 6, detailed: context.detailed });
    return [...placed(mark, `${head}  ${what(failure, isError)}`, place(result, context), context), ...turns];
  });
}

function what(failure: CaseFailure, isError: boolean): string {
  const text = printable(failure.message);
  return isError ? `error: ${text} (not a verdict on the agent)` : text;
}

function flakyLine(result: CaseResult, context: Context): string {
  const passed = result.trials.filter((trial) => trial.status === 'passed').length;
  return `  ${context.colors.yellow('~')} ${printable(result.evalId)}  flaky: passed in ${passed} of ${result.trials.length} trials`;
}

function place(result: CaseResult, context: Context): string {
  return result.place === undefined ? '' : `${show(result.place.file, context)}:${result.place.line}`;
}

/** One marked line, its path last: behind the text where there is room, else on a line of its own. */
function placed(mark: string, text: string, path: string, context: Context): readonly string[] {
  const pieces = wrapTo(text, context.width - 6);
  const last = pieces[pieces.length - 1] ?? '';
  const lines = pieces.map((piece, index) => (index === 0 ? `  ${mark} ${piece}` : `      ${piece}`));
  if (path === '') return lines;
  const indent = pieces.length === 1 ? 4 : 6;
  if (indent + displayWidth(last) + 3 + displayWidth(path) <= context.width) return [...lines.slice(0, -1), `${lines[lines.length - 1]}   ${context.colors.dim(path)}`];
  return [...lines, `      ${context.colors.dim(path)}`];
}

function footer(result: EvaluationResult, context: Context): readonly string[] {
  const { dim, yellow } = context.colors;
  const warnings = unique(result.sets.flatMap((set) => set.warnings)).flatMap((warning) => wrapTo(`warning: ${printable(warning)}`, context.width).map((line, index) => (index === 0 ? yellow(line) : `  ${yellow(line)}`)));
  const configs = unique(result.sets.map((set) => configText(set, context)));
  const files = result.sets.flatMap((set) => (set.resultFile === undefined ? [] : [show(set.resultFile, context)]));
  return [...warnings, ...configs.map((text) => dim(`config: ${text}`)), ...files.map((file) => dim(`results: ${file}`))];
}

function configText(set: EvalSetResult, context: Context): string {
  if (set.config.file !== undefined) return show(set.config.file, context);
  const judged = unique(set.cases.flatMap((one) => one.metrics).filter((metric) => metric.threshold !== null).map((metric) => `${metric.metricName} ${figure(metric.threshold)}`));
  const name = set.config.reason === 'default' ? 'built-in defaults' : 'given in code';
  return judged.length === 0 ? name : `${name} (${judged.join(', ')})`;
}

/** A path below the working directory without it, others in full. */
function show(path: string, context: Context): string {
  const below = relative(context.cwd, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
