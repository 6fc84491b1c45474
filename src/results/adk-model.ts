import type { Criterion } from '../config/types';
import type { Content, Invocation, InvocationEvent, JsonObject } from '../evalset/types';
import type { MetricDetails } from '../metrics/types';
import type { CaseExtras, SetExtras } from './extras';

/** Result files of google-adk 2.13 (`eval_result.py`, `eval_metrics.py`, `session.py`), canonical camelCase; null fields are left out. */
export interface AdkSetResult {
  readonly evalSetResultId: string;
  readonly evalSetResultName?: string;
  readonly evalSetId: string;
  readonly evalCaseResults: readonly AdkCaseResult[];
  /** Seconds since the epoch. */
  readonly creationTimestamp: number;
  readonly jestAdk?: SetExtras;
}

/** One trial of one case. */
export interface AdkCaseResult {
  /** Deprecated there; holds the id of the eval set. */
  readonly evalSetFile?: string;
  readonly evalSetId: string;
  readonly evalId: string;
  readonly finalEvalStatus: AdkStatus;
  readonly overallEvalMetricResults: readonly AdkMetricResult[];
  readonly evalMetricResultPerInvocation: readonly AdkInvocationResult[];
  readonly sessionId: string;
  readonly sessionDetails?: AdkSession;
  readonly userId?: string;
  readonly jestAdk?: CaseExtras;
}

/** One turn of a trial and its scores. */
export interface AdkInvocationResult {
  readonly actualInvocation: Invocation;
  readonly expectedInvocation?: Invocation;
  readonly evalMetricResults: readonly AdkMetricResult[];
}

/** One metric, of a trial or of a turn. */
export interface AdkMetricResult {
  readonly metricName: string;
  readonly threshold?: number;
  readonly criterion?: Criterion;
  readonly customFunctionPath?: string;
  readonly score?: number;
  readonly evalStatus: AdkStatus;
  readonly details: MetricDetails;
}

/** The session in which a trial ran. */
export interface AdkSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  readonly state: JsonObject;
  readonly events: readonly AdkEvent[];
  /** Seconds since the epoch. */
  readonly lastUpdateTime: number;
}

/** An event of a session, as far as we keep it. */
export interface AdkEvent extends InvocationEvent {
  readonly content?: Content;
  readonly invocationId: string;
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

/** Status numbers as they stand in files. An `error` of ours has no number: it is filed as not evaluated. */
export const adkStatus = { passed: 1, failed: 2, not_evaluated: 3, informational: 4, error: 3 } as const;

/** See `adkStatus`. */
export type AdkStatus = 1 | 2 | 3 | 4;
