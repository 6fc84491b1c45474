import { isDeepStrictEqual } from 'node:util';
import type { AgentDetails, JsonValue } from '../evalset/types';
import type { AdkModule, AdkPlugin, SessionKey } from './adk-shapes';
import { toPlain } from './plain';
import type { TurnObservations } from './types';

interface ModelRequest {
  readonly model?: string;
  readonly config?: { readonly systemInstruction?: unknown; readonly tools?: unknown };
}
type Span = { readonly from: number; to: number | undefined };

/** Watches the turns of sessions from a plugin of ours, which runs first and answers nothing. One for each agent tree. */
export interface Recorder {
  readonly plugin: AdkPlugin;
  /** Watches a session until it is closed. */
  watch(session: Pick<SessionKey, 'userId' | 'sessionId'>): SessionRecorder;
}

/** What is recorded of one session. */
export interface SessionRecorder {
  /** Forgets the turn before. */
  startTurn(): void;
  /** What was seen in the turn that just ended. */
  observations(): TurnObservations;
  close(): void;
}

/** Details of agents that were the same in every turn so far, so that thousands of turns share one object. */
export type DetailsCache = Map<string, AgentDetails>;

interface HookContext {
  readonly agentName: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** What happened in one turn. */
class Turn {
  readonly requests = new Map<string, ModelRequest>();
  readonly models: Span[] = [];
  readonly tools: Span[] = [];
  readonly openModels = new Map<string, Span>();
  readonly openTools = new Map<unknown, Span>();
}

/**
 * Records model requests and times. It sees neither what `AgentTool`s do inside (the SDK gives them no plugins) nor requests of
 * live connections.
 */
export function createRecorder(adk: AdkModule, cache: DetailsCache): Recorder {
  const turns = new Map<string, Turn>();
  const turnOf = ({ userId, sessionId }: Pick<HookContext, 'userId' | 'sessionId'>): Turn | undefined => turns.get(keyOf(userId, sessionId));
  return {
    plugin: createPlugin(adk, turnOf),
    watch({ userId, sessionId }) {
      const key = keyOf(userId, sessionId);
      return {
        startTurn: () => void turns.set(key, new Turn()),
        observations: () => observe(turns.get(key) ?? new Turn(), cache),
        close: () => void turns.delete(key),
      };
    },
  };
}

function keyOf(userId: string, sessionId: string): string {
  return `${userId}\0${sessionId}`;
}

function createPlugin(adk: AdkModule, turnOf: (context: Pick<HookContext, 'userId' | 'sessionId'>) => Turn | undefined): AdkPlugin {
  const plugin = new adk.BasePlugin('jest_adk_recorder');
  const endModel = ({ callbackContext }: { callbackContext: HookContext }): void => end(turnOf(callbackContext)?.openModels.get(callbackContext.agentName));
  const endTool = ({ toolContext }: { toolContext: HookContext }): void => end(turnOf(toolContext)?.openTools.get(toolContext));
  const hooks = {
    beforeModelCallback({ callbackContext, llmRequest }: { callbackContext: HookContext; llmRequest: ModelRequest }) {
      const turn = turnOf(callbackContext);
      // Kept by reference and read when the turn is over: plugins after this one may still change it.
      if (turn?.requests.has(callbackContext.agentName) === false) turn.requests.set(callbackContext.agentName, llmRequest);
      turn?.openModels.set(callbackContext.agentName, begin(turn.models));
    },
    // Called for every piece of a stream; the last one counts.
    afterModelCallback: endModel,
    onModelErrorCallback: endModel,
    // A plugin that answers in the model's place is followed by no afterModelCallback.
    onEventCallback({ invocationContext, event }: { invocationContext: { session: { id: string; userId: string } }; event: { author?: string } }) {
      const { id: sessionId, userId } = invocationContext.session;
      const span = turnOf({ userId, sessionId })?.openModels.get(event.author ?? '');
      if (span?.to === undefined) end(span);
    },
    beforeToolCallback({ toolContext }: { toolContext: HookContext }) {
      const turn = turnOf(toolContext);
      turn?.openTools.set(toolContext, begin(turn.tools));
    },
    afterToolCallback: endTool,
    onToolErrorCallback: endTool,
    // The SDK's own, which does as little, announces on stdout that it is experimental.
    beforeToolSelection: () => undefined,
  };
  for (const [name, hook] of Object.entries(hooks)) {
    Object.defineProperty(plugin, name, {
      value: async (params: never) => hook(params),
      configurable: true,
      writable: true,
    });
  }
  return plugin;
}

function begin(spans: Span[]): Span {
  const span: Span = { from: performance.now(), to: undefined };
  spans.push(span);
  return span;
}

function end(span: Span | undefined): void {
  if (span !== undefined) span.to = performance.now();
}

function observe({ requests, models, tools }: Turn, cache: DetailsCache): TurnObservations {
  const now = performance.now();
  const modelMs = lengthOf(union(models, now));
  return {
    appDetails: { agentDetails: Object.fromEntries([...requests].map(([agent, request]) => [agent, detailsOf(agent, request, cache)])) },
    modelMs,
    toolMs: lengthOf(union([...models, ...tools], now)) - modelMs,
    models: Object.fromEntries([...requests].flatMap(([agent, request]) => (request.model === undefined ? [] : [[agent, request.model]]))),
  };
}

/** Spans without their overlaps, in order. Calls that have not ended count until now. */
function union(spans: readonly Span[], now: number): readonly (readonly [number, number])[] {
  const merged: [number, number][] = [];
  for (const [from, to] of spans.map((span): [number, number] => [span.from, span.to ?? now]).sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function lengthOf(spans: readonly (readonly [number, number])[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

function detailsOf(name: string, request: ModelRequest, cache: DetailsCache): AgentDetails {
  const { systemInstruction, tools } = request.config ?? {};
  const known = cache.get(name);
  const instructions = instructionText(systemInstruction);
  const toolDeclarations = toPlain(Array.isArray(tools) ? tools : []) as readonly JsonValue[];
  if (known?.instructions === instructions && isDeepStrictEqual(known.toolDeclarations, toolDeclarations)) return known;
  const details = { name, instructions, toolDeclarations };
  cache.set(name, details);
  return details;
}

/** A text, or a content with text parts. */
function instructionText(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = (value as { parts?: unknown } | null | undefined)?.parts;
  if (!Array.isArray(parts)) return '';
  return parts.flatMap((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? [part.text] : [])).join('\n');
}
