import type { Criterion, MetricInfo } from '../config/types';
import type { ActualInvocation, TrialRecord } from '../inference/types';
import type { ConversationScenario, EvalCase, Invocation } from '../evalset/types';
import type { ErrorInfo, Problem } from '../support/errors';
import type { Profile } from '../support/profile';

/**
 * `not_evaluated`: there is nothing to judge here, with a reason. `error`: it should have been judged and was not.
 * `informational`: recorded without being judged.
 */
export type MetricStatus = 'passed' | 'failed' | 'informational' | 'not_evaluated' | 'error';

/** Score of one turn. */
export interface InvocationScore {
  readonly score: number | null;
  readonly status: MetricStatus;
  /** Why there is no score, or what a custom metric said about it. */
  readonly reason?: string;
  /** What differed: lines for the failure text, e.g. a call diff. */
  readonly explanation?: readonly string[];
  readonly details?: MetricDetails;
}

/** ADK's `details`: plain data, saved as it is. */
export interface MetricDetails {
  readonly rubricScores?: readonly { readonly rubricId: string; readonly rationale?: string | null; readonly score?: number | null }[];
  readonly tokenUsageDetails?: Readonly<Record<string, number | null>>;
  readonly durationDetails?: Readonly<Record<string, number | null>>;
}

/** What a metric says of one trial of one case. `perInvocation` has one entry per turn, or is empty when there is no per-turn view. */
export interface MetricScore {
  readonly score: number | null;
  readonly status: MetricStatus;
  readonly reason?: string;
  readonly error?: ErrorInfo;
  /** What differed, for a metric without a per-turn view. */
  readonly explanation?: readonly string[];
  readonly perInvocation: readonly InvocationScore[];
  readonly details?: MetricDetails;
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
  /** Things worth a line that change no verdict ("this match rests on true = 1"). */
  warn(message: string): void;
}

/** One metric. Pure: no files, no clock, no network; a judged metric will receive its judge through the context. */
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
  evaluate(input: MetricInput<C>, context: MetricContext): Promise<MetricScore> | MetricScore;
}
