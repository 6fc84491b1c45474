import type { Criterion } from '../config/types';
import type { Invocation } from '../evalset/types';
import type { TrialRecord } from '../inference/types';
import type { UsageByRole } from '../judge/usage';
import type { InvocationScore, JudgeReport, MetricDetails, MetricStatus, ReasonCode } from '../metrics/types';
import type { ErrorInfo } from '../support/errors';

/** Version of the shapes in this file; views refuse what they do not know. */
export const schemaVersion = 1;

/** Outcome of a case or a set. `error` is not `failed` and neither ever passes. */
export type Outcome = 'passed' | 'failed' | 'error';

/** One metric of one trial. */
export interface MetricResult {
  readonly metricName: string;
  readonly threshold: number | null;
  readonly criterion: Criterion | null;
  readonly score: number | null;
  readonly status: MetricStatus;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
  readonly error?: ErrorInfo;
  /** What differed, for a metric without a per-turn view. */
  readonly explanation?: readonly string[];
  /** One per turn. */
  readonly perInvocation: readonly InvocationScore[];
  readonly details?: MetricDetails;
  /** Who judged, and how it was asked. */
  readonly judge?: JudgeReport;
  /** Id of the stand-in that the last entry of `perInvocation` is about. */
  readonly replacedTurnId?: string;
}

/** One trial, scored. `status` uses ADK's roll-up over the trial's metrics, plus `error`. */
export interface TrialResult {
  readonly trial: TrialRecord;
  readonly status: 'passed' | 'failed' | 'not_evaluated' | 'error';
  readonly error?: ErrorInfo;
  readonly metrics: readonly MetricResult[];
}

/** One metric of a case over all trials. */
export interface MetricSummary {
  readonly metricName: string;
  readonly threshold: number | null;
  readonly direction: 'max' | 'min';
  /** Pooled exact mean over all turns of all trials; null without a score. */
  readonly score: number | null;
  readonly status: MetricStatus;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
  /** Its verdict would be another one if the judge's samples that disagreed had gone the other way. */
  readonly unstable?: true;
  /** Number of pooled turn results. */
  readonly rows: number;
}

/** How the trials of a case make its outcome. `mean`: by the pooled mean of each metric, as google-adk's AgentEvaluator does. */
export type PassPolicy = 'mean' | 'all' | 'any' | 'majority' | { readonly passRate: number };

/** Why a case did not pass: one entry per metric, or for trials without any result. */
export interface CaseFailure {
  readonly kind: 'below_threshold' | 'not_evaluated' | 'metric_error' | 'trials_without_results' | 'inference_error' | 'policy';
  readonly metricName?: string;
  readonly score?: number | null;
  readonly threshold?: number | null;
  /** For trials without results and unmet pass policies: how many of how many trials. */
  readonly failed?: number;
  readonly total?: number;
  readonly message: string;
}

