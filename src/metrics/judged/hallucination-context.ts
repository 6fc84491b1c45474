/** The texts of a turn that are checked, each with what the agent knew when it wrote it. Source: google-adk 2.13. */
import type { Invocation } from '../../evalset/types';
import type { Section } from '../../judge/sections';
import { stringifyJson } from '../../support/json';
import type { Profile } from '../../support/profile';
import { anotherSession, startsSession } from './dialogue';
import { agentsOf, declarationsText, eventsOf, messageText, partTexts } from './evidence';

type Reading = Pick<Profile, 'name' | 'thoughtsAreText'>;

/** One text to be checked. */
export interface CheckedText {
  readonly text: string;
  /** What the agent knew. */
  readonly context: readonly Section[];
}

/** A turn and the conversation before it. */
export interface TurnInConversation {
  readonly turn: Invocation;
  /** Earlier turns; google-adk shows none. */
  readonly earlier: readonly Invocation[];
}

/**
 * The final response, if it has text, and before it, when `withIntermediate`, every text of every event. A text sees the events before its own,
 * and the grounding of its own event; the final response sees all events.
 */
export function checkedTexts({ turn, earlier }: TurnInConversation, withIntermediate: boolean, profile: Reading): readonly CheckedText[] {
  const events = eventsOf(turn, profile);
  const shown = contextOf(turn, earlier, profile);
  const texts: CheckedText[] = [];
  const known: string[] = [];
  for (const { author, content, groundingMetadata } of events) {
    const grounding = groundingMetadata === undefined ? [] : [`grounding of ${author}: ${stringifyJson(groundingMetadata, 0)}`];
    const parts = content?.parts ?? [];
    if (withIntermediate) for (const text of partTexts(parts, profile)) texts.push({ text, context: shown([...known, ...grounding]) });
    known.push(...grounding);
    for (const part of parts) {
      for (const text of partTexts([part], profile)) known.push(`${author}: ${text}`);
      if (part.functionCall !== undefined) known.push(`${author} calls ${part.functionCall.name ?? ''}: ${stringifyJson(part.functionCall.args ?? {}, 0)}`);
      if (part.functionResponse !== undefined) known.push(`${part.functionResponse.name ?? ''} returns: ${stringifyJson(part.functionResponse.response ?? null, 0)}`);
    }
  }
  const final = messageText(turn.finalResponse, profile) ?? '';
  return final === '' ? texts : [...texts, { text: final, context: shown(known) }];
}

function contextOf(turn: Invocation, earlier: readonly Invocation[], profile: Reading): (known: readonly string[]) => readonly Section[] {
  const instructions = agentsOf(turn).map(({ name, instructions: text }) => `${name}: ${text}`).join('\n\n');
  const talk = [...earlier, turn];
  const marks = talk.map((_one, index) => (startsSession(talk, index) ? [anotherSession] : []));
  const before = profile.name === 'google-adk' ? '' : [...earlier.flatMap((one, index) => [...(marks[index] ?? []), earlierTurn(one, profile)]), ...(marks[earlier.length] ?? [])].join('\n');
  return (known) => [
    { name: 'instructions', text: instructions === '' ? 'The instructions of the agents are not known.' : instructions },
    { name: 'tool-declarations', text: declarationsText(turn) },
    ...(before === '' ? [] : [{ name: 'earlier-turns', text: before }]),
    { name: 'user', text: messageText(turn.userContent, profile) ?? '' },
    { name: 'events', text: known.length === 0 ? 'Nothing happened before.' : known.join('\n') },
  ];
}

/** What was said and returned in an earlier turn: an agent may go back to it. */
function earlierTurn(turn: Invocation, profile: Reading): string {
  const returned = eventsOf(turn, profile).flatMap(({ content, groundingMetadata }) => [
    ...(content?.parts ?? []).flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [`${functionResponse.name ?? ''} returns: ${stringifyJson(functionResponse.response ?? null, 0)}`])),
    ...(groundingMetadata === undefined ? [] : [`grounding: ${stringifyJson(groundingMetadata, 0)}`]),
  ]);
  return [`user: ${messageText(turn.userContent, profile) ?? ''}`, ...returned, `agent: ${messageText(turn.finalResponse, profile) ?? ''}`].join('\n');
}
