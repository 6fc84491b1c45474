import type { MatchResponseOptions } from '../src/metrics/compare';
import { bridgeFor, hintFor, type MatcherContext, type MatcherResult } from './support/context';
import { judgeSubjects, subjectsOf, turnsAt } from './support/subjects';

/** Options of `toMatchResponse`. */
export interface ResponseOptions extends Omit<MatchResponseOptions, 'profile'> {
  /** Counts from 1; when left out, the last turn. */
  readonly turn?: number;
}

/** Compares a final response with a text, a RegExp, a matcher, or a value (as JSON). */
export function toMatchResponse(this: MatcherContext, received: unknown, expected: unknown, options: ResponseOptions = {}): MatcherResult {
  const core = bridgeFor('toMatchResponse').core();
  const { turn, ...rules } = options;
  const subjects = subjectsOf(this, 'toMatchResponse', received);
  return judgeSubjects(this, hintFor(this, 'toMatchResponse', 'result', 'expected'), subjects, (subject) => {
    const { pass, explanation } = core.matchResponse(turnsAt(subject, turn).at(-1), expected, rules);
    return { holds: pass, lines: pass ? [`the response matches ${this.utils.printExpected(expected)}`] : explanation };
  });
}
