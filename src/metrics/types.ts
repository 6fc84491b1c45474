import type { Criterion, JsonObject, MetricInfo } from '../config/types';
import type { ActualInvocation, TrialRecord } from '../inference/types';
import type { ConversationScenario, EvalCase, Invocation } from '../evalset/types';
import type { ModelClient } from '../judge/client';
import type { VertexService } from '../judge/vertex';
import type { ErrorInfo, Problem } from '../support/errors';
import type { Profile } from '../support/profile';

/**
 * `not_evaluated`: there is nothing to judge here, with a reason. `error`: it should have been judged and was not.
 * `informational`: recorded without being judged.
 */
export type MetricStatus = 'passed' | 'failed' | 'informational' | 'not_evaluated' | 'error';

/**
 * Why there is no score, for machines. Of an `error`: `judge_error` (the judge was not reached, or failed), `unparsed` (it answered, with nothing usable),
 * `no_quorum` (fewer than half of the samples were answered), `no_verdict` (it could not tell), `coverage` (rubrics or sentences without a verdict),
 * `service_error` (Vertex AI), `agent_error`, `not_run`, `config` (the metric could not be made as configured). Of `not_evaluated`: `no_response` (the agent, or the user,
 * said nothing that could be judged), `rubrics_required`, `no_expectation`, `unsupported_case` (the metric is not for such cases), `whole_conversation` (judged on the last turn).
 */
export type ReasonCode = 'judge_error' | 'unparsed' | 'no_quorum' | 'no_verdict' | 'coverage' | 'service_error' | 'agent_error' | 'not_run' | 'config' | 'no_response' | 'rubrics_required' | 'no_expectation' | 'unsupported_case' | 'whole_conversation';

/** Score of one turn. */
export interface InvocationScore {
  readonly score: number | null;
  readonly status: MetricStatus;
  readonly reasonCode?: ReasonCode;
  /** Why there is no score, or what a custom metric said about it. */
  readonly reason?: string;
  /** What differed: lines for the failure text, e.g. a call diff. */
  readonly explanation?: readonly string[];
  readonly details?: MetricDetails;
  readonly judgment?: Judgment;
}

/** ADK's `details`: plain data, saved as it is. */
export interface MetricDetails {
  readonly rubricScores?: readonly { readonly rubricId: string; readonly rationale?: string | null; readonly score?: number | null }[];
  readonly tokenUsageDetails?: Readonly<Record<string, number | null>>;
  readonly durationDetails?: Readonly<Record<string, number | null>>;
}

/** How the samples of one question voted. */
export interface Votes {
  /** The rubric; absent where there is one question a turn. */
  readonly id?: string;
  readonly yes: number;
  readonly no: number;
  /** Answered, and took no side. */
  readonly abstained: number;
  /** Share of the larger side, in [0.5, 1]; null without sides. Below 1: the samples disagreed. */
  readonly agreement: number | null;
}

/** What a judge was asked about one turn, and what came back. */
export interface Judgment {
  /** Samples that were asked, and how many of them gave an answer that could be used. */
  readonly samples: number;
  readonly answered: number;
  readonly votes?: readonly Votes[];
  /** Share of the ids that have a verdict, in [0, 1]. */
  readonly coverage?: number;
  readonly unanswered?: readonly string[];
  /** Why samples came to nothing, each reason once. */
  readonly problems?: readonly string[];
}

/** Who judged, and how it was asked. */
export interface JudgeReport {
  /** `judge`: a model of yours. `vertex`: the evaluation service of Vertex AI. Figures of the two are not compared. */
  readonly engine: 'judge' | 'vertex';
  readonly model: string;
  /** Versions that the model itself named. */
  readonly modelVersions?: readonly string[];
  /** Template and version, e.g. `final-response-match@1`, and the template's hash. */
  readonly prompts?: readonly string[];
  readonly config?: JsonObject;
  readonly samples: number;
}

