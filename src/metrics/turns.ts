import type { Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { refusal } from '../support/errors';
import { isActual } from './text';
import type { InvocationScore, MetricContext, MetricDetails, MetricInput, MetricScore } from './types';
import { judge, mean, type Direction } from './verdict';

/** What a metric says of one turn. `score: null` with a `reason`: nothing to judge in this turn. */
export interface TurnScore {
  readonly score: number | null;
  readonly reason?: string;
  readonly details?: MetricDetails;
  /** Lines about what differed; called only when the turn failed. */
  readonly explain?: () => readonly string[];
}

/** How a metric scores its turns and what the numbers mean. */
export interface TurnScoring {
  readonly metricName: string;
  readonly direction?: Direction;
  readonly score: (actual: Invocation | ActualInvocation, index: number) => TurnScore;
}

/**
 * Turns of the case beside the turns of the run, for a metric that compares them.
 *
 * @throws {JestAdkError} `needs_expected` without expected turns, `turn_count` when the numbers differ
 */
export function expectedTurns(input: Pick<MetricInput, 'actual' | 'expected'>, metricName: string): readonly Invocation[] {
  if (input.expected === null) throw refusal('needs_expected', `${metricName} needs expected turns, and this case has none.`, 'Leave the metric out for conversation scenarios.');
  if (input.expected.length !== input.actual.length) {
    throw refusal('turn_count', `${metricName} compares turn by turn: ${input.expected.length} expected, ${input.actual.length} observed.`);
  }
  return input.expected;
}

/**
 * Scores every turn and takes their mean. Turns without an expectation are left out of the mean; a turn that ended in an error, or was never
 * reached, makes the whole score an `error`: a mean over fewer turns would look like a verdict.
 */
export function scoreTurns(scoring: TurnScoring, input: MetricInput, context: MetricContext): MetricScore {
  const perInvocation = input.actual.map((actual, index) => missingTurn(actual) ?? scoreTurn(scoring, actual, index, input, context));
  const errors = perInvocation.filter((turn) => turn.status === 'error');
  if (errors.length > 0) {
    const reason = `${errors.length} of ${perInvocation.length} turns could not be scored. ${errors[0]?.reason ?? ''}`.trim();
    return { score: null, status: 'error', reason, error: { code: 'turns_not_scored', message: reason }, perInvocation };
  }
  const score = mean(perInvocation.flatMap((turn) => (turn.score === null ? [] : [turn.score])));
  if (score === undefined) return { score: null, status: 'not_evaluated', reason: nothingToJudge(perInvocation), perInvocation };
  return { score, status: judge(score, input.threshold, context.profile, scoring.direction), perInvocation };
}

function scoreTurn(scoring: TurnScoring, actual: Invocation | ActualInvocation, index: number, input: MetricInput, context: MetricContext): InvocationScore {
  const { score, reason, details, explain } = scoring.score(actual, index);
  const rest = { ...(reason === undefined ? {} : { reason }), ...(details === undefined ? {} : { details }) };
  if (score === null) return { score, status: 'not_evaluated', ...rest };
  const status = judge(score, input.threshold, context.profile, scoring.direction);
  const explanation = status === 'failed' ? explain?.() : undefined;
  return { score, status, ...rest, ...(explanation === undefined || explanation.length === 0 ? {} : { explanation }) };
}

/** A turn that has no observations to score, because the agent failed in it or before it. */
export function missingTurn(actual: Invocation | ActualInvocation): InvocationScore | undefined {
  if (!isActual(actual)) return undefined;
  if (actual.outcome === 'not_run') return { score: null, status: 'error', reasonCode: 'not_run', reason: 'Not run: an earlier turn ended in an error.' };
  if (actual.outcome === 'error') return { score: null, status: 'error', reasonCode: 'agent_error', reason: `The agent failed: ${actual.error?.message ?? 'no message'}` };
  return undefined;
}

function nothingToJudge(turns: readonly InvocationScore[]): string {
  if (turns.length === 0) return 'The case has no turns.';
  const reasons = new Set(turns.map((turn) => turn.reason));
  return reasons.size === 1 ? (turns[0]?.reason ?? 'Nothing to judge.') : 'Nothing to judge in any turn.';
}
