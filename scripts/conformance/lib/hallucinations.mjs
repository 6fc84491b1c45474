import { inGoldenWords, scoreJudged, shortTurn } from './judged.mjs';

/** Both calls of every text as they are scripted: a list of labels, or what goes wrong. */
function answersFor(script) {
  if (script === 'segmenter_error') return ['error'];
  if (script === 'segmenter_no_text') return [null];
  if (script === 'no_sentences') return ['none'];
  if (script === 'validator_error') return ['<sentence>A.</sentence>', 'error'];
  if (script === 'validator_no_text') return ['<sentence>A.</sentence>', null];
  if (script === 'validator_unparsed') return ['<sentence>A.</sentence>', 'hm'];
  const sentences = script.map((_, at) => `S${at}.`);
  return [sentences.map((sentence) => `<sentence>${sentence}</sentence>`).join(''), script.map((label, at) => `sentence: S${at}.\nlabel: ${label}\nrationale: r\nsupporting_excerpt: null\ncontradicting_excerpt: null`).join('\n')];
}

export async function scoreHallucinations(core, { threshold, invocations, evaluate_intermediate_nl_responses: intermediate = false }) {
  const queue = invocations.flatMap(({ final, intermediate: events = [] }) => [...(intermediate ? events : []), ...(final === null ? [] : [final])].flatMap(answersFor));
  const turns = invocations.map(({ final, intermediate: events = [] }, index) =>
    shortTurn(core, { user: 'q', final: final === null ? null : 'answer', intermediate: { events: events.map((_, at) => ({ author: 'root', content: { role: 'model', parts: [{ text: `step ${at}` }] } })) } }, index),
  );
  const score = await scoreJudged(core, { metric: 'hallucinations_v1', criterion: { threshold, evaluateIntermediateNlResponses: intermediate }, actual: turns, answers: () => queue.shift() });
  return inGoldenWords(score);
}
