import { inGoldenWords, matchAnswer, plainTurns, rubricAnswer, scoreJudged } from './lib/judged.mjs';
import { scoreHallucinations } from './lib/hallucinations.mjs';

export async function run(input, { core }) {
  const { metric, threshold, turns, rubrics } = input;
  const { googleAdkProfile: profile } = core('support/profile');
  if (metric === '*case*') return { final_status: core('evaluation/rollup').trialStatus(input.metric_statuses.map((status) => status.toLowerCase()), profile).toUpperCase() };
  if (metric === 'hallucinations_v1') return scoreHallucinations(core, { threshold, invocations: turns.map((final) => ({ final })) });
  if (input.service_scores !== undefined || 'service_score' in input) return service(input, core);
  const judgeModelOptions = { numSamples: input.last_turn_samples?.length || 1 };
  if (metric === 'final_response_match_v2') {
    const queue = turns.map(matchAnswer);
    const actual = plainTurns(core, turns.length);
    return inGoldenWords(await scoreJudged(core, { metric, criterion: { threshold, judgeModelOptions }, actual, expected: actual, answers: () => queue.shift() }));
  }
  const samples = turns ?? input.last_turn_samples;
  const ids = rubrics ?? [...new Set(samples.flatMap((sample) => (typeof sample === 'string' ? [] : Object.keys(sample))))];
  const queue = samples.map(rubricAnswer);
  const criterion = { threshold, judgeModelOptions, rubrics: (ids.length === 0 ? ['a'] : ids).map((id) => ({ rubric_id: id, rubric_content: { text_property: `Property of ${id}.` } })) };
  return inGoldenWords(await scoreJudged(core, { metric, criterion, actual: plainTurns(core, turns?.length ?? input.turn_count), answers: () => queue.shift() }), { rubrics: true });
}

async function service({ metric, threshold, service_scores: scores, service_score: score, turn_count: count }, core) {
  const answer = (value) => (value === 'empty' ? {} : { metricResults: [value === null ? {} : { score: value }] });
  const queue = (scores ?? [score]).map(answer);
  const vertex = { evaluate: () => Promise.resolve(queue.shift()) };
  return inGoldenWords(await scoreJudged(core, { metric, criterion: { threshold }, actual: plainTurns(core, count ?? scores.length), vertex }));
}
