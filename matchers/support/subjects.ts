import type { Invocation } from '../../src/evalset/types';
import type { ActualInvocation, TrialRecord } from '../../src/inference/types';
import type { CaseResult, EvaluationResult, EvalSetResult, TrialResult } from '../../src/results/model';
import { hintFor, type MatcherContext, type MatcherResult } from './context';

/** One trial that a matcher looks at: its turns and, where the received value has them, its record and scores. */
export interface Subject {
  /** `home › dim_bedroom, trial 2`; empty for turns that were passed by themselves. */
  readonly label: string;
  readonly turns: readonly (Invocation | ActualInvocation)[];
  readonly record?: TrialRecord;
}

/** What a matcher found out about one subject. */
export interface Finding {
  readonly holds: boolean;
  /** Lines about what differs, or about what was found under `.not`. */
  readonly lines: readonly string[];
}

/**
 * The trials in a received value: results of any level, a trial's record, turns.
 *
 * @throws an Error for anything else, and for a result without trials: nothing to look at must not pass
 */
export function subjectsOf(context: MatcherContext, matcher: string, received: unknown): readonly Subject[] {
  const subjects = collect(received, '');
  if (subjects !== undefined && subjects.length > 0) return subjects;
  const what =
    subjects === undefined
      ? 'the received value must be a result (of an evaluation, an eval set, a case or a trial), an invocation, or a list of invocations'
      : 'the received result has no trial to look at';
  throw new Error(`${hintFor(context, matcher, 'received')}\n\n${what}.\nReceived: ${context.utils.printReceived(short(received))}`);
}

function collect(value: unknown, label: string): readonly Subject[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.every(isInvocation) && value.length > 0 ? [{ label, turns: value }] : undefined;
  if (isInvocation(value)) return [{ label, turns: [value] }];
  const { sets, cases, trials, trial, invocations } = value as Partial<EvaluationResult & EvalSetResult & CaseResult & TrialResult & TrialRecord>;
  if (Array.isArray(sets)) return (sets as EvalSetResult[]).flatMap((set) => collect(set, '') ?? []);
  if (Array.isArray(cases)) return (cases as CaseResult[]).flatMap((one) => collect(one, '') ?? []);
  if (Array.isArray(trials)) {
    const { evalSetId, evalId } = value as CaseResult;
    return (trials as TrialResult[]).flatMap((one, index) => collect(one, `${evalSetId} › ${evalId}${trials.length > 1 ? `, trial ${index + 1}` : ''}`) ?? []);
  }
  if (typeof trial === 'object' && trial !== null) return collect(trial, label);
  if (Array.isArray(invocations)) return [{ label, turns: invocations, record: value as TrialRecord }];
  return undefined;
}

function isInvocation(value: unknown): value is Invocation {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Invocation>).userContent === 'object';
}

function short(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { keys: Object.keys(value) } : value;
}

/**
 * Judges every trial. Under `.not` it must hold for none of them: a trial in which a forbidden call was made is found among those that
 * did not make it. A trial that ended in an error is no evidence either way, and is refused.
 */
export function judgeSubjects(context: MatcherContext, hint: string, subjects: readonly Subject[], judge: (subject: Subject) => Finding): MatcherResult {
  const broken = subjects.filter(({ record }) => record?.error !== undefined);
  if (broken.length > 0) {
    throw new Error([hint, '', ...broken.map(({ label, record }) => `  ! ${label === '' ? '' : `${label}  `}error: ${record?.error?.message}`)].join('\n'));
  }
  const findings = subjects.map((subject) => ({ subject, ...judge(subject) }));
  const isNot = context.isNot === true;
  const pass = isNot ? findings.some(({ holds }) => holds) : findings.every(({ holds }) => holds);
  return {
    pass,
    message: () => {
      const shown = findings.filter(({ holds }) => holds === isNot);
      const count = subjects.length > 1 ? [`${shown.length} of ${subjects.length} trials ${isNot ? 'did' : 'did not'}`, ''] : [];
      return [hint, '', ...count, ...shown.flatMap(({ subject, lines }) => (subject.label === '' ? lines : [`  ✗ ${subject.label}`, ...lines.map((line) => `      ${line}`)]))].join('\n');
    },
  };
}

/** The turn that an option names (counting from 1), or all turns. */
export function turnsAt(subject: Subject, turn: number | undefined): readonly (Invocation | ActualInvocation)[] {
  if (turn === undefined) return subject.turns;
  const one = Number.isInteger(turn) && turn >= 1 ? subject.turns[turn - 1] : undefined;
  if (one === undefined) throw new RangeError(`turn must be between 1 and ${subject.turns.length}, got ${turn}.`);
  return [one];
}
