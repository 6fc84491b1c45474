import { adkStatus, compare, evaluate } from './lib/metric.mjs';

export { compare };

/** The token or duration object in snake_case; null when the metric has neither. */
function details(of) {
  const object = of?.tokenUsageDetails ?? of?.durationDetails;
  if (object === undefined) return null;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]));
}

export async function run(input, tools) {
  const score = await evaluate(input, tools);
  if (score === undefined) return { raises: 'ValueError' };
  return {
    overall_score: score.score,
    overall_status: adkStatus(score.status),
    per_invocation: score.perInvocation.map((turn) => ({ score: turn.score, status: adkStatus(turn.status) })),
    overall_details: details(score.details),
    details: score.perInvocation.map((turn) => details(turn.details)),
  };
}
