import { redact } from './secrets';

/**
 * One thing that is wrong with an input, and what to do about it.
 *
 * `path` is a pointer into the value (`['eval_cases', 0, 'eval_id']`); `line` and `column` count from 1 and are found by
 * re-reading the text only when a message needs them.
 */
export interface Problem {
  /** Stable name of the kind of problem, e.g. `unknown_key`, `missing`, `not_utf8`. */
  readonly code: string;
  /** What is wrong, with the value that was seen. One sentence, no trailing line break. */
  readonly message: string;
  /** What to do next: legal values, or the nearest known name. */
  readonly hint?: string;
  readonly severity?: 'error' | 'warning';
  readonly file?: string;
  readonly path?: readonly (string | number)[];
  readonly line?: number;
  readonly column?: number;
}

/** Prints a pointer as `eval_cases[0].conversation[1]`; keys that are not plain words are quoted. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** Prints one problem: the place on the first line, then what and what to do. */
export function formatProblem(problem: Problem): string {
  const position = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const where = [problem.file === undefined ? '' : `${problem.file}${position}`, problem.path?.length ? formatPath(problem.path) : '']
    .filter((part) => part !== '')
    .join('  ');
  const what = problem.hint === undefined ? problem.message : `${problem.message} ${problem.hint}`;
  return where === '' ? what : `${where}\n  ${what}`;
}

/**
 * Input, options or surroundings that stop an evaluation before or beside any verdict on the agent.
 * Carries every problem found, not just the first. `code` is stable.
 */
export class JestAdkError extends Error {
  readonly code: string;
  readonly problems: readonly Problem[];

  constructor(code: string, problems: readonly Problem[], options?: ErrorOptions) {
    const shown = problems.map(withoutSecrets);
    super(shown.map(formatProblem).join('\n'), options);
    this.name = 'JestAdkError';
    this.code = code;
    this.problems = shown;
  }
}

function withoutSecrets(problem: Problem): Problem {
  const message = redact(problem.message);
  const hint = problem.hint === undefined ? undefined : redact(problem.hint);
  return message === problem.message && hint === problem.hint ? problem : { ...problem, message, ...(hint === undefined ? {} : { hint }) };
}

/** A `JestAdkError` about one thing that has no place in a file, such as an option. */
export function refusal(code: string, message: string, hint?: string): JestAdkError {
  return new JestAdkError(code, [hint === undefined ? { code, message } : { code, message, hint }]);
}

/** What is kept of an exception in a result: JSON-safe, without stack and without secrets. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
}

/** Turns anything that was thrown into `ErrorInfo`. Works for errors of another realm, where `instanceof Error` is false. */
export function toErrorInfo(thrown: unknown, fallbackCode = 'error'): ErrorInfo {
  if (typeof thrown === 'object' && thrown !== null && typeof (thrown as { message?: unknown }).message === 'string') {
    const { name, message, code } = thrown as { name?: unknown; message: string; code?: unknown };
    const label = typeof name === 'string' && name !== 'Error' && name !== 'JestAdkError' ? `${name}: ` : '';
    return { code: typeof code === 'string' ? code : fallbackCode, message: redact(message.startsWith(label) ? message : `${label}${message}`) };
  }
  return { code: fallbackCode, message: redact(String(thrown)) };
}
