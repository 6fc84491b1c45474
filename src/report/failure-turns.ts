/** The turns behind a failed metric, explained: which turn of which trial, and what differed there. */
import type { Content } from '../evalset/types';
import type { CaseResult } from '../results/model';
import { displayWidth, printable, truncateTo, wrapTo } from '../support/text-width';

/** A turn that did not pass, and in how many trials it did so in the same way. */
interface TurnFinding {
  /** undefined: the metric has no view of single turns. */
  readonly turn: number | undefined;
  readonly trials: number[];
  /** A judge read the turn: its words say little without what it read. */
  readonly judged: boolean;
  readonly lines: readonly string[];
}

/** What a turn's lines are laid out by. */
export interface TurnLayout {
  readonly width: number;
  /** Columns in front of every line. */
  readonly indent: number;
  /** Prompt, expected and actual answer as well. */
  readonly detailed: boolean;
}

/**
 * Lines for one metric of one case: every turn that failed, told once however many trials failed alike.
 *
 * @returns plain lines without colour, each at most `width` columns as long as no single word is wider
 */
export function turnLines(result: CaseResult, metricName: string, layout: TurnLayout): readonly string[] {
  return findings(result, metricName).flatMap((finding) => {
    const some = finding.trials.length < result.trials.length;
    const label = `${finding.turn === undefined ? 'case' : turnName(finding.turn, result.trials[finding.trials[0] ?? 0]?.trial.invocations[finding.turn])}${some ? ` (trial ${finding.trials.map((trial) => trial + 1).join(', ')})` : ''}`;
    const body = [...(layout.detailed || finding.judged ? conversationLines(result, finding) : []), ...finding.lines];
    return body.length === 0 ? [] : block(label, body, layout);
  });
}

/** `turn 3`, with the session where a case has several. */
export function turnName(turn: number, actual: { readonly session?: number } | undefined): string {
  return `turn ${turn + 1}${actual?.session === undefined ? '' : `, session ${actual.session + 1}`}`;
}

function findings(result: CaseResult, metricName: string): readonly TurnFinding[] {
  const found = new Map<string, TurnFinding>();
  result.trials.forEach((trial, trialIndex) => {
    const metric = trial.metrics.find((one) => one.metricName === metricName);
    if (metric === undefined || (metric.status !== 'failed' && metric.status !== 'error' && metric.perInvocation.every((turn) => turn.status !== 'failed'))) return;
    const perTurn = metric.perInvocation.length > 0;
    const turns = perTurn ? metric.perInvocation : [metric];
    turns.forEach((turn, index) => {
      if (turn.status !== 'failed' && turn.status !== 'error') return;
      const lines = turn.explanation ?? (turn.reason === undefined ? [] : [`reason    ${turn.reason}`]);
      const key = `${index}\n${lines.join('\n')}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { turn: perTurn ? index : undefined, trials: [trialIndex], judged: metric.judge !== undefined && turn.status === 'failed', lines });
      else known.trials.push(trialIndex);
    });
  });
  return [...found.values()].sort((a, b) => (a.turn ?? -1) - (b.turn ?? -1));
}

function conversationLines(result: CaseResult, finding: TurnFinding): readonly string[] {
  if (finding.turn === undefined) return [];
  const actual = result.trials[finding.trials[0] ?? 0]?.trial.invocations[finding.turn];
  const expected = result.expected?.[finding.turn];
  const told = new Set(finding.lines.map((line) => line.trim().split(/\s/)[0]));
  return [
    `prompt    ${plainText(expected?.userContent ?? actual?.userContent)}`,
    ...(told.has('expected') || expected?.finalResponse === undefined ? [] : [`expected  ${plainText(expected.finalResponse)}`]),
    ...(told.has('actual') || actual === undefined ? [] : [`actual    ${actual.finalResponse === undefined ? '(no final response)' : plainText(actual.finalResponse)}`]),
  ];
}

/** Text of a content on one line; other parts by their kind, so that no image fills the screen. */
export function plainText(content: Content | undefined): string {
  const parts = (content?.parts ?? []).filter((part) => part.thought !== true).map((part) => part.text ?? `<${part.inlineData?.mimeType ?? part.fileData?.fileUri ?? Object.keys(part)[0] ?? 'empty'}>`);
  return parts.length === 0 ? '(empty)' : printable(parts.join(' '));
}

/** `turn 2  first line`, the others below the first. */
function block(label: string, body: readonly string[], layout: TurnLayout): readonly string[] {
  const left = ' '.repeat(layout.indent);
  const hanging = ' '.repeat(layout.indent + Math.min(label.length, 6) + 2);
  const own = label.length > 6;
  const room = layout.width - hanging.length;
  const fitted = body.map((line, index) => fit(line, room, displayWidth(body[index - 1] ?? '') <= room));
  const lines = fitted.flat();
  const rest = (own ? lines : lines.slice(1)).map((line) => hanging + line);
  return own ? [left + label, ...rest] : [`${left}${label}  ${lines[0] ?? ''}`, ...rest];
}

/** At most this many lines of one answer or call are shown. */
const mostLines = 6;

/** Breaks a line that is too wide. A row of marks stays where it points, unless the line above was broken. */
function fit(line: string, room: number, marksPoint: boolean): readonly string[] {
  const marked = /^(\s*[~^]+) (.*)$/.exec(line);
  if (displayWidth(line) <= room && (marked === null || marksPoint)) return [line];
  if (marked?.[1] !== undefined) {
    const text = fit(`          ${marked[2] ?? ''}`, room, true);
    return marksPoint && displayWidth(marked[1]) <= room ? [marked[1], ...text] : text;
  }
  const [, head = '', text = line] = /^((?:\S+ {2,})|\s*)(.*)$/s.exec(line) ?? [];
  const space = ' '.repeat(head.length);
  const inner = Math.max(20, room - head.length);
  const pieces = wrapTo(text, inner).map((piece) => truncateTo(piece, inner));
  const shown = pieces.length > mostLines ? [...pieces.slice(0, mostLines), `… ${pieces.length - mostLines} more lines`] : pieces;
  return shown.map((piece, index) => (index === 0 ? head : space) + piece);
}
