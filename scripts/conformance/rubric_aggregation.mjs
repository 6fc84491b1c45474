import { inGoldenWords, plainTurns, rubricAnswer, scoreJudged } from './lib/judged.mjs';

export async function run({ threshold, rubrics, invocations }, { core }) {
  if (rubrics !== undefined) {
    const queue = invocations.flat().map(rubricAnswer);
    const criterion = { threshold, judgeModelOptions: { numSamples: invocations[0]?.length ?? 1 }, rubrics: rubrics.map((id) => ({ rubric_id: id, rubric_content: { text_property: `Property of ${id}.` } })) };
    const score = await scoreJudged(core, { metric: 'rubric_based_final_response_quality_v1', criterion, actual: plainTurns(core, invocations.length), answers: () => queue.shift() });
    return inGoldenWords(score, { rubrics: true });
  }
  const { voteOnTurn, caseScore } = core('metrics/judged/rubric-score');
  const { googleAdkProfile: profile } = core('support/profile');
  const figure = { yes: 1, no: 0, unclear: null };
  const turns = invocations.map((samples) => {
    const read = samples.map((sample) =>
      sample === 'garbage' || sample === 'blocked'
        ? { kind: 'unparsed', reason: 'scripted' }
        : typeof sample === 'string'
          ? { kind: 'error', error: { code: 'x', message: 'scripted' } }
          : { kind: 'answer', value: (Array.isArray(sample) ? sample : Object.entries(sample)).map(([rubricId, verdict]) => ({ rubricId, score: typeof verdict === 'number' ? verdict : figure[verdict] })) },
    );
    return voteOnTurn(read, [], { criterion: { judgeModelOptions: { numSamples: samples.length }, minCoverage: 0 }, threshold, profile });
  });
  return inGoldenWords(caseScore(turns, threshold, profile), { rubrics: true });
}
