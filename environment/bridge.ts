/**
 * What a test file's sandbox gets from the world outside. This module is loaded on both sides and stays small: it holds the key, the
 * shape and the one message for test files that have no bridge.
 */
import type { DescribeEvalSet, EvalSetSource, MatcherOptions } from './calls';
import type { AgentEvaluatorApi } from '../src/agent-evaluator';
import type { EvaluateOptions } from '../src/evaluation/types';
import type { TurnStart } from '../src/evaluation/single-turn';
import type { TrialRecord } from '../src/inference/types';
import type { EvaluationResult } from '../src/results/model';
import type * as Core from '../src/index';

const bridgeKey = Symbol.for('jest-adk.bridge');

/** What only the sandbox can give: its own functions, handed over by `jest-adk/register`. */
export interface Sandbox {
  readonly require: NodeJS.Require;
  /** `import()` as it is written in a module of the sandbox. */
  readonly import: (specifier: string) => Promise<unknown>;
  readonly expect: { getState(): { readonly currentTestName?: string; readonly currentConcurrentTestName?: () => string | undefined } };
  readonly test: unknown;
  readonly describe: unknown;
}

/** A call that a test has to await, for the message when it does not. */
export interface Watched {
  /** `toPassEvalSet("evals/home.test.json")`, as the test wrote it. */
  readonly what: string;
}

/** A shared package: the module itself, or the file to load inside the sandbox. */
export type SharedModule = { readonly module: Record<string, unknown> } | { readonly path: string };

/** The world outside, for one test file. */
export interface Bridge {
  /** The core; loaded once per worker, at the first use. */
  core(): typeof Core;
  attachSandbox(sandbox: Sandbox): void;
  /** Runs something that the calling test has to await. The signal is aborted when the test ends before it does. */
  watch<T>(call: Watched, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Evaluates a target with eval sets. Rejects with an error for everything that is no verdict, also when results could not be saved. */
  evaluate(target: unknown, evalSets: EvalSetSource, options: MatcherOptions, signal: AbortSignal): Promise<EvaluationResult>;
  /** Asks a target for one turn. */
  ask(target: unknown, start: TurnStart, options: EvaluateOptions, signal: AbortSignal): Promise<TrialRecord>;
  readonly agentEvaluator: AgentEvaluatorApi;
  readonly describeEvalSet: DescribeEvalSet;
  /** What `jest-adk` exports inside a test file. */
  api(): Record<string, unknown>;
  /** @param from  the module that asks, where it is known: it may have an installation of its own */
  shared(specifier: string, from?: string): SharedModule;
}

interface WithBridge {
  [bridgeKey]?: Bridge;
}

/** Puts a bridge into a sandbox, where only those find it who know its key. */
export function placeBridge(global: object, bridge: Bridge): void {
  Object.defineProperty(global, bridgeKey, { value: bridge, configurable: true, writable: true });
}

/** The bridge of this sandbox, if there is one. */
export function findBridge(): Bridge | undefined {
  return (globalThis as WithBridge)[bridgeKey];
}

/**
 * The bridge of this sandbox.
 *
 * @param what  who needs it, for the message
 */
export function useBridge(what: string): Bridge {
  const bridge = findBridge();
  if (bridge !== undefined) return bridge;
  throw new Error(
    `${what} needs jest-adk around the test file, and there is neither its environment nor its runner. ` +
      `Use \`preset: 'jest-adk'\`, or add \`testEnvironment: 'jest-adk/environment'\` (and, where another preset brings its own, \`testRunner: 'jest-adk/runner'\`) to Jest's config.`,
  );
}
