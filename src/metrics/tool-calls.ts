import { isInvocationEvents, type FunctionCall, type FunctionResponse, type Invocation, type JsonObject } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import type { Profile } from '../support/profile';
import { isActual } from './text';

/** A tool call as it is compared. Ids are kept for pairing and never compared. */
export interface ToolCall {
  readonly name?: string;
  readonly args?: JsonObject;
  readonly id?: string;
  /** Absent where the format has no place for it. */
  readonly author?: string;
  /** Calls of one event share this number: they were made in parallel. Absent: a call by itself. */
  readonly group?: number;
  /** Name of the AgentTool inside which the call was made. */
  readonly nestedIn?: string;
}

/** Which calls of a turn count. */
export interface CallSelection {
  readonly ignoreTools?: readonly string[];
  /** Calls made inside AgentTool count too. */
  readonly nestedTools?: boolean;
  /** Only calls of these authors count, where the author is known. */
  readonly authors?: readonly string[];
}

/**
 * The tool calls of a turn in order, from either shape of its intermediate data, or from what a run observed.
 * Under google-adk the intermediate data alone counts, as it is.
 */
export function toolCallsOf(invocation: Invocation | ActualInvocation, profile: Pick<Profile, 'name'>, selection: CallSelection = {}): ToolCall[] {
  const calls = profile.name === 'default' && isActual(invocation) ? invocation.toolCalls : recordedCalls(invocation);
  return calls.filter((call) => counts(call, selection));
}

function counts(call: ToolCall, selection: CallSelection): boolean {
  if (call.nestedIn !== undefined && selection.nestedTools !== true) return false;
  if (call.name !== undefined && selection.ignoreTools?.includes(call.name)) return false;
  return selection.authors === undefined || call.author === undefined || selection.authors.includes(call.author);
}

function recordedCalls(invocation: Invocation): ToolCall[] {
  const data = invocation.intermediateData;
  if (data === undefined) return [];
  if (!isInvocationEvents(data)) return data.toolUses.map(asToolCall);
  return data.invocationEvents.flatMap((event, group) =>
    (event.content?.parts ?? []).flatMap((part) => (part.functionCall === undefined ? [] : [{ ...asToolCall(part.functionCall), author: event.author, group }])),
  );
}

function asToolCall(call: FunctionCall): ToolCall {
  return {
    ...(call.name === undefined ? {} : { name: call.name }),
    ...(call.args === undefined ? {} : { args: call.args }),
    ...(call.id === undefined ? {} : { id: call.id }),
  };
}

/** The tool responses of a turn in order, from either shape of its intermediate data. */
function toolResponsesOf(invocation: Pick<Invocation, 'intermediateData'>): FunctionResponse[] {
  const data = invocation.intermediateData;
  if (data === undefined) return [];
  if (!isInvocationEvents(data)) return [...data.toolResponses];
  return data.invocationEvents.flatMap((event) => (event.content?.parts ?? []).flatMap((part) => (part.functionResponse === undefined ? [] : [part.functionResponse])));
}

/**
 * Each call beside its response, found by id. Of several responses with one id the last answers; calls without an id are all answered
 * by the last response without one.
 */
export function toolPairsOf(invocation: Invocation): { readonly call: ToolCall; readonly response: FunctionResponse | undefined }[] {
  const byId = new Map(toolResponsesOf(invocation).map((response) => [response.id, response]));
  return recordedCalls(invocation).map((call) => ({ call, response: byId.get(call.id) }));
}
