/** Tools that are answered for: fixed answers, errors, delays, or answers that a model makes up. */
import type { JsonObject, JsonValue } from '../../evalset/types';

/** What a call gets when no rule fires. `real`: the tool itself. `error`: the trial is an error. `mock`: a model makes an answer up. */
export type OnMiss = 'real' | 'error' | 'mock';

/** One rule of a tool (ADK `InjectionConfig`). */
export interface Injection {
  /** Every pair must be in the call's arguments, with an equal value. */
  readonly matchArgs?: JsonObject;
  /** Chance to fire when it matches; 1 unless given. */
  readonly probability: number;
  /** Seed of this rule's own draws. */
  readonly randomSeed?: number | bigint;
  /** Seconds that the answer takes. */
  readonly latencySeconds: number;
  readonly error?: { readonly code: number; readonly message: string };
  readonly response?: JsonObject;
}

/** How one tool is simulated (ADK `ToolSimulationConfig`). */
export interface ToolSimulation {
  readonly toolName: string;
  readonly injections: readonly Injection[];
  /** A model answers what no rule answers (`tool_spec`), or nobody does (`tracing`, which google-adk never finished). */
  readonly strategy: 'unspecified' | 'tool_spec' | 'tracing';
  readonly onMiss?: OnMiss;
}

/** How the tools of a trial are simulated (ADK `EnvironmentSimulationConfig`). */
export interface EnvironmentConfig {
  readonly tools: readonly ToolSimulation[];
  readonly simulationModel: string;
  readonly modelConfiguration: JsonObject;
  readonly environmentData?: string;
  readonly tracing?: string;
  /** A call that nothing answers is an error, also of tools that are not named: no real tool runs. */
  readonly strict: boolean;
}

/** A call of a tool. */
export interface SimulatedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Id of the call, where it has one. */
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  /** Declarations of all tools of the agent, for the model that makes answers up. */
  readonly declarations?: readonly JsonValue[] | undefined;
}

/** What becomes of a call. */
export type CallOutcome =
  | { readonly simulated: false }
  | { readonly simulated: true; readonly result: JsonObject; /** Seconds; present when a rule fired. */ readonly latencySeconds?: number };

/** Answers for the tools of one trial. */
export interface Environment {
  simulate(call: SimulatedCall, signal: AbortSignal): Promise<CallOutcome>;
  /** Ids of calls that were answered here. */
  readonly simulatedIds: ReadonlySet<string>;
  /** Calls that nothing answered where nothing real may run. */
  readonly unmocked: readonly string[];
  /** Rules that never fired. */
  unused(): readonly string[];
}