/** One case over all its trials. */
export interface CaseResult {
  readonly evalSetId: string;
  readonly evalId: string;
  readonly outcome: Outcome;
  /** Trials disagreed. */
  readonly flaky: boolean;
  readonly trials: readonly TrialResult[];
  readonly metrics: readonly MetricSummary[];
  readonly failures: readonly CaseFailure[];
  readonly expected: readonly Invocation[] | null;
  readonly error?: ErrorInfo;
  /** Where the case stands in its file. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
}

/** How far the verdicts of one metric's judge can be relied on. */
export interface JudgeStability {
  readonly metricName: string;
  /** Verdicts of more than one sample, and those on which samples disagreed. */
  readonly verdicts: number;
  readonly split: number;
  /** Of several trials: verdicts that all of them gave, the share on which they agree, and Fleiss' kappa (null where all said the same throughout). */
  readonly between?: { readonly verdicts: number; readonly agreement: number; readonly kappa: number | null };
}

/** One eval set, evaluated. */
export interface EvalSetResult {
  readonly schemaVersion: typeof schemaVersion;
  readonly evalSetId: string;
  readonly evalSetFile?: string;
  readonly appName: string;
  readonly outcome: Outcome;
  /** In the file's order. */
  readonly cases: readonly CaseResult[];
  readonly numRuns: number;
  readonly passPolicy: PassPolicy;
  readonly compatibility: 'default' | 'google-adk';
  readonly config: { readonly file?: string; readonly reason: string };
  /** Of metrics with a judge that was asked more than once. */
  readonly judges?: readonly JudgeStability[];
  readonly warnings: readonly string[];
  /** Milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Absolute path of the saved result file. */
  readonly resultFile?: string;
  /** Why the result could not be saved; the outcome is `error` then. */
  readonly error?: ErrorInfo;
}

/** What one `evaluate` call gives: every set it covered, passed or not. */
export interface EvaluationResult {
  readonly schemaVersion: typeof schemaVersion;
  readonly outcome: Outcome;
  readonly sets: readonly EvalSetResult[];
  /** Calls and tokens by role, of everything in this evaluation. */
  readonly usage?: UsageByRole;
  /** Requests to judges that were planned, at most. Absent: none. */
  readonly plannedJudgeCalls?: number;
}

/** One `jest` or CLI invocation over all its workers: what reporters read. */
export interface RunResult {
  readonly schemaVersion: typeof schemaVersion;
  readonly runId: string;
  readonly evaluations: readonly RunEvaluation[];
}

/** One `evaluate` call of a run, and the test that made it. */
export interface RunEvaluation {
  /** Absolute path. */
  readonly testFile?: string;
  /** Full name of the test. */
  readonly testName?: string;
  /** Every case has a test of its own, `<evalSetId> <evalId>`, maybe inside further blocks. */
  readonly testPerCase?: true;
  readonly result: EvaluationResult;
  /** Milliseconds since the epoch, and length in milliseconds. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** What was planned and never ended, because the process was ended first. Those cases are in `result` as errors when their ids are known. */
  readonly unfinished?: readonly { readonly evalSetId: string; readonly evalIds: readonly string[]; readonly cases: number }[];
}

/** What is planned for one eval set. With `evalIds` (one per case, in order) a run that was cut short can name what is missing. */
export interface PlannedSetInfo {
  readonly evalSetId: string;
  readonly cases: number;
  readonly numRuns: number;
  readonly evalIds?: readonly string[];
  readonly appName?: string;
  readonly evalSetFile?: string;
}

/** The stream that every view listens to. JSON-safe. `evaluation` is unique within the process; `at` in milliseconds since the epoch. */
export type EvaluationEvent = { readonly evaluation: string; readonly at: number } & (
  | { readonly type: 'run_started'; readonly testFile?: string; readonly testName?: string; readonly testPerCase?: true; readonly sets: readonly PlannedSetInfo[]; readonly plannedJudgeCalls?: number }
  | { readonly type: 'trial_started'; readonly evalSetId: string; readonly evalId: string; readonly trial: number }
  | { readonly type: 'turn_ended'; readonly evalSetId: string; readonly evalId: string; readonly trial: number; readonly turn: number; readonly outcome: string; readonly latencyMs: number }
  | { readonly type: 'metric_scored'; readonly evalSetId: string; readonly evalId: string; readonly trial: number; readonly metricName: string; readonly score: number | null; readonly status: MetricStatus }
  | { readonly type: 'trial_ended'; readonly evalSetId: string; readonly evalId: string; readonly trial: number; readonly status: string; readonly error?: ErrorInfo }
  | { readonly type: 'case_ended'; readonly result: CaseResult }
  | { readonly type: 'set_ended'; readonly result: EvalSetResult }
  | { readonly type: 'run_ended'; readonly outcome: Outcome; readonly usage?: UsageByRole; readonly plannedJudgeCalls?: number }
);

/** Hears every event of an evaluation, in order. What it throws breaks nothing. */
export type EvaluationListener = (event: EvaluationEvent) => void;