/** What a metric says of one trial of one case. `perInvocation` has one entry per turn, or is empty when there is no per-turn view. */
export interface MetricScore {
  readonly score: number | null;
  readonly status: MetricStatus;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
  readonly error?: ErrorInfo;
  /** What differed, for a metric without a per-turn view. */
  readonly explanation?: readonly string[];
  readonly perInvocation: readonly InvocationScore[];
  readonly details?: MetricDetails;
  readonly judge?: JudgeReport;
  /** Id of the stand-in that the last entry of `perInvocation` is about, in place of the last turn. */
  readonly replacedTurnId?: string;
}

/** What a metric looks at: one trial of one case. */
export interface MetricInput<C extends Criterion = Criterion> {
  readonly criterion: C;
  /** null: record only. */
  readonly threshold: number | null;
  readonly actual: readonly (Invocation | ActualInvocation)[];
  /** null for a conversation scenario. */
  readonly expected: readonly Invocation[] | null;
  readonly scenario: ConversationScenario | null;
  /** The case, for metrics on state and artifacts. */
  readonly evalCase?: EvalCase;
  /** The trial, for metrics on state, artifacts and end reasons. Absent when only turns are scored. */
  readonly trial?: TrialRecord;
}

/** Which calls and which response of a turn are looked at (the options of the same names). */
export interface Selection {
  readonly nestedTools?: boolean;
  readonly ignoreTools?: readonly string[];
  readonly finalResponseFrom?: string;
}

/** What a metric is given beside its input. */
export interface MetricContext {
  readonly profile: Profile;
  readonly signal: AbortSignal;
  /** What the evaluation's options say about calls and responses; a criterion's own fields win over them. */
  readonly selection?: Selection;
  /** Who judges; present for metrics that need one. */
  readonly judge?: ModelClient;
  /** Present where Vertex AI's service judges in place of a model. */
  readonly vertex?: VertexService;
  /** Things worth a line that change no verdict ("this match rests on true = 1"). */
  warn(message: string): void;
}

/** How a metric's judge is asked, as far as the plan has to know. */
export interface JudgeNeed {
  /** `vertex`: Vertex AI's evaluation service; undefined: that where a project is configured, else a model. Absent: always a model. */
  readonly engine?: 'judge' | 'vertex' | undefined;
  /** The metric is one of those that the service scores. */
  readonly knownToVertex?: true;
  readonly judgeModel: string;
  readonly judgeModelConfig?: JsonObject;
}

/** One metric. Pure: no files, no clock, no network; a judged metric receives its judge through the context. */
export interface Metric<C extends Criterion = Criterion> {
  readonly name: string;
  readonly info: MetricInfo;
  /** Efficiency metrics of the reference refuse a threshold; they are never judged. */
  readonly neverJudged?: boolean;
  /** Checked before any agent is contacted. */
  readonly needs: readonly ('expected' | 'appDetails' | 'scenario' | 'judge' | 'state' | 'artifacts')[];
  /**
   * Checks and normalises a criterion's own fields; called when the config is read (default profile) or when the metric runs (google-adk).
   * Problems have paths relative to the criterion.
   */
  readCriterion(raw: Criterion, profile: Profile): { readonly criterion: C; readonly problems: readonly Problem[] };
  /** Reads the rubrics of cases and turns that have this type. */
  readonly rubricType?: string;
  /** Its judge is shown the instructions and tools of the agents; without them it judges knowing less. */
  readonly showsAgents?: true;
  /** The model that a judged metric asks; undefined when, with this criterion, it asks none. */
  judgeOf?(criterion: C): JudgeNeed | undefined;
  /** Requests to the judge for one trial of a case, at most; what depends on the answers is estimated. */
  plannedCalls?(criterion: C, evalCase: EvalCase, engine: 'judge' | 'vertex'): number;
  /** What is wrong with judging these cases by this criterion, before any agent is contacted; paths are relative to the criterion. */
  checkCases?(criterion: C, evalCases: readonly EvalCase[], profile: Profile): readonly Problem[];
  evaluate(input: MetricInput<C>, context: MetricContext): Promise<MetricScore> | MetricScore;
}
