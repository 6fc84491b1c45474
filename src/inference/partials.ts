import type { AgentEvent } from '../target/types';
import { isErrorEvent } from './fold';

/**
 * Leaves out the fragments of streamed answers. A stream whose complete event never came (its last chunk was empty) is put
 * together from its fragments instead, so that nothing is lost; not after an error, which cut it short.
 */
export function mergePartials(events: readonly AgentEvent[]): readonly AgentEvent[] {
  if (!events.some((event) => event.partial === true)) return events;
  const open = new Map<string, AgentEvent[]>();
  const kept: AgentEvent[] = [];
  for (const event of events) {
    if (event.partial === true) open.set(event.author, [...(open.get(event.author) ?? []), event]);
    else {
      kept.push(event);
      if (saysSomething(event)) open.delete(event.author);
    }
  }
  if (kept.some(isErrorEvent)) return kept;
  return [...kept, ...[...open.values()].flatMap(joined)];
}

function saysSomething(event: AgentEvent): boolean {
  return (event.content?.parts ?? []).some((part) => part.text !== '' && Object.keys(part).length > 0);
}

/** Fragments are either pieces or, from some models, the text so far. */
function joined(fragments: readonly AgentEvent[]): readonly AgentEvent[] {
  let text = '';
  for (const part of fragments.flatMap((event) => event.content?.parts ?? [])) {
    if (part.text === undefined || part.thought === true) continue;
    text = text !== '' && part.text.startsWith(text) ? part.text : text + part.text;
  }
  const last = fragments.at(-1);
  if (text === '' || last === undefined) return [];
  const { partial: _partial, ...rest } = last;
  return [{ ...rest, content: { role: 'model', parts: [{ text }] } }];
}
