import { stringifyJson } from '../../support/json';
import type { HistoryEvent } from './types';

/** One line of what the simulated user sees. */
export type HistoryEntry =
  | { readonly kind: 'text'; readonly author: string; readonly text: string }
  | { readonly kind: 'call'; readonly author: string; readonly tool: string; readonly args: unknown }
  | { readonly kind: 'response'; readonly tool: string; readonly response: unknown };

/** What was said so far, an entry per part; thoughts are left out, calls and answers unless they are asked for. Source: google-adk 2.13. */
export function historyEntries(events: readonly HistoryEvent[], withCalls: boolean): readonly HistoryEntry[] {
  return events.flatMap(({ author, content }) =>
    (content?.parts ?? []).flatMap(({ text, thought, functionCall, functionResponse }): readonly HistoryEntry[] => {
      if (text !== undefined && text !== '' && thought !== true) return [{ kind: 'text', author, text }];
      if (withCalls && functionCall !== undefined) return [{ kind: 'call', author, tool: functionCall.name ?? '', args: functionCall.args ?? {} }];
      if (withCalls && functionResponse !== undefined) return [{ kind: 'response', tool: functionResponse.name ?? '', response: functionResponse.response ?? null }];
      return [];
    }),
  );
}

/** The entries as text, a blank line between them. */
export function historyText(entries: readonly HistoryEntry[]): string {
  return entries
    .map((entry) => {
      if (entry.kind === 'text') return `${entry.author}: ${entry.text}`;
      return entry.kind === 'call' ? `${entry.author} calls ${entry.tool}: ${stringifyJson(entry.args, 0)}` : `${entry.tool} returns: ${stringifyJson(entry.response, 0)}`;
    })
    .join('\n\n');
}
