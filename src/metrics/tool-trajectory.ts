import type { Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { explainCalls } from './call-explanation';
import { scoreCalls, type CallRules } from './call-match';
import { brokenLimits } from './call-limits';
import { toolCallsOf, type CallSelection, type ToolCall } from './tool-calls';
import { readTrajectoryCriterion, type TrajectoryCriterion } from './trajectory-criterion';
import { expectedTurns, scoreTurns, type TurnScore } from './turns';
import type { Metric, MetricContext, MetricInput, MetricScore } from './types';

const name = 'tool_trajectory_avg_score';

/** `tool_trajectory_avg_score`: per turn, whether the agent made the expected tool calls. */
export const toolTrajectoryAvgScore: Metric<TrajectoryCriterion> = {
  name,
  info: {
    metricName: name,
    description: 'Whether each turn made the expected tool calls, averaged over the turns.',
    metricValueInfo: { interval: { minValue: 0, maxValue: 1, openAtMin: false, openAtMax: false } },
  },
  needs: ['expected'],
  readCriterion: readTrajectoryCriterion,
  evaluate: evaluateTrajectory,
};

function evaluateTrajectory(input: MetricInput<TrajectoryCriterion>, context: MetricContext): MetricScore {
  const expected = expectedTurns(input, name);
  const { limits } = input.criterion;
  const selection = callSelection(input.criterion, context);
  const calls = input.actual.map((turn) => toolCallsOf(turn, context.profile, selection));
  const wanted = expected.map((turn) => toolCallsOf(turn, context.profile, selection));
  const broken = brokenLimits(limits, calls, input.actual.map((turn) => toolCallsOf(turn, context.profile, { nestedTools: true })));
  const booleans = { seen: false };
  const rules = { ...input.criterion.rules, onBoolean: () => void (booleans.seen = true) };
  const score = scoreTurns(
    {
      metricName: name,
      score: (turn, index) => {
        if (broken.size > 0) return { score: 0, explain: () => broken.get(index) ?? ['0 because another turn of this trial broke a rule about calls'] };
        return compareTurn(turn, calls[index] ?? [], wanted[index] ?? [], rules);
      },
    },
    input,
    context,
  );
  if (booleans.seen) context.warn(`${name}: a comparison rests on true against 1 (or false against 0), which ${rules.booleansEqualNumbers ? 'count as equal here' : 'differ here and are equal in Python'}.`);
  if (assertsNothing(input.criterion, wanted)) context.warn(`${name}: no turn expects a call, so ${rules.matchType} asserts nothing. EXACT allows no calls.`);
  return score;
}

/** The criterion's own fields win over the options of the evaluation. */
function callSelection(criterion: TrajectoryCriterion, context: MetricContext): CallSelection {
  const { nestedTools, ignoreTools } = context.selection ?? {};
  return { ...(nestedTools === undefined ? {} : { nestedTools }), ...(ignoreTools === undefined ? {} : { ignoreTools }), ...criterion.selection };
}

function compareTurn(turn: Invocation | ActualInvocation, actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): TurnScore {
  const unanswered = 'outcome' in turn && turn.outcome === 'unanswered';
  return {
    score: scoreCalls(actual, expected, rules),
    explain: () => [...(unanswered ? ['the turn was unanswered: no events and no error'] : []), ...explainCalls(actual, expected, rules)],
  };
}

function assertsNothing(criterion: TrajectoryCriterion, wanted: readonly (readonly ToolCall[])[]): boolean {
  const { limits, rules } = criterion;
  if (rules.matchType !== 'IN_ORDER' && rules.matchType !== 'ANY_ORDER' && rules.matchType !== 'RECALL') return false;
  if (limits.forbiddenTools.length > 0 || limits.minCalls.size > 0 || limits.maxCalls.size > 0) return false;
  return wanted.length > 0 && wanted.every((calls) => calls.length === 0);
}
