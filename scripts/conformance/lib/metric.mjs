/** A status under ADK's name. */
export const adkStatus = (status) => status.toUpperCase();

/**
 * Makes `input.metric` and evaluates the turns with it, as the product does under google-adk.
 * Gives the product's score, or undefined when either step refuses.
 */
export async function evaluate(input, { core }) {
  const { evalMetricFromJson } = core('metrics/eval-metric');
  const { makeMetric, evaluateMetric } = core('metrics/registry');
  const { invocationFromJson } = core('evalset/parts');
  const { JestAdkError } = core('support/errors');
  const { googleAdkProfile: profile } = core('support/profile');
  const actual = input.actual.map((turn) => invocationFromJson(turn, profile));
  const expected = input.expected?.map((turn) => invocationFromJson(turn, profile)) ?? null;
  try {
    const made = makeMetric(evalMetricFromJson(input.metric, profile), profile);
    return await evaluateMetric(made, { actual, expected, scenario: null }, { profile, signal: new AbortController().signal, warn() {} });
  } catch (error) {
    if (error instanceof JestAdkError) return undefined;
    throw error;
  }
}

/** Scores and statuses as the golden files write them. */
export async function run(input, tools) {
  const score = await evaluate(input, tools);
  if (score === undefined) return { raises: 'ValueError' };
  return {
    overall_score: score.score,
    overall_status: adkStatus(score.status),
    per_invocation: score.perInvocation.map((turn) => ({ score: turn.score, status: adkStatus(turn.status) })),
  };
}

/** A refusal has to agree; its error class need not. */
export function compare(actual, expected, { difference }) {
  if ('raises' in actual && 'raises' in expected) return undefined;
  return difference(actual, expected);
}
