import type { Criterion, EvalConfig } from './types';

/** Metrics that are computed for every evaluation and judge nothing. */
export const informationalMetrics = ['tool_call_count_v1', 'inference_call_count_v1', 'token_usage_v1', 'invocation_duration_v1'] as const;

/** One metric that a config asks for. */
export interface ConfiguredMetric {
  readonly metricName: string;
  /** null: recorded without a verdict. */
  readonly threshold: number | null;
  readonly criterion: Criterion | null;
  /** `code_config.name` of the custom metric of that name. */
  readonly customFunctionPath?: string;
}

/** The metrics of an evaluation: the criteria in the file's order, then the informational ones that are not among them. */
export function configuredMetrics(config: EvalConfig): ConfiguredMetric[] {
  const named = [...config.criteria].map(([metricName, criterion]) => {
    const custom = config.customMetrics.get(metricName);
    return { metricName, threshold: criterion.threshold, criterion, ...(custom === undefined ? {} : { customFunctionPath: custom.codeConfig.name }) };
  });
  const others = informationalMetrics.filter((name) => !config.criteria.has(name)).map((metricName) => ({ metricName, threshold: null, criterion: null }));
  return [...named, ...others];
}
