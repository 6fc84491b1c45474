import { inGoldenWords, matchAnswer, plainTurns, scoreJudged } from './lib/judged.mjs';

export async function run({ threshold, invocations }, { core }) {
  const queue = invocations.flat().map(matchAnswer);
  const turns = plainTurns(core, invocations.length);
  const score = await scoreJudged(core, { metric: 'final_response_match_v2', criterion: { threshold, judgeModelOptions: { numSamples: invocations[0]?.length ?? 1 } }, actual: turns, expected: turns, answers: () => queue.shift() });
  return inGoldenWords(score);
}
