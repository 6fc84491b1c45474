import type { Content, FunctionResponse, Invocation, JsonObject, JsonValue, UsageMetadata } from '../evalset/types';
import type { ErrorInfo } from '../support/errors';

/** A tool call as it was observed, with what the ADK formats have no field for. */
export interface ObservedToolCall {
  readonly name: string;
  readonly args?: JsonObject;
  readonly id?: string;
  readonly author: string;
  readonly response?: FunctionResponse;
  /** Calls made in one event are parallel: they share this number. */
  readonly group: number;
  /** Name of the AgentTool whose inner agent made the call. */
  readonly nestedIn?: string;
  /** The tool did not run: it was answered for. */
  readonly simulated?: boolean;
  /** A long-running tool that has not answered. */
  readonly pending?: boolean;
}

/** Token counts of one model in a turn. */
export interface ModelUsage {
  readonly model: string;
  readonly calls: number;
  readonly usage: UsageMetadata;
}

/**
 * What became of a turn. `unanswered`: no events and no error; scored as no response and no calls.
 * `not_run`: an earlier turn of the trial ended in an error.
 */
export type TurnOutcome = 'answered' | 'unanswered' | 'error' | 'not_run';

/** One turn as it went. A plain `Invocation` with observations beside it. */
export interface ActualInvocation extends Invocation {
  readonly outcome: TurnOutcome;
  readonly error?: ErrorInfo;
  /** Every final response of the turn, in order; `finalResponse` is the one that is scored. */
  readonly responses: readonly { readonly author: string; readonly content: Content }[];
  /** Calls of the turn in the order they were made, those inside AgentTools after the call of the tool; without `adk_request_…` bookkeeping. */
  readonly toolCalls: readonly ObservedToolCall[];
  /** What the tools returned, in order, the calls inside AgentTools included. */
  readonly toolResponses?: readonly FunctionResponse[];
  readonly usageByModel: readonly ModelUsage[];
  /** Milliseconds from sending to the last event. */
  readonly latencyMs: number;
  /** Which session of a case with several, from 0. */
  readonly session?: number;
  /** Long-running tools, and requests to the user such as `adk_request_confirmation`, that wait for an answer. */
  readonly pendingTools: readonly string[];
}

/**
 * How a trial ended. `turn_limit` and `case_limit` are limits of time. `stop_signal` and `max_turns` end simulated conversations; `simulator_error`: the
 * model that played the user failed, which says nothing about the agent.
 */
export type EndReason = 'completed' | 'error' | 'turn_limit' | 'case_limit' | 'aborted' | 'max_turns' | 'stop_signal' | 'simulator_error';

/** One session of a trial with several, in the order in which they were held. */
export interface SessionRecord {
  readonly name?: string;
  readonly ids: TrialRecord['ids'];
  /** How many of the trial's turns are its own. */
  readonly turns: number;
  readonly finalState?: Readonly<Record<string, JsonValue>>;
}

/** One trial of one case, ready to be scored. */
export interface TrialRecord {
  readonly evalId: string;
  /** Counts from 0. */
  readonly trial: number;
  readonly ids: { readonly appName: string; readonly userId: string; readonly sessionId: string };
  readonly invocations: readonly ActualInvocation[];
  readonly endReason: EndReason;
  /** Words with which a simulated user ended the conversation; the agent did not see them. */
  readonly droppedMessage?: string;
  /** Present when the agent could not be asked, or a limit ended the trial. */
  readonly error?: ErrorInfo;
  /** Of the last session, where there are several. */
  readonly finalState?: Readonly<Record<string, JsonValue>>;
  /** Of a case with several; those that were not reached are left out. */
  readonly sessions?: readonly SessionRecord[];
  /** State keys that were written inside an AgentTool's own session and are not in `finalState`, with the tool's name. */
  readonly childState?: Readonly<Record<string, string>>;
  readonly artifacts?: readonly string[];
  readonly warnings: readonly string[];
  /** Milliseconds since the epoch, and length in milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
}
