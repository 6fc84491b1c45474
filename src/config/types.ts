import type { JsonObject, JsonValue } from '../evalset/types';

/** A criterion as configured. `threshold: null` records a score without judging it. Keys beyond the known ones keep their value. */
export interface Criterion {
  readonly threshold: number | null;
  readonly includeIntermediateResponsesInFinal?: boolean;
  readonly [key: string]: unknown;
}

/** Range of a metric's scores; the ends belong to it unless open. */
export interface MetricInterval {
  readonly minValue: number;
  readonly maxValue: number;
  readonly openAtMin: boolean;
  readonly openAtMax: boolean;
}

/** What a metric's numbers mean (ADK `MetricInfo`); `direction` is ours. */
export interface MetricInfo {
  readonly metricName: string;
  readonly description?: string;
  readonly metricValueInfo: { readonly interval?: MetricInterval };
  readonly requiresThreshold?: boolean;
  /** `max` (default): higher is better. `min`: a cost; the threshold is a budget. */
  readonly direction?: 'max' | 'min';
}

/** An entry of `custom_metrics`: the function behind a metric name. */
export interface CustomMetricConfig {
  readonly codeConfig: { readonly name: string };
  readonly metricInfo?: MetricInfo;
  readonly description?: string;
}

/** A config file (`test_config.json` and its kin), canonical. Maps keep the file's order. */
export interface EvalConfig {
  readonly criteria: ReadonlyMap<string, Criterion>;
  /** Names whose criterion was written as a plain number: the two shapes are saved differently. */
  readonly plainThresholds: ReadonlySet<string>;
  readonly customMetrics: ReadonlyMap<string, CustomMetricConfig>;
  readonly userSimulatorConfig?: JsonObject;
  /** How tools are simulated in every case; a key of ours. */
  readonly environmentSimulationConfig?: JsonObject;
  readonly liveModelConfig?: { readonly timeoutSeconds?: number };
}

/** Which config was chosen for an eval set and why; printed with the results. */
export interface ConfigChoice {
  readonly config: EvalConfig;
  /** Absolute path; undefined when the defaults are used. */
  readonly file?: string;
  readonly reason: 'explicit' | 'stem' | 'test_config' | 'eval_config' | 'parent_of_evalsets' | 'default' | 'inline';
}

export type { JsonObject, JsonValue };
