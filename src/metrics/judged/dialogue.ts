/** A conversation as a transcript, and what is known of the agents in it. */
import type { Content, Invocation, JsonValue } from '../../evalset/types';
import type { ActualInvocation } from '../../inference/types';
import type { Profile } from '../../support/profile';
import { stringifyJson } from '../../support/json';
import { agentsOf, eventsOf, partTexts } from './evidence';

type Reading = Pick<Profile, 'name' | 'thoughtsAreText'>;

/** One line of a transcript. */
export interface DialogueLine {
  /** `user`, or the name of an agent. */
  readonly speaker: string;
  /** From 1. */
  readonly turn: number;
  readonly kind: 'text' | 'tool_call' | 'tool_output' | 'session';
  readonly text?: string;
  readonly tool?: string;
  readonly data?: JsonValue;
}

/** Every message of every turn in order: user, events (text, then calls and outputs in part order), final response. */
export function dialogueOf(turns: readonly Invocation[], profile: Reading): readonly DialogueLine[] {
  return turns.flatMap((invocation, index) => {
    const turn = index + 1;
    const events = eventsOf(invocation, profile);
    return [
      ...(startsSession(turns, index) ? [{ speaker: '', turn, kind: 'session' as const }] : []),
      ...messageLines('user', turn, invocation.userContent, profile),
      ...events.flatMap(({ author, content }) => messageLines(/^user$/i.test(author) ? 'user' : author, turn, content, profile)),
      ...messageLines(events[0]?.author ?? 'agent', turn, invocation.finalResponse, profile),
    ];
  });
}

/** What a judge is told where another session begins. */
export const anotherSession = 'Another session begins: of what came before, the agent knows what memory, artifacts and state keep.';

/** Whether another session goes on with this turn, in a case with several. */
export function startsSession(turns: readonly Invocation[], index: number): boolean {
  const sessionOf = (turn: Invocation | undefined): number | undefined => (turn as Partial<ActualInvocation> | undefined)?.session;
  return index > 0 && sessionOf(turns[index]) !== sessionOf(turns[index - 1]);
}

function messageLines(speaker: string, turn: number, content: Content | undefined, profile: Reading): readonly DialogueLine[] {
  const parts = content?.parts ?? [];
  const text = partTexts(parts, profile).join(' ');
  return [
    ...(text === '' ? [] : [{ speaker, turn, kind: 'text' as const, text }]),
    ...parts.flatMap(({ functionCall, functionResponse }): readonly DialogueLine[] => {
      if (functionCall !== undefined) return [{ speaker, turn, kind: 'tool_call', tool: functionCall.name ?? '', data: functionCall.args ?? {} }];
      if (functionResponse !== undefined) return [{ speaker, turn, kind: 'tool_output', tool: functionResponse.name ?? '', data: functionResponse.response ?? null }];
      return [];
    }),
  ];
}

/** A transcript as text. */
export function dialogueText(turns: readonly Invocation[], profile: Reading): string {
  return dialogueOf(turns, profile)
    .map(({ speaker, turn, kind, text, tool, data }) => {
      if (kind === 'session') return `[turn ${turn}] ${anotherSession}`;
      if (kind === 'text') return `[turn ${turn}] ${speaker}: ${text ?? ''}`;
      return `[turn ${turn}] ${speaker} ${kind === 'tool_call' ? 'calls' : 'gets from'} ${tool ?? ''}: ${stringifyJson(data, 0)}`;
    })
    .join('\n');
}

/** Instructions of every agent that was seen in any turn, each distinct pair once. */
export function allInstructions(turns: readonly Invocation[]): string {
  const seen = new Set(turns.flatMap((turn) => agentsOf(turn).map(({ name, instructions }) => `${name}: ${instructions}`)));
  return seen.size === 0 ? 'The instructions of the agents are not known.' : [...seen].join('\n\n');
}

/**
 * Name and description of every tool by agent, each line once. Tools that come without a declaration, such as a built-in search, are named by their kind.
 *
 * @throws {TypeError} under google-adk, for such a tool
 */
export function allTools(turns: readonly Invocation[], profile: Reading): string {
  const lines = new Set(turns.flatMap((turn) => agentsOf(turn).flatMap(({ name, toolDeclarations }) => toolDeclarations.flatMap((one) => toolLines(one, profile).map((line) => `${name}: ${line}`)))));
  return lines.size === 0 ? 'No tools are known.' : [...lines].join('\n');
}

function toolLines(declaration: JsonValue, { name: profile }: Reading): readonly string[] {
  const tool = (typeof declaration === 'object' && declaration !== null ? declaration : {}) as Readonly<Record<string, unknown>>;
  const functions = (tool.functionDeclarations ?? tool.function_declarations) as readonly Named[] | undefined;
  if (Array.isArray(functions)) return functions.map(({ name, description }: Named) => `${name ?? ''}: ${description ?? ''}`);
  if (profile === 'google-adk') throw new TypeError('A tool has no function declarations.');
  if (typeof tool.name === 'string') return [`${tool.name}: ${typeof tool.description === 'string' ? tool.description : ''}`];
  return Object.keys(tool).map((kind) => `${kind} (built in)`);
}

interface Named {
  readonly name?: string;
  readonly description?: string;
}
