import type { Content, Part } from '../evalset/types';

/**
 * Gives scripted function responses the ids of the calls they answer. Ids of long-running calls are new in every run, so an eval
 * set names only the tool; the latest waiting call of that name is answered.
 */
export function answerPending(content: Content, waiting: readonly { readonly name: string; readonly id: string }[]): Content {
  const parts = content.parts;
  if (waiting.length === 0 || parts === undefined || !parts.some((part) => part.functionResponse !== undefined)) return content;
  return { ...content, parts: parts.map((part) => withCallId(part, waiting)) };
}

function withCallId(part: Part, waiting: readonly { readonly name: string; readonly id: string }[]): Part {
  const response = part.functionResponse;
  if (response === undefined || waiting.some((call) => call.id === response.id)) return part;
  const call = waiting.findLast((candidate) => candidate.name === response.name);
  return call === undefined ? part : { ...part, functionResponse: { ...response, id: call.id } };
}
