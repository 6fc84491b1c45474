import type { ConfigChoice, MetricInfo } from '../config/types';
import type { AppDetails, Content, EvalCase, EvalSet, Loaded } from '../evalset/types';
import type { TrialRecord } from '../inference/types';
import type { TrialInfo } from '../inference/trial-options';
import type { Environment } from '../simulation/environment/types';
import type { UserSimulator } from '../simulation/user/types';
import type { JudgeSource } from '../judge/types';
import type { Prices, UsageLedger } from '../judge/usage';
import type { CustomMetricFunction } from '../metrics/custom';
import type { MadeMetric } from '../metrics/registry';
import type { Metric } from '../metrics/types';
import type { CaseResult, EvaluationListener, EvaluationResult, PassPolicy } from '../results/model';
import type { ErrorInfo, Problem } from '../support/errors';
import type { OnNotEvaluated } from './verdict';
import type { Profile } from '../support/profile';
import type { ModuleLoader, Target } from '../target/types';

/** Number of trials of each case when nobody says otherwise; the one place it is written. */
export const defaultNumRuns = 2;
/** Number of trials under way at once. */
export const defaultConcurrency = 4;
/** Milliseconds a turn may take. */
export const defaultTurnTimeoutMs = 300_000;

/** The caller's world: what differs between a Jest sandbox, plain Node and the CLI. */
export interface Host {
  /** Relative paths without `./` or `../` start here (CLI: the working directory). */
  readonly rootDir: string;
  /** `./` and `../` start here: the folder of the test file. */
  readonly callerDir: string;
  readonly loader: ModuleLoader;
  /** Results go to `<resultsDir>/<app>/.adk/eval_history/`. Undefined: the run's temporary folder. */
  readonly resultsDir?: string;
  readonly listeners: readonly EvaluationListener[];
  readonly testFile?: string;
  readonly testName?: string;
  /** Every case has a Jest test of its own. */
  readonly testPerCase?: true;
  /** The copy of `@google/adk` that an agent belongs to; when left out it is looked for among the modules of the process. */
  readonly adk?: (agent: object) => object | Promise<object>;
  /** Case ids asked for from outside the call, and by what (`JEST_ADK_ONLY`): other cases are left out. */
  readonly onlyCases?: { readonly ids: readonly string[]; readonly by: string; /** Is told which cases could have been asked for. */ readonly among?: (evalIds: readonly string[]) => void };
  /** No time limits: a debugger is attached. */
  readonly unlimited?: boolean;
  /** A listener may stop the evaluation when a case ends: a trial is scored before the next one starts. */
  readonly stopsAtCases?: boolean;
  /** A set of which no trial could be scored is not saved: there is nothing to look at. */
  readonly skipUnscored?: true;
}

/** What is asked for: a target, eval sets, options. */
export interface EvaluateRequest {
  /** Agent, App, Runner, factory, function, or the path of a module that exports one. */
  readonly target: unknown;
  /** Files, folders or `file:case1,case2` selections; eval sets in code, in either spelling; or a list of these. */
  readonly evalSets: EvalSetSource | readonly EvalSetSource[];
  readonly options?: EvaluateOptions;
  /** Narrows the cases further: what the host knows to be wanted, such as the tests that were selected. Sets left without cases are dropped. */
  readonly selected?: (evalSetId: string, evalId: string, evalCase: EvalCase) => boolean;
  /** More checks, made before the target is asked anything; what they find is told with everything else. */
  readonly check?: (sets: readonly ConfiguredSet[]) => readonly Problem[];
  /** Plans without asking anybody: the app name of a remote agent may stay unknown. Such a plan is for looking at. */
  readonly offline?: boolean;
}

/** An eval set that was read, and its config. */
export interface ConfiguredSet {
  readonly loaded: Loaded<EvalSet>;
  readonly configChoice: ConfigChoice;
  /** Its file was named more than once, and as a whole. */
  readonly repeated?: true;
}

/** A path, or an eval set as an object. */
export type EvalSetSource = string | EvalSet | object;

/** What the option `customMetrics` takes per name: a function, a function with its info, or a metric. */
export type CustomMetricOption = CustomMetricFunction | { readonly fn: CustomMetricFunction; readonly metricInfo?: MetricInfo } | Metric;

