/** google-adk's `AgentEvaluator` for code: its names, camelCased, and one options object. */
import { defaultConfig, findConfig } from './config/find';
import { readConfigFile } from './config/reader';
import type { EvalConfig } from './config/types';
import { migrateEvalData, type MigrationOptions } from './evaluation/migrate';
import { planEvaluation } from './evaluation/plan';
import { startEvaluation } from './evaluation/run';
import type { EvaluateOptions, EvaluateRequest, EvalSetSource, Host } from './evaluation/types';
import { evaluationMessage } from './report/failure-text';
import type { EvaluationResult } from './results/model';
import { refusal } from './support/errors';
import { resolveFrom } from './support/paths';
import { profileFor } from './support/profile';

/** Options that both ways of evaluating share. */
export interface AgentEvaluatorOptions extends EvaluateOptions {
  /** Path of the module that exports the agent (`rootAgent`, `agent`, `app` or the default export). */
  readonly agentModule?: string;
  /** The agent itself: an agent, App, Runner, factory or function. */
  readonly agent?: unknown;
  /** Reject when a case does not pass; true when left out. The result is saved either way. */
  readonly throwOnFailure?: boolean;
  /** Prompt, expected and actual answer of every failing turn in the message; true when left out. */
  readonly printDetailedResults?: boolean;
}

/** What `evaluate` takes. */
export interface EvaluateArguments extends AgentEvaluatorOptions {
  /** A file, a `file:case1,case2` selection or a folder, searched for eval sets; or a list of these. */
  readonly evalDatasetFilePathOrDir: string | readonly string[];
}

/** What `evaluateEvalSet` takes. */
export interface EvaluateEvalSetArguments extends AgentEvaluatorOptions {
  /** The eval set, in either spelling. */
  readonly evalSet: Exclude<EvalSetSource, string>;
  /** Python's name of the option `config`. */
  readonly evalConfig?: unknown;
}

/** Evaluates agents from code. */
export interface AgentEvaluatorApi {
  /** Evaluates an agent with eval set files. @throws {AgentEvaluationError} when a case does not pass, {JestAdkError} when it could not start */
  evaluate(options: EvaluateArguments): Promise<EvaluationResult>;
  /** Evaluates an agent with an eval set given in code. Throws like `evaluate`. */
  evaluateEvalSet(options: EvaluateEvalSetArguments): Promise<EvaluationResult>;
  /** The config that belongs to an eval set file, or the defaults. */
  findConfigForTestFile(testFile: string): EvalConfig;
  /** Rewrites a legacy file in the current format; an existing new file is replaced. */
  migrateEvalDataToNewSchema(options: MigrationOptions): void;
}

/** An evaluation that did not pass. The message lists every failure; `result` is what `evaluate` would have returned. */
export class AgentEvaluationError extends Error {
  readonly result: EvaluationResult;

  constructor(message: string, result: EvaluationResult) {
    super(message);
    this.name = 'AgentEvaluationError';
    this.result = result;
  }
}

/**
 * An `AgentEvaluator` for the caller's world.
 *
 * @param host  where paths start, how modules are loaded, where results go; a function when that is only known at the call
 */
export function createAgentEvaluator(host: Host | (() => Host)): AgentEvaluatorApi {
  const now = (): Host => (typeof host === 'function' ? host() : host);
  return {
    evaluate: (given) => {
      const { evalDatasetFilePathOrDir, ...rest } = required(given, 'evaluate', 'evalDatasetFilePathOrDir');
      return evaluate('evaluate', evalDatasetFilePathOrDir, rest, now());
    },
    evaluateEvalSet: (given) => {
      const { evalSet, evalConfig, ...rest } = required(given, 'evaluateEvalSet', 'evalSet');
      const config = rest.config ?? evalConfig;
      return evaluate('evaluateEvalSet', evalSet, config === undefined ? rest : { ...rest, config }, now());
    },
    findConfigForTestFile(testFile) {
      const profile = profileFor(undefined);
      const found = findConfig(resolveFrom(now(), testFile), { profile });
      return found.file === undefined ? defaultConfig : readConfigFile(found.file, { profile }).value;
    },
    migrateEvalDataToNewSchema: (options) => migrateEvalData(options, now()),
  };
}

function required<T extends object>(given: T | undefined, call: string, name: keyof T & string): T {
  if (given?.[name] === undefined) throw refusal('missing_option', `AgentEvaluator.${call} needs the option "${name}".`);
  return given;
}

async function evaluate(call: string, evalSets: EvaluateRequest['evalSets'], given: AgentEvaluatorOptions, host: Host): Promise<EvaluationResult> {
  const { agentModule, agent, throwOnFailure = true, printDetailedResults = true, ...options } = given;
  if ((agentModule === undefined) === (agent === undefined)) {
    throw refusal('missing_option', `AgentEvaluator.${call} needs one of the options "agentModule" and "agent"${agent === undefined ? '' : ', not both'}.`);
  }
  const plan = await planEvaluation({ target: agent ?? agentModule, evalSets, options }, host);
  const result = await startEvaluation(plan, host).result;
  if (result.outcome === 'passed' || !throwOnFailure) return result;
  const hint = `AgentEvaluator.${call}(${typeof evalSets === 'string' ? JSON.stringify(evalSets) : ''})`;
  throw new AgentEvaluationError(evaluationMessage(result, { matcherHint: hint, detailed: printDetailedResults, cwd: host.rootDir }), result);
}
