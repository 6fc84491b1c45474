import { writeModel, type Shape } from '../schema/write';
import type { EvalConfig } from './types';

/** A config as snake_case JSON; thresholds that were written as plain numbers are numbers again. Floats are `JsonFloat`, for `stringifyJson`. */
export function evalConfigToJson(config: EvalConfig, shape: Shape = 'with_defaults'): Record<string, unknown> {
  const criteria = [...config.criteria].map(([name, criterion]) => [name, config.plainThresholds.has(name) ? criterion.threshold : criterion]);
  return writeModel('EvalConfig', { ...config, criteria: Object.fromEntries(criteria), customMetrics: config.customMetrics.size === 0 ? undefined : Object.fromEntries(config.customMetrics) }, { shape });
}
