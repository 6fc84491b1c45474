import { isInvocationEvents, type Content, type FunctionCall, type FunctionResponse, type Invocation, type InvocationEvent, type UsageMetadata } from '../evalset/types';
import type { ActualInvocation, ModelUsage, ObservedToolCall } from '../inference/types';

/** A turn that google-adk stored, with the observations of ours that can be told from its fields; the rest is empty. */
export function observedTurn(plain: Invocation): ActualInvocation {
  const events = plain.intermediateData !== undefined && isInvocationEvents(plain.intermediateData) ? plain.intermediateData.invocationEvents : [];
  const answered = plain.finalResponse !== undefined || events.length > 0;
  return {
    ...plain,
    outcome: answered ? 'answered' : 'unanswered',
    responses: plain.finalResponse === undefined ? [] : [{ author: events.at(-1)?.author ?? '', content: plain.finalResponse }],
    toolCalls: toolCallsOf(plain, events),
    usageByModel: usageByModel(events),
    latencyMs: (plain.duration ?? 0) * 1000,
    pendingTools: [],
  };
}

function toolCallsOf(plain: Invocation, events: readonly InvocationEvent[]): ObservedToolCall[] {
  const data = plain.intermediateData;
  if (data !== undefined && !isInvocationEvents(data)) {
    const responses = data.toolResponses;
    return data.toolUses.map((call, group) => observedCall(call, '', group, responses));
  }
  const responses = events.flatMap((event) => partsOf(event.content).flatMap((part) => part.functionResponse ?? []));
  return events.flatMap((event, group) =>
    partsOf(event.content).flatMap((part) => (part.functionCall === undefined ? [] : [observedCall(part.functionCall, event.author, group, responses)])));
}

function observedCall(call: FunctionCall, author: string, group: number, responses: readonly FunctionResponse[]): ObservedToolCall {
  const response = responses.findLast((each) => each.id === call.id);
  return {
    name: call.name ?? '',
    ...(call.args === undefined ? {} : { args: call.args }),
    ...(call.id === undefined ? {} : { id: call.id }),
    author,
    group,
    ...(response === undefined ? {} : { response }),
  };
}

function usageByModel(events: readonly InvocationEvent[]): ModelUsage[] {
  const byModel = new Map<string, { calls: number; usage: Record<string, number> }>();
  for (const { usageMetadata, modelVersion = '' } of events) {
    if (usageMetadata === undefined) continue;
    const sum = byModel.get(modelVersion) ?? { calls: 0, usage: {} };
    byModel.set(modelVersion, sum);
    sum.calls += 1;
    addUsage(sum.usage, usageMetadata);
  }
  return [...byModel].map(([model, sum]) => ({ model, ...sum }));
}

function addUsage(sum: Record<string, number>, usage: UsageMetadata): void {
  for (const [name, value] of Object.entries(usage)) if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value;
}

function partsOf(content: Content | undefined): NonNullable<Content['parts']> {
  return content?.parts ?? [];
}
