// Eval configs: parsed criteria, the metric list, the parsed parts; or a refusal with all its errors.
import { compareRefusal, refusalOf } from '../conformance-support/refusals.mjs';

export async function run(input, { core }) {
  const { configFromObject, readConfigModel } = core('config/reader');
  const { evalConfigToJson } = core('config/writer');
  const { writeModel } = core('schema/write');
  const { makeMetrics } = core('metrics/registry');
  const { parseJson, stringifyJson } = core('support/json');
  const { toReferenceError } = core('schema/issues');
  const { googleAdkProfile: profile } = core('support/profile');
  const text = input.text ?? stringifyJson(input.json);
  if (refusalOf(() => parseJson(text)) !== undefined) return { raises: 'ValidationError', errors: [{ loc: [], type: 'json_invalid' }] };
  const { value, issues } = readConfigModel(parseJson(text), profile);
  if (issues.length > 0) return { raises: 'ValidationError', errors: issues.map(toReferenceError) };
  const config = configFromObject(parseJson(text), { profile }).value;
  const plain = (shape) => parseJson(stringifyJson(evalConfigToJson(config, shape)));
  const everything = plain('everything');
  const { model_configuration: _, ...simulator } = plain('with_defaults').user_simulator_config ?? {};
  return {
    criteria: everything.criteria,
    metrics: makeMetrics(config.criteria, profile).metrics.map(({ metric, threshold, criterion }) => ({
      metric_name: metric.name,
      threshold,
      custom_function_path: (criterion && config.customMetrics.get(metric.name)?.codeConfig.name) ?? null,
      has_criterion: criterion !== null,
    })),
    user_simulator: config.userSimulatorConfig === undefined ? null : simulator,
    custom_metrics: parseJson(stringifyJson(writeModel('EvalConfig', value, { shape: 'everything' }))).custom_metrics,
    live_model_config: everything.live_model_config,
  };
}

export function compare(actual, expected, { difference }) {
  return compareRefusal(actual, expected) ?? (expected.raises === undefined ? difference(actual, expected) : undefined);
}
