import { shortTurn } from './lib/judged.mjs';

export function run(input, { core }) {
  const evidence = core('metrics/judged/evidence');
  const { googleAdkProfile: profile } = core('support/profile');
  if (input.check === 'dialogue') {
    const turns = input.invocations.map((one, index) => shortTurn(core, one, index));
    return { lines: core('metrics/judged/dialogue').dialogueOf(turns, profile).map(({ speaker, turn, kind, text, tool }) => ({ speaker, turn, kind, ...(text === undefined ? {} : { text }), ...(tool === undefined ? {} : { tool }) })) };
  }
  const turn = shortTurn(core, input, 0);
  if (input.check === 'response_text') return { text: evidence.responseText(turn, input.include_intermediate_responses_in_final === true, profile) ?? null };
  if (input.check === 'tool_pairs') {
    return { pairs: evidence.toolSteps(turn, profile).map(({ step, tool, args, response }) => ({ step, tool, args: args ?? null, response: response?.response ?? null, has_response: response !== undefined })) };
  }
  const texts = core('metrics/judged/hallucination-context').checkedTexts({ turn, earlier: [] }, input.evaluate_intermediate_nl_responses === true, profile);
  return { steps: texts.map(({ text, context }) => ({ evaluated_text: text, markers_in_context: input.markers.filter((marker) => context.some((section) => section.text.includes(marker))) })) };
}