/** Options of one evaluation, the same for `AgentEvaluator`, matchers and the CLI. */
export interface EvaluateOptions {
  readonly numRuns?: number;
  readonly passPolicy?: PassPolicy;
  readonly compatibility?: 'google-adk';
  /** Case ids to run; undefined means all. An empty list is an error. */
  readonly only?: readonly string[];
  readonly configFilePath?: string;
  /** A config in code, in either spelling; wins over files. */
  readonly config?: unknown;
  readonly initialSessionFile?: string;
  readonly concurrency?: number;
  readonly turnTimeoutMs?: number;
  readonly caseTimeoutMs?: number;
  /** Name of an agent in the tree that is evaluated in place of the root. */
  readonly agentName?: string;
  readonly appName?: string;
  readonly userId?: string;
  /** Instructions and tools of the agents, for targets that do not tell them (a URL, a function): ADK's `AppDetails`, or the path of a file with them. Judges are shown them. */
  readonly appDetails?: AppDetails | object | string;
  readonly resultsDir?: string;
  readonly promptTemplateEngine?: 'string' | 'jinja' | 'eta';
  /** Folders below which dotted Python names of custom metrics are looked up; the working directory is always last. */
  readonly modulePaths?: readonly string[];
  /** Metric functions or metrics by name, in code. */
  readonly customMetrics?: Readonly<Record<string, CustomMetricOption>>;
  /** Which final response of a turn is scored: the last, or the last of the named author. */
  readonly finalResponseFrom?: string;
  /** Tool calls inside AgentTool are part of the trajectory. */
  readonly nestedTools?: boolean;
  /** Tool names left out of the trajectory. */
  readonly ignoreTools?: readonly string[];
  readonly extraPlugins?: readonly unknown[];
  /** Passed to the runner of an `@google/adk` agent, e.g. `{ maxLlmCalls: 5 }`. */
  readonly runConfig?: object;
  readonly services?: { readonly sessionService?: unknown; readonly artifactService?: unknown; readonly memoryService?: unknown; readonly credentialService?: unknown };
  readonly beforeTrial?: (trial: TrialHookInfo) => void | Promise<void>;
  readonly afterTrial?: (trial: TrialHookInfo, record: TrialRecord) => void | Promise<void>;
  /** Hooks share something that only one trial may use at a time: concurrency 1. */
  readonly exclusive?: boolean;
  /** Who judges, in place of the models that the criteria name: the name of a model, a `BaseLlm`, or a function `(prompt, request, signal) => answer`. */
  readonly judge?: JudgeSource;
  /** Who plays the user of cases with a scenario, in place of the model that the config names. */
  readonly userModel?: JudgeSource;
  /** How tools are simulated, in every case that does not say so itself: google-adk's `EnvironmentSimulationConfig`, or mocks by tool. */
  readonly environment?: object;
  /** Who makes up answers of simulated tools, in place of the model that their config names. */
  readonly environmentModel?: JudgeSource;
  /** Lets simulated users talk without a limit of turns (`max_allowed_invocations` below 0); limits of time still hold. */
  readonly allowUnlimitedTurns?: boolean;
  /** A whole number from which every trial gets seeds of its own, for simulated users and tools. */
  readonly simulationSeed?: number;
  /** What a metric without a verdict does to its case: `fail` it, `warn`, or nothing. Left out: metrics that ask a judge fail it unless the case is none of theirs, others warn. Errors always fail. */
  readonly onNotEvaluated?: OnNotEvaluated;
  /** Requests to one model at once, in this process; 10 unless given. Fewer while the model says that it is too much. */
  readonly judgeConcurrency?: number;
  /** Requests that judges may be sent in one evaluation. A plan that may need more is refused; what retries need beyond it is an error of the metric. */
  readonly maxJudgeCalls?: number;
  /** Keep answers of judges, and do not ask twice: true for `.adk/judge_cache` below the root, or a folder. Off unless given. */
  readonly judgeCache?: boolean | string;
  /** US dollars per million tokens by model, for the cost in the summary. */
  readonly modelPrices?: Prices;
  readonly signal?: AbortSignal;
}

/** Which trial a hook is called for. `trial` counts from 0. */
export interface TrialHookInfo {
  readonly evalSetId: string;
  readonly evalId: string;
  readonly trial: number;
}

/** Everything resolved and checked; after this only the world can fail. */
export interface EvalPlan {
  readonly sets: readonly PlannedSet[];
  readonly target: Target;
  readonly options: EvaluateOptions;
  readonly profile: Profile;
  readonly numRuns: number;
  readonly passPolicy: PassPolicy;
  readonly concurrency: number;
  readonly turnTimeoutMs: number;
  readonly caseTimeoutMs?: number;
  /** What the options say of the agents. */
  readonly appDetails?: AppDetails;
  /** Folder of result files, tried; undefined: nothing is saved. */
  readonly resultsDir?: string;
  /** Counts calls and tokens of every model. */
  readonly ledger: UsageLedger;
  /** Requests to judges, at most; those of scenarios are estimated. */
  readonly judgeCalls: number;
}

/** One eval set of a plan, with the config and metrics that are its own. */
export interface PlannedSet {
  readonly loaded: Loaded<EvalSet>;
  readonly configChoice: ConfigChoice;
  readonly appName: string;
  readonly cases: readonly PlannedCase[];
  readonly metrics: readonly PlannedMetric[];
  /** Makes what is sent of a user content: reads the files it names. */
  readonly prepareContent?: (content: Content) => Content;
  /** Lines for the result that change no verdict: of reading, of the config, of what cannot be judged. */
  readonly warnings: readonly string[];
  /** Finds a case in its file; the file is read again at the first call. */
  readonly locate?: (evalCase: EvalCase) => CaseResult['place'];
}

/** One case of a plan. */
export interface PlannedCase {
  readonly evalCase: EvalCase;
  /** A problem of this case alone: it becomes an `error` and the others run. */
  readonly error?: ErrorInfo;
  /** Plays the user of a case with a scenario, anew for each trial. */
  readonly user?: (trial: TrialInfo) => UserSimulator;
  /** Answers for the tools of the case, anew for each trial. */
  readonly environment?: (trial: TrialInfo) => Environment;
  /** Under google-adk: the case of the same id that it is compared with. */
  readonly scoredAs?: EvalCase;
}

/** A metric of a set, made and checked. Under google-adk one that could not be made is kept with its `error`. */
export type PlannedMetric = MadeMetric;

/** A started evaluation: each case can be awaited by itself. Promises never reject for a verdict. */
export interface RunningEvaluation {
  caseResult(evalSetId: string, evalId: string): Promise<CaseResult>;
  /** Settles after the last case, results saved. */
  readonly result: Promise<EvaluationResult>;
}
