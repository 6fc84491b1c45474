import { isDeepStrictEqual } from 'node:util';
import type { AgentDetails, JsonValue } from '../evalset/types';
import type { AdkModule, AdkPlugin } from './adk-shapes';
import { toPlain } from './plain';
import type { TurnObservations } from './types';

interface ModelRequest {
  readonly model?: string;
  readonly config?: { readonly systemInstruction?: unknown; readonly tools?: unknown };
}
type Span = { readonly from: number; to: number | undefined };

/** Watches one session's turns from a plugin of ours, which runs first and answers nothing. */
export interface Recorder {
  readonly plugin: AdkPlugin;
  /** Forgets the turn before. */
  startTurn(): void;
  /** What was seen in the turn that just ended. */
  observations(): TurnObservations;
}

/** Details of agents that were the same in every turn so far, so that thousands of turns share one object. */
export type DetailsCache = Map<string, AgentDetails>;

/**
 * Records model requests and times. It sees neither what `AgentTool`s do inside (the SDK gives them no plugins) nor requests of
 * live connections.
 */
export function createRecorder(adk: AdkModule, cache: DetailsCache): Recorder {
  let requests = new Map<string, ModelRequest>();
  let models: Span[] = [];
  let tools: Span[] = [];
  const openModels = new Map<string, Span>();
  const openTools = new Map<unknown, Span>();
  const begin = (spans: Span[]): Span => {
    const span: Span = { from: performance.now(), to: undefined };
    spans.push(span);
    return span;
  };
  const end = (span: Span | undefined): void => {
    if (span !== undefined) span.to = performance.now();
  };
  const plugin = new adk.BasePlugin('jest_adk_recorder');
  const hooks = {
    beforeModelCallback({ callbackContext, llmRequest }: { callbackContext: { agentName: string }; llmRequest: ModelRequest }) {
      // Kept by reference and read when the turn is over: plugins after this one may still change it.
      if (!requests.has(callbackContext.agentName)) requests.set(callbackContext.agentName, llmRequest);
      openModels.set(callbackContext.agentName, begin(models));
    },
    // Called for every piece of a stream; the last one counts.
    afterModelCallback({ callbackContext }: { callbackContext: { agentName: string } }) {
      end(openModels.get(callbackContext.agentName));
    },
    onModelErrorCallback({ callbackContext }: { callbackContext: { agentName: string } }) {
      end(openModels.get(callbackContext.agentName));
    },
    // A plugin that answers in the model's place is followed by no afterModelCallback.
    onEventCallback({ event }: { event: { author?: string } }) {
      const span = openModels.get(event.author ?? '');
      if (span?.to === undefined) end(span);
    },
    beforeToolCallback({ toolContext }: { toolContext: unknown }) {
      openTools.set(toolContext, begin(tools));
    },
    afterToolCallback({ toolContext }: { toolContext: unknown }) {
      end(openTools.get(toolContext));
    },
    onToolErrorCallback({ toolContext }: { toolContext: unknown }) {
      end(openTools.get(toolContext));
    },
  };
  for (const [name, hook] of Object.entries(hooks)) {
    Object.defineProperty(plugin, name, { value: (params: never) => Promise.resolve(hook(params)), configurable: true, writable: true });
  }
  return {
    plugin,
    startTurn() {
      requests = new Map();
      models = [];
      tools = [];
      openModels.clear();
      openTools.clear();
    },
    observations() {
      const now = performance.now();
      const modelTime = union(models, now);
      return {
        appDetails: { agentDetails: Object.fromEntries([...requests].map(([agent, request]) => [agent, detailsOf(agent, request, cache)])) },
        modelMs: lengthOf(modelTime),
        toolMs: lengthOf(union([...models, ...tools], now)) - lengthOf(modelTime),
        models: Object.fromEntries([...requests].flatMap(([agent, request]) => (request.model === undefined ? [] : [[agent, request.model]]))),
      };
    },
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
