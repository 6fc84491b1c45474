import type { FunctionCall, FunctionResponse } from '../evalset/types';
import type { AgentEvent } from '../target/types';
import type { ObservedToolCall } from './types';

/** Calls by which the framework asks the user for something; they wait for an answer and are no tools of the agent. */
const requestPrefix = 'adk_request_';

/** What the events of a turn say about tools. */
export interface ObservedTools {
  readonly toolCalls: readonly ObservedToolCall[];
  readonly toolResponses: readonly FunctionResponse[];
  readonly pendingTools: readonly string[];
}

type OpenCall = { -readonly [K in keyof ObservedToolCall]: ObservedToolCall[K] } & { longRunning: boolean };

/**
 * Reads calls and responses off the complete events of a turn. A response belongs to the call with its id; without ids, to the
 * first unanswered call of its name.
 */
export function observeToolCalls(events: readonly AgentEvent[]): ObservedTools {
  const calls: OpenCall[] = [];
  const responses: FunctionResponse[] = [];
  let group = -1;
  for (const event of events) {
    const parts = event.content?.parts ?? [];
    if (parts.some((part) => part.functionCall !== undefined)) group += 1;
    for (const { functionCall: call, functionResponse: response } of parts) {
      if (call !== undefined) calls.push(newCall(call, event, group));
      if (response === undefined) continue;
      responses.push(response);
      const asked = calls.find((open) => belongsTo(response, open, event));
      if (asked !== undefined) asked.response = response;
    }
  }
  return {
    toolCalls: calls.filter((call) => !call.name.startsWith(requestPrefix)).map(published),
    // A copy of its own size: a list that was grown keeps room for more.
    toolResponses: responses.slice(),
    pendingTools: calls.filter(isPending).map((call) => call.name),
  };
}

function published(call: OpenCall): ObservedToolCall {
  const { longRunning: _longRunning, ...rest } = call;
  return isPending(call) ? { ...rest, pending: true } : rest;
}

/** Ids of calls that wait for the user, by name: a scripted answer in a later turn cannot know them. */
export function pendingCallIds(events: readonly AgentEvent[]): readonly { readonly name: string; readonly id: string }[] {
  return events.flatMap((event) =>
    (event.content?.parts ?? []).flatMap(({ functionCall: call }) =>
      call?.id !== undefined && call.name !== undefined && event.longRunningToolIds?.includes(call.id) === true ? [{ name: call.name, id: call.id }] : [],
    ),
  );
}

function newCall(call: FunctionCall, event: AgentEvent, group: number): OpenCall {
  return {
    name: call.name ?? '',
    ...(call.args === undefined ? {} : { args: call.args }),
    ...(call.id === undefined ? {} : { id: call.id }),
    author: event.author,
    group,
    ...(event.nestedIn === undefined ? {} : { nestedIn: event.nestedIn }),
    longRunning: call.id !== undefined && event.longRunningToolIds?.includes(call.id) === true,
  };
}

function belongsTo(response: FunctionResponse, call: OpenCall, event: AgentEvent): boolean {
  if (call.nestedIn !== event.nestedIn || call.response !== undefined) return false;
  return response.id === undefined || call.id === undefined ? response.name === call.name : response.id === call.id;
}

/** A long-running tool waits until it has returned something other than the word "pending". */
function isPending(call: OpenCall): boolean {
  if (!call.longRunning) return false;
  const status = call.response?.response?.status;
  return call.response === undefined || (typeof status === 'string' && status.toLowerCase() === 'pending');
}
