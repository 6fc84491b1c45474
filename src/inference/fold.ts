import type { AppDetails, Content, FunctionCall, Invocation, InvocationEvent, Part } from '../evalset/types';
import type { AgentEvent } from '../target/types';

/** What was observed beside the events, by invocation id. Durations in seconds. */
export interface FoldObservations {
  readonly appDetails?: Readonly<Record<string, AppDetails>>;
  readonly durations?: Readonly<Record<string, number>>;
  readonly modelDurations?: Readonly<Record<string, number>>;
  readonly toolDurations?: Readonly<Record<string, number>>;
}

/** One group of events with one invocation id, as far as the reference's rules go. */
export interface FoldedGroup {
  readonly userContent: Content;
  readonly finalResponse?: Content;
  readonly events: readonly InvocationEvent[];
  /** Seconds since the epoch; 0 without a user event. */
  readonly creationTimestamp: number;
  /** The event that supplied the final response. */
  readonly finalEvent?: AgentEvent;
}

/** Function calls of an event, in the order of its parts. */
export function functionCallsOf(event: { readonly content?: Content }): readonly FunctionCall[] {
  return partsOf(event).flatMap((part) => (part.functionCall === undefined ? [] : [part.functionCall]));
}

/** Whether some part has non-empty text; thoughts count. */
function hasText(content: Content): boolean {
  return (content.parts ?? []).some((part) => part.text !== undefined && part.text !== '');
}

/** Whether a turn's author is the user: ADK compares lower-cased. */
export function isUserEvent(event: AgentEvent): boolean {
  return event.author.toLowerCase() === 'user';
}

/** Whether an event reports an error of the model or the framework. */
export function isErrorEvent(event: AgentEvent): boolean {
  return (event.errorCode !== undefined && event.errorCode !== '') || (event.errorMessage !== undefined && event.errorMessage !== '');
}

/**
 * Whether an event may be the answer of its turn. Source: google-adk 2.13 `Event.is_final_response`; the TypeScript SDK's
 * function of that name differs (it also takes requests for credentials for answers), so it is not used here.
 */
export function isFinalResponse(event: AgentEvent): boolean {
  if (event.actions?.skipSummarization === true || (event.longRunningToolIds?.length ?? 0) > 0) return true;
  const parts = partsOf(event);
  const partial = event.partial === true;
  const calls = parts.some((part) => part.functionCall !== undefined);
  if (event.errorCode !== undefined && event.errorCode !== '' && !partial && !calls) return true;
  const responses = parts.some((part) => part.functionResponse !== undefined);
  return !calls && !responses && !partial && parts.at(-1)?.codeExecutionResult === undefined;
}

/**
 * Turns the events of a session into invocations as google-adk's live inference does: one per distinct invocation id, in order
 * of first appearance (formats of google-adk 2.13, `EvaluationGenerator.convert_events_to_eval_invocations`).
 *
 * @param events        in the order they happened; partial events are recorded as the reference records them
 * @param observations  attached by invocation id; an id without an entry gets none
 */
export function invocationsFromEvents(events: readonly AgentEvent[], observations: FoldObservations = {}): readonly Invocation[] {
  const groups = new Map<string, AgentEvent[]>();
  for (const event of events) {
    const group = groups.get(event.invocationId);
    if (group === undefined) groups.set(event.invocationId, [event]);
    else group.push(event);
  }
  return [...groups].map(([invocationId, group]) => {
    const folded = foldGroup(group);
    const appDetails = own(observations.appDetails, invocationId);
    const duration = own(observations.durations, invocationId);
    const modelDuration = own(observations.modelDurations, invocationId);
    const toolDuration = own(observations.toolDurations, invocationId);
    return {
      invocationId,
      userContent: folded.userContent,
      ...(folded.finalResponse === undefined ? {} : { finalResponse: folded.finalResponse }),
      intermediateData: { invocationEvents: folded.events },
      creationTimestamp: folded.creationTimestamp,
      ...(duration === undefined ? {} : { duration }),
      ...(modelDuration === undefined ? {} : { modelDuration }),
      ...(toolDuration === undefined ? {} : { toolDuration }),
      ...(appDetails === undefined ? {} : { appDetails }),
    };
  });
}

/**
 * Folds the events of one turn: the user's content, the answer that counts, and what happened on the way.
 *
 * @param events      events of one turn, in order
 * @param answerFrom  only final responses of this author can be the answer
 */
export function foldGroup(events: readonly AgentEvent[], answerFrom?: string): FoldedGroup {
  let userContent: Content = { parts: [] };
  let creationTimestamp = 0;
  let finalEvent: AgentEvent | undefined;
  const recorded: AgentEvent[] = [];
  for (const event of events) {
    if (isUserEvent(event)) {
      if (event.content === undefined) continue;
      userContent = event.content;
      creationTimestamp = event.timestamp ?? 0;
      continue;
    }
    if ((answerFrom === undefined || event.author === answerFrom) && isAcceptedFinal(event, finalEvent)) finalEvent = event;
    if (isRecorded(event)) recorded.push(event);
  }
  return {
    userContent,
    ...(finalEvent?.content === undefined ? {} : { finalResponse: finalEvent.content, finalEvent }),
    events: recorded.map((event) => toInvocationEvent(event, event === finalEvent)),
    creationTimestamp,
  };
}

/** A final event takes the place of the one before it, unless that one has text and the new one has none. */
function isAcceptedFinal(event: AgentEvent, current: AgentEvent | undefined): boolean {
  if (event.content === undefined || partsOf(event).length === 0 || !isFinalResponse(event)) return false;
  return current?.content === undefined || !hasText(current.content) || hasText(event.content);
}

function isRecorded(event: AgentEvent): boolean {
  return event.groundingMetadata !== undefined || partsOf(event).some(isWorthRecording);
}

function isWorthRecording(part: Part): boolean {
  return part.functionCall !== undefined || part.functionResponse !== undefined || part.inlineData !== undefined || (part.text !== undefined && part.text !== '');
}

/** The event that supplied the answer is listed without its content, or the answer would be there twice; with a call it is kept, for the trajectory. */
function toInvocationEvent(event: AgentEvent, isAnswer: boolean): InvocationEvent {
  const keepsContent = !isAnswer || functionCallsOf(event).length > 0;
  return {
    author: event.author,
    ...(event.content !== undefined && keepsContent ? { content: event.content } : {}),
    ...(event.groundingMetadata === undefined ? {} : { groundingMetadata: event.groundingMetadata }),
    ...(event.usageMetadata === undefined ? {} : { usageMetadata: event.usageMetadata }),
    ...(event.modelVersion === undefined ? {} : { modelVersion: event.modelVersion }),
  };
}

function partsOf(event: { readonly content?: Content }): readonly Part[] {
  return event.content?.parts ?? [];
}

/** Ids are data: `constructor` is an id like any other. */
function own<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
