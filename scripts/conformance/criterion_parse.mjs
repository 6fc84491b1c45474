/** Names of models that the golden file takes for known. */
const knownModel = (name) => /^(gemini-|fake-)/.test(name);

export function run({ metric, criterion }, { core }) {
  const { configFromObject } = core('config/reader');
  const { makeMetric, metricNames } = core('metrics/registry');
  const { googleAdkProfile: profile } = core('support/profile');
  let config;
  try {
    config = configFromObject({ criteria: { [metric]: criterion } }, { profile }).value;
  } catch {
    return { error: 'config_rejected' };
  }
  if (!metricNames().includes(metric)) return { error: 'unknown_metric' };
  let made;
  try {
    made = makeMetric({ metricName: metric, criterion: config.criteria.get(metric) }, profile);
  } catch {
    return { error: 'criterion_rejected' };
  }
  const read = made.prepared;
  const options = read.judgeModelOptions;
  if (!knownModel(options.judgeModel)) return { error: 'judge_model_rejected' };
  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return {
    threshold: made.threshold,
    include_intermediate_responses_in_final: read.includeIntermediateResponsesInFinal,
    judge_model_options: {
      judge_model: options.judgeModel,
      num_samples: options.numSamples,
      parallelism_limit: options.parallelismLimit,
      judge_model_config: options.judgeModelConfig === undefined ? null : Object.fromEntries(Object.entries(options.judgeModelConfig).map(([name, value]) => [snake(name), value])),
    },
    ...(metric.startsWith('rubric_based_') ? { rubrics: read.rubrics.map(({ rubricId, rubricContent, description, type }) => ({ rubric_id: rubricId, text_property: rubricContent.textProperty ?? null, description: description ?? null, type: type ?? null })) } : {}),
    ...(metric === 'hallucinations_v1' ? { evaluate_intermediate_nl_responses: read.evaluateIntermediateNlResponses } : {}),
    ...(metric === 'per_turn_user_simulator_quality_v1' ? { stop_signal: read.stopSignal } : {}),
  };
}
