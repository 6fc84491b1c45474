import { meantHint } from './keys';
import { camelCase } from './nodes';

/** Where the turns of a case stand. google-adk knows the first two. */
const conversations = ['conversation', 'conversation_scenario', 'sessions'] as const;

/** A case has its turns in one place: what is wrong when it has not. */
export function conversationProblem(read: Readonly<Record<string, unknown>>, unknown: readonly string[], reference: boolean): { readonly message: string; readonly hint?: string } | undefined {
  const known = reference ? conversations.slice(0, 2) : conversations;
  const found = known.filter((name) => read[camelCase(name)] !== undefined);
  if (found.length === 1) return undefined;
  const quoted = (names: readonly string[], word: string): string => names.map((name) => JSON.stringify(name)).join(` ${word} `);
  const seen = found.length === 0 ? 'neither' : found.length === 2 ? (reference ? 'both' : `both ${quoted(found, 'and')}`) : 'all of them';
  return { message: `A case has either ${quoted(known, 'or')}; this one has ${seen}.`, ...meantHint(known, found.length === 0 ? unknown : []) };
}
