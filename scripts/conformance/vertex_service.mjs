import { inGoldenWords, scoreJudged, shortTurn } from './lib/judged.mjs';

/** Nulls dropped, marks of floats resolved: as it is sent. */
const asSent = (value) => JSON.parse(JSON.stringify(value));

export async function run({ metric, threshold, invocations, service_responses: responses, expected_finals: finals }, { core }) {
  const requests = [];
  const queue = [...responses];
  const vertex = {
    evaluate: (body) => {
      requests.push({ http_method: 'post', path_suffix: ':evaluateInstances', body: asSent(body) });
      return Promise.resolve(queue.shift());
    },
  };
  const actual = invocations.map((one, index) => shortTurn(core, one, index));
  const expected = finals === undefined ? null : finals.map((final, index) => shortTurn(core, { ...invocations[index], final }, index));
  let score;
  try {
    score = await scoreJudged(core, { metric, criterion: { threshold }, actual, expected, vertex });
  } catch {
    return { raises: true, requests_sent: requests.length };
  }
  const rationales = (details) => details?.rubricScores?.map(({ rubricId, score: figure, rationale }) => ({ rubric_id: rubricId, score: figure, ...(rubricId === 'error' ? { has_rationale: (rationale ?? null) !== null } : { rationale: rationale ?? null }) })) ?? null;
  const words = inGoldenWords(score, { rubrics: true });
  return { ...words, per_invocation: words.per_invocation.map((turn, index) => ({ ...turn, rubric_scores: rationales(score.perInvocation[index].details) })), requests };
}
