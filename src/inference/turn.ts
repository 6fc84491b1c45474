import type { AppDetails, Content, InvocationEvent } from '../evalset/types';
import type { ErrorInfo } from '../support/errors';
import { redact } from '../support/secrets';
import type { AgentEvent, TurnObservations } from '../target/types';
import { foldGroup, isErrorEvent, isFinalResponse, isUserEvent } from './fold';
import { mergePartials } from './partials';
import { observeToolCalls } from './tool-calls';
import type { ActualInvocation, ModelUsage } from './types';

/** A turn as it went: what was sent, what came back, and how it ended. */
export interface FinishedTurn {
  readonly content: Content;
  readonly events: readonly AgentEvent[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly latencyMs: number;
  /** The turn ended with an exception or at a limit. */
  readonly error?: ErrorInfo;
  readonly observations?: TurnObservations | undefined;
  /** Of a target that does not tell what its agents are. */
  readonly appDetails?: AppDetails | undefined;
  /** The answer is the last final response of this author instead of the last of all. */
  readonly finalResponseFrom?: string | undefined;
}

/**
 * One invocation for one turn, whatever invocation ids its events have. As google-adk makes it, and beyond: partial events are
 * not repeated beside the complete one, all final responses are kept, calls inside AgentTools are listed.
 */
export function foldTurn(turn: FinishedTurn): ActualInvocation {
  const own = mergePartials(turn.events.filter((event) => event.nestedIn === undefined && !isUserEvent(event)));
  const nested = turn.events.filter((event) => event.nestedIn !== undefined && event.partial !== true && !isUserEvent(event));
  const whole = nested.length === 0 ? own : turn.events.filter((event) => event.partial !== true && !isUserEvent(event));
  const folded = foldGroup(own, turn.finalResponseFrom);
  const error = turn.error ?? errorOf(own, folded.finalResponse);
  const { toolCalls, toolResponses, pendingTools } = observeToolCalls(whole);
  const appDetails = detailsOf(own, turn.observations?.appDetails) ?? turn.appDetails;
  return {
    invocationId: own.find((event) => event.invocationId !== '')?.invocationId ?? '',
    userContent: turn.content,
    ...(folded.finalResponse === undefined ? {} : { finalResponse: folded.finalResponse }),
    intermediateData: { invocationEvents: folded.events },
    creationTimestamp: turn.startedAt / 1000,
    duration: seconds(turn.latencyMs),
    ...(turn.observations?.modelMs === undefined ? {} : { modelDuration: seconds(turn.observations.modelMs) }),
    ...(turn.observations?.toolMs === undefined ? {} : { toolDuration: seconds(turn.observations.toolMs) }),
    ...(appDetails === undefined ? {} : { appDetails }),
    outcome: error !== undefined ? 'error' : own.length + nested.length === 0 ? 'unanswered' : 'answered',
    ...(error === undefined ? {} : { error }),
    responses: own.filter((event) => isFinalResponse(event) && isAnswer(event.content)).map((event) => ({ author: event.author, content: event.content ?? {} })),
    toolCalls,
    toolResponses,
    usageByModel: usageByModel(turn.events, turn.observations?.models),
    latencyMs: turn.latencyMs,
    pendingTools,
  };
}

/** A turn that was never sent because an earlier one of its trial ended in an error. */
export function turnNotRun(content: Content): ActualInvocation {
  const invocationEvents: readonly InvocationEvent[] = [];
  return {
    invocationId: '',
    userContent: content,
    intermediateData: { invocationEvents },
    creationTimestamp: 0,
    outcome: 'not_run',
    responses: [],
    toolCalls: [],
    toolResponses: [],
    usageByModel: [],
    latencyMs: 0,
    pendingTools: [],
  };
}

/**
 * A model that failed shows as an event with an error code, not as an exception. It is an error of the turn unless the turn has
 * an answer all the same: the SDK goes on after some errors, such as a call of a tool that does not exist.
 */
function errorOf(events: readonly AgentEvent[], answer: Content | undefined): ErrorInfo | undefined {
  if (answer !== undefined && isAnswer(answer)) return undefined;
  const failed = events.findLast(isErrorEvent);
  if (failed === undefined) return undefined;
  const code = failed.errorCode === undefined || failed.errorCode === '' ? 'model_error' : failed.errorCode;
  return { code, message: failed.errorMessage === undefined || failed.errorMessage === '' ? `The agent reported error ${code} without a message.` : redact(failed.errorMessage) };
}

/** Whether a content says anything: some part beside empty text. */
function isAnswer(content: Content | undefined): boolean {
  return (content?.parts ?? []).some((part) => Object.entries(part).some(([key, value]) => key !== 'thought' && value !== undefined && value !== ''));
}

/** As the reference: each agent that spoke and whose request was seen, in the order in which they first spoke. */
function detailsOf(events: readonly AgentEvent[], seen: AppDetails | undefined): AppDetails | undefined {
  if (seen === undefined) return undefined;
  const authors = [...new Set(events.map((event) => event.author))].filter((author) => Object.hasOwn(seen.agentDetails, author));
  if (authors.length === 0) return undefined;
  return { agentDetails: Object.fromEntries(authors.flatMap((author) => (seen.agentDetails[author] === undefined ? [] : [[author, seen.agentDetails[author]]]))) };
}

/** Token counts by model. Partial events may repeat the usage of the complete one and are left out. */
function usageByModel(events: readonly AgentEvent[], models: TurnObservations['models']): readonly ModelUsage[] {
  const byModel = new Map<string, { calls: number; usage: Record<string, number> }>();
  for (const event of events) {
    if (event.usageMetadata === undefined || event.partial === true) continue;
    const model = event.modelVersion || (models !== undefined && Object.hasOwn(models, event.author) ? models[event.author] : undefined) || 'unknown';
    const entry = byModel.get(model) ?? { calls: 0, usage: {} };
    byModel.set(model, entry);
    entry.calls += 1;
    for (const [name, count] of Object.entries(event.usageMetadata)) {
      if (typeof count === 'number' && name.endsWith('TokenCount')) entry.usage[name] = (entry.usage[name] ?? 0) + count;
    }
  }
  return [...byModel].map(([model, { calls, usage }]) => ({ model, calls, usage: usage }));
}

/** Whole milliseconds as seconds, as the reference rounds. */
function seconds(milliseconds: number): number {
  return Number((milliseconds / 1000).toFixed(3));
}
