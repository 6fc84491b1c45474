import type { ErrorInfo } from '../support/errors';
import type { AppDetails, Content, JsonObject, JsonValue, UsageMetadata } from '../evalset/types';

/** An event as a target yields it: ADK's `Event` in camelCase, plain data. `timestamp` in seconds. */
export interface AgentEvent {
  readonly id?: string;
  readonly invocationId: string;
  readonly author: string;
  readonly content?: Content;
  readonly partial?: boolean;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly longRunningToolIds?: readonly string[];
  readonly actions?: {
    readonly skipSummarization?: boolean;
    readonly stateDelta?: JsonObject;
    readonly artifactDelta?: JsonObject;
    readonly transferToAgent?: string;
    readonly escalate?: boolean;
    readonly [other: string]: unknown;
  };
  readonly usageMetadata?: UsageMetadata;
  readonly modelVersion?: string;
  readonly groundingMetadata?: JsonObject;
  readonly branch?: string;
  /** Seconds since the epoch. */
  readonly timestamp?: number;
  /** Set by a target on calls that ran inside an AgentTool: name of the tool whose agent made them. */
  readonly nestedIn?: string;
  readonly [other: string]: unknown;
}

/** Answers for a tool in its place; undefined lets the tool itself run. */
export type ToolStandIn = (call: {
  readonly tool: string;
  readonly args: JsonObject;
  readonly id: string | undefined;
  readonly description: string | undefined;
  /** Declarations of the agent's tools, the called one first. */
  readonly declarations: () => readonly JsonValue[];
}) => Promise<JsonObject | undefined>;

/** What a target needs to open a session for one trial. */
export interface OpenSession {
  readonly appName?: string;
  readonly userId: string;
  /** Pinned session; otherwise the target makes a fresh id. */
  readonly sessionId?: string;
  /** State before the first turn; undefined when the case has no session input. */
  readonly state?: JsonObject;
  /** Answers for tools; only targets with plugins know it. */
  readonly standIn?: ToolStandIn | undefined;
  /** The same object for all sessions of one trial, when it has several: they share memory, artifacts, and the state of the user and of the app. */
  readonly group?: object;
}

/** What a target is told before an evaluation. */
export interface PrepareTarget {
  /** App name that the evaluation's options give; a target's own comes first. */
  readonly appName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a target observed in a turn beside its events; gathered without touching the user's agent. */
export interface TurnObservations {
  readonly appDetails?: AppDetails;
  /** Milliseconds; model calls and tools outside model calls. */
  readonly modelMs?: number;
  readonly toolMs?: number;
  /** Model name by agent name, for events that do not name their model. */
  readonly models?: Readonly<Record<string, string>>;
}

/** One session with a target, for one trial. */
export interface TargetSession {
  readonly ids: { readonly appName: string; readonly userId: string; readonly sessionId: string };
  send(content: Content, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Observations of the turn that just ended. */
  observations?(): TurnObservations | undefined;
  state?(): Promise<Record<string, JsonValue>>;
  artifacts?(): Promise<readonly string[]>;
  /** Adds what was said to the memory that the sessions of a group share; without it there is none. */
  addToMemory?(signal: AbortSignal): Promise<void>;
  /** Always called; a failure is a warning. */
  close(): Promise<void>;
}

/** What a target can give, as far as it is known before a session is open. */
export interface TargetCapabilities {
  /** Left out: it shows with the first turn. */
  readonly appDetails?: boolean;
  readonly state: boolean;
  /** Left out: it shows with the session. */
  readonly artifacts?: boolean;
  readonly plugins: boolean;
  readonly cancel: boolean;
}

/** What is evaluated. One implementation per file in src/target/. */
export interface Target {
  readonly kind: string;
  /** Name used for results when nothing else says one (`App.name`, the root agent's name). */
  readonly appName?: string | undefined;
  readonly capabilities: TargetCapabilities;
  /**
   * Makes the target of one evaluation: what can only be known by asking is asked, after everything else was found right, and what the
   * evaluation leaves behind is its own. Targets without it are used as they are, by one evaluation after the other.
   *
   * @throws {JestAdkError} when it cannot be evaluated
   */
  prepare?(context: PrepareTarget): Promise<Target>;
  /** A pinned session is one that it has already: it is neither made nor deleted, and has its own state. */
  readonly keepsSessions?: true;
  /** Why no session can be opened for a case; known without asking anybody. */
  refusal?(input: OpenSession): ErrorInfo | undefined;
  openSession(input: OpenSession, signal: AbortSignal): Promise<TargetSession>;
  /**
   * Once, after the last case: waits until nothing of the evaluation is left behind.
   *
   * @param signal  aborted when the time for it is over; what is left is then told at once
   * @returns warnings, when there are any
   */
  close(signal?: AbortSignal): Promise<void | readonly string[]>;
}

/** Loads user modules (agents, metrics, hooks) where the caller lives: Jest's sandbox, or Node. */
export interface ModuleLoader {
  /** Loads the module at an absolute path; ESM, CommonJS and TypeScript as the caller's world supports them. */
  load(absolutePath: string): Promise<Record<string, unknown>>;
  /** Resolves and loads a bare specifier (`pkg/sub`) from a folder. */
  loadPackage(specifier: string, fromFolder: string): Promise<Record<string, unknown>>;
}

/** A function under evaluation. `turn.text` is the user's text; `session` lives for the whole trial. */
export interface FunctionTurn {
  readonly text: string;
  readonly content: Content;
  readonly index: number;
  readonly signal: AbortSignal;
}
/** The session of a function under evaluation. */
export interface FunctionSession {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Mutable: what is left in it after the last turn is the final state. */
  readonly state: Record<string, unknown>;
  /** Mutable; the same for all sessions of a trial and user, gone with the trial. */
  readonly memory: Record<string, unknown>;
}
