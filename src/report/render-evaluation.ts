import { figure } from '../evaluation/figures';
import { policyName } from '../evaluation/verdict';
import type { CaseResult, EvalSetResult, EvaluationResult, MetricSummary } from '../results/model';
import { redactKnown } from '../support/secrets';
import { displayWidth, padEndTo, printable, wrapTo } from '../support/text-width';
import type { MessageColors } from './failure-text';
import { outcomeMark } from './marks';
import { shortPath } from './paths';
import { recordedText } from './recorded';
import { plural } from './totals';

/** How an evaluation is printed. */
export interface RenderOptions {
  readonly colors?: Partial<MessageColors>;
  /** Columns; 80 when left out. */
  readonly width?: number;
  /** Paths below this folder are shown relative to it; the working directory when left out. */
  readonly cwd?: string;
}

const plain = (text: string): string => text;

/** Every case of an evaluation with its scores, passed or not, and where the results were saved: for scripts that call `AgentEvaluator` outside a test. */
export function renderEvaluation(result: EvaluationResult, { colors, width = 80, cwd = process.cwd() }: RenderOptions = {}): string {
  const all = { red: plain, yellow: plain, green: plain, dim: plain, ...colors };
  return redactKnown(result.sets.flatMap((set) => [...setLines(set, all, width, cwd), '']).slice(0, -1).join('\n'));
}

function setLines(set: EvalSetResult, colors: MessageColors, width: number, cwd: string): readonly string[] {
  const file = set.evalSetFile === undefined ? '' : ` (${shortPath(set.evalSetFile, cwd)})`;
  const passed = set.cases.filter((each) => each.outcome === 'passed').length;
  const head = `${outcomeMark(set.outcome, colors)} ${printable(set.evalSetId)}${file}: ${passed} of ${plural(set.cases.length, 'case')} passed; ${plural(set.numRuns, 'trial')} each, pass policy ${policyName(set.passPolicy)}`;
  const idWidth = Math.max(0, ...set.cases.map((each) => displayWidth(printable(each.evalId))));
  return [
    ...wrapTo(head, width - 4).map((line, index) => (index === 0 ? line : `    ${line}`)),
    ...set.cases.flatMap((each) => caseLines(each, colors, Math.min(idWidth, 30), width)),
    ...(set.resultFile === undefined ? [] : [colors.dim(`  saved: ${shortPath(set.resultFile, cwd)}`)]),
  ];
}

function caseLines(result: CaseResult, colors: MessageColors, idWidth: number, width: number): readonly string[] {
  const scores = result.metrics.filter(({ status }) => status !== 'informational').map(scoreText);
  const recorded = recordedText(result.metrics);
  const reasons = result.outcome === 'passed' ? [] : result.failures.filter((failure) => failure.metricName === undefined).map((failure) => printable(failure.message));
  const hanging = 4 + idWidth + 2;
  const lines = [...scores, ...reasons, ...(recorded === '' ? [] : [recorded])].flatMap((text) => wrapTo(text, width - hanging));
  const head = `  ${outcomeMark(result.outcome, colors)} ${padEndTo(printable(result.evalId), idWidth)}`;
  const sameLine = displayWidth(printable(result.evalId)) <= idWidth && lines.length > 0;
  return [sameLine ? `${head}  ${lines[0] ?? ''}` : head.trimEnd(), ...lines.slice(sameLine ? 1 : 0).map((line) => ' '.repeat(hanging) + line)];
}

function scoreText({ metricName, score, threshold, direction, status, reason }: MetricSummary): string {
  const needs = threshold === null ? '' : ` (needs ${direction === 'min' ? 'at most ' : ''}${figure(threshold)})`;
  const why = score === null || status === 'error' ? `, ${status === 'error' ? 'error' : 'not evaluated'}${reason === undefined ? '' : `: ${printable(reason)}`}` : '';
  return `${printable(metricName)} ${score === null ? '–' : figure(score)}${needs}${why}`;
}
