/** A conversation as it went beside what was expected, turn by turn. */
import type { Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { toolCallsOf } from '../metrics/tool-calls';
import type { CaseResult } from '../results/model';
import { plainText, turnName } from './failure-turns';
import { stringifyJson } from '../support/json';
import { defaultProfile } from '../support/profile';
import { printable, truncateTo, wrapTo } from '../support/text-width';

/** Lines shown of one text at most. */
const mostLines = 12;

/** Every turn of a case: what was asked, expected and answered; of several trials each that went differently. */
export function conversationLines(result: CaseResult, width: number): readonly string[] {
  const shown = new Map<string, { readonly lines: readonly string[]; readonly trials: number[] }>();
  result.trials.forEach((trial, index) => {
    const lines = trial.trial.invocations.flatMap((actual, turn) => turnLines(actual, result.expected?.[turn], turn, width));
    const key = lines.join('\n');
    const known = shown.get(key);
    if (known === undefined) shown.set(key, { lines, trials: [index + 1] });
    else known.trials.push(index + 1);
  });
  return [...shown.values()].flatMap(({ lines, trials }) => [...(shown.size > 1 ? [`    trial${trials.length === 1 ? '' : 's'} ${trials.join(', ')}`] : []), ...lines]);
}

function turnLines(actual: ActualInvocation, expected: Invocation | undefined, turn: number, width: number): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['prompt', plainText(actual.userContent)],
    ...(expected === undefined ? [] : [['expected calls', callsOf(expected)] as const]),
    ['actual calls', callsOf(actual)],
    ...(expected?.finalResponse === undefined ? [] : [['expected', plainText(expected.finalResponse)] as const]),
    ['actual', actual.finalResponse === undefined ? '(no final response)' : plainText(actual.finalResponse)],
  ];
  const label = `    ${turnName(turn, actual)}  `;
  return rows.filter(([name, text]) => !(name.endsWith('calls') && text === '')).flatMap(([name, text], index) => {
    const head = `${index === 0 ? label : ' '.repeat(label.length)}${name.padEnd(16)}`;
    const pieces = wrapTo(text, Math.max(20, width - head.length)).map((piece) => truncateTo(piece, Math.max(20, width - head.length)));
    const kept = pieces.length > mostLines ? [...pieces.slice(0, mostLines), `… ${pieces.length - mostLines} more lines`] : pieces;
    return kept.map((piece, line) => (line === 0 ? head : ' '.repeat(head.length)) + piece);
  });
}

function callsOf(invocation: Invocation): string {
  return toolCallsOf(invocation, defaultProfile, { nestedTools: true }).map(({ name, args }) => `${printable(name ?? '?')}(${printable(stringifyJson(args ?? {}, 0))})`).join(', ');
}
