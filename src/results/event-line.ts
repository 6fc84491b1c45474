import { parseJson, stringifyJson } from '../support/json';
import type { CaseResult, EvalSetResult, EvaluationEvent } from './model';

/**
 * An event as it stands in a file. A finished set is written without its cases, which stand in the lines before it:
 * `caseIds` gives their order. Everything else is written as it was emitted.
 */
export type StoredEvent =
  | Exclude<EvaluationEvent, { type: 'set_ended' }>
  | (Omit<Extract<EvaluationEvent, { type: 'set_ended' }>, 'result'> & { readonly result: Omit<EvalSetResult, 'cases'>; readonly caseIds: readonly string[] });

/** One line of an events file, without the line break. */
export function writeEventLine(event: EvaluationEvent): string {
  const stored = event.type === 'set_ended' ? withoutCases(event) : event;
  try {
    const line = JSON.stringify(stored);
    if (!/\\ud[89a-f]/.test(line)) return line; // else half a surrogate, which no reader takes
  } catch {
    // A tool argument beyond 2^53 is a bigint, which JSON.stringify refuses.
  }
  return stringifyJson(stored, 0);
}

/** The event of a line; undefined when the line is none, e.g. because its writer was killed. */
export function parseEventLine(line: string): StoredEvent | undefined {
  try {
    const value: unknown = /[0-9]{16}/.test(line) ? parseJson(line) : JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The cases of a finished set in its order, taken out of the cases that ended before it. An id that occurs twice is used up in turn. */
export function casesInOrder(caseIds: readonly string[], ended: readonly CaseResult[]): CaseResult[] {
  const byId = new Map<string, CaseResult[]>();
  for (const result of ended) byId.set(result.evalId, [...(byId.get(result.evalId) ?? []), result]);
  return caseIds.flatMap((evalId) => byId.get(evalId)?.splice(0, 1) ?? []);
}

function withoutCases(event: Extract<EvaluationEvent, { type: 'set_ended' }>): StoredEvent {
  const { cases, ...result } = event.result;
  return { ...event, result, caseIds: cases.map((each) => each.evalId) };
}

const types: ReadonlySet<unknown> = new Set<EvaluationEvent['type']>([
  'run_started', 'trial_started', 'turn_ended', 'metric_scored', 'trial_ended', 'case_ended', 'set_ended', 'run_ended',
]);

function isEvent(value: unknown): value is StoredEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { evaluation, type } = value as { evaluation?: unknown; type?: unknown };
  return typeof evaluation === 'string' && types.has(type);
}
