import { inGoldenWords, scoreJudged, shortTurn } from './lib/judged.mjs';

const answer = (word) => (word === 'valid' || word === 'invalid' ? `{"criteria": [], "is_valid": ${word === 'valid'}}` : word === 'unparsed' ? 'hm' : word);

export async function run({ threshold, starting_prompt: startingPrompt, first_message: first, later_turns: later, stop_turn: stop }, { core }) {
  const queue = [...later.flat(), ...stop].map(answer);
  const turns = [first, ...later.map((_, index) => `later ${index}`)].map((user, index) => shortTurn(core, { user, final: 'ok' }, index));
  let calls = 0;
  try {
    const score = await scoreJudged(core, {
      metric: 'per_turn_user_simulator_quality_v1',
      criterion: { threshold, judgeModelOptions: { numSamples: stop.length } },
      actual: turns,
      scenario: { startingPrompt, conversationPlan: 'plan' },
      answers: () => {
        calls += 1;
        const next = queue.shift();
        return next;
      },
    });
    return { ...inGoldenWords(score), last_turn_replaced_by_stop_check: score.replacedTurnId !== undefined, judge_calls: calls };
  } catch {
    return { raises: true };
  }
}
