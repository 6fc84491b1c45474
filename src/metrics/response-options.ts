import type { Criterion } from '../config/types';
import type { Content, Invocation } from '../evalset/types';
import type { Profile } from '../support/profile';
import { CriterionFields } from './criterion-fields';
import { contentText, expectsText, finalResponseOf, isActual } from './text';
import { expectedTurns, scoreTurns, type TurnScore } from './turns';
import type { Metric, MetricContext, MetricInput, MetricScore } from './types';

/** What a response metric compares in one turn. */
export interface ResponsePair {
  /** Text of the agent's answer; "" when there is none. */
  readonly actual: string;
  readonly expected: string;
  readonly actualContent: Content | undefined;
  readonly expectedContent: Content | undefined;
}

/** Field of every response metric: whose final response is scored. */
const finalResponseFrom = 'final_response_from';

interface ResponseMetricOptions<O> {
  readonly name: string;
  readonly description: string;
  /** Names of the metric's own fields. */
  readonly fields: readonly string[];
  read(fields: CriterionFields, profile: Profile): O;
  /** Whether the turn's reference is needed; a criterion that brings its own pattern does without. */
  needsReference?(options: O): boolean;
  score(pair: ResponsePair, options: O, context: MetricContext): TurnScore;
}

interface ResponseCriterion<O> extends Criterion {
  readonly options: O;
  readonly author: string | undefined;
}

/** Makes a metric that compares the text of each final response with its reference. */
export function responseMetric<O>(definition: ResponseMetricOptions<O>): Metric {
  return {
    name: definition.name,
    info: {
      metricName: definition.name,
      description: definition.description,
      metricValueInfo: { interval: { minValue: 0, maxValue: 1, openAtMin: false, openAtMax: false } },
    },
    needs: ['expected'],
    readCriterion(raw, profile) {
      const fields = new CriterionFields(raw, [finalResponseFrom, ...definition.fields], profile);
      const options = definition.read(fields, profile);
      const author = profile.criteriaCheckedLate ? undefined : fields.text(finalResponseFrom);
      fields.reportKeys();
      return { criterion: { ...raw, options, author }, problems: fields.problems };
    },
    evaluate: (input, context) => evaluateResponses(definition, input as MetricInput<ResponseCriterion<O>>, context),
  };
}

function evaluateResponses<O>(definition: ResponseMetricOptions<O>, input: MetricInput<ResponseCriterion<O>>, context: MetricContext): MetricScore {
  const { options, author = context.selection?.finalResponseFrom } = input.criterion;
  const expected = expectedTurns(input, definition.name);
  const needsReference = definition.needsReference?.(options) ?? true;
  return scoreTurns(
    {
      metricName: definition.name,
      score: (turn, index) => {
        const reference = expected[index]?.finalResponse;
        if (needsReference && !context.profile.missingReferenceIsEmptyText && !expectsText(reference)) {
          return { score: null, reason: 'No expectation: the case has no reference response for this turn.' };
        }
        const response = finalResponseOf(turn, author);
        const pair = {
          actual: contentText(response, context.profile),
          expected: contentText(reference, context.profile),
          actualContent: response,
          expectedContent: reference,
        };
        const score = definition.score(pair, options, context);
        if (pair.actual !== '' || score.score === null) return score;
        return { ...score, explain: () => [noResponse(turn, response, author), ...(pair.expected === '' ? [] : [`expected  ${excerpt(pair.expected)}`])] };
      },
    },
    input,
    context,
  );
}

function noResponse(turn: Invocation, response: Content | undefined, author: string | undefined): string {
  if (isActual(turn) && turn.outcome === 'unanswered') return 'no final response: the turn was unanswered (no events and no error)';
  if (response === undefined) return author === undefined ? 'no final response' : `no final response from ${author}`;
  return response.parts?.some((part) => part.text && part.thought) ? 'no final response: there are only thoughts' : 'the final response has no text';
}

/** One line of a text, cut to a width that fits beside a label. */
export function excerpt(text: string, width = 64): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > width ? `${line.slice(0, width - 1)}…` : line);
}
