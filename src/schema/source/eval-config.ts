import { Type } from '@sinclair/typebox';
import { generateContentConfig } from './generation';
import { defaulted, freeMap, mapOf, maybe, model, special } from './words';

/** google-adk 2.13 `eval_config.py`, `eval_metrics.py` and the configs of the user simulators. */
const strict = { spelling: 'aliased', unknown: 'strict' } as const;
const loose = { spelling: 'aliased', unknown: 'loose', refusesTypos: true } as const;

/** Every criterion; the fields of a metric's own are checked by the metric. */
export const baseCriterion = model('BaseCriterion', { spelling: 'aliased', unknown: 'keeping', quiet: true }, {
  threshold: Type.Number(),
  include_intermediate_responses_in_final: defaulted(Type.Boolean(), false),
});

const interval = model('Interval', strict, {
  min_value: Type.Number(),
  open_at_min: defaulted(Type.Boolean(), false),
  max_value: Type.Number(),
  open_at_max: defaulted(Type.Boolean(), false),
});

const metricInfo = model('MetricInfo', strict, {
  metric_name: Type.String(),
  description: maybe(Type.String()),
  metric_value_info: model('MetricValueInfo', strict, { interval: maybe(interval) }),
  requires_threshold: defaulted(Type.Boolean(), true),
});

const customMetricConfig = model('CustomMetricConfig', loose, {
  code_config: model('CodeConfig', { spelling: 'plain', unknown: 'strict' }, { name: Type.String() }),
  metric_info: maybe(metricInfo),
  description: defaulted(Type.String(), ''),
});

const simulatorWords = { spelling: 'aliased', unknown: 'keeping', attributes: true, refusesTypos: true, quiet: true } as const;

/** Thinking on, thoughts included, as google-adk's simulator asks its model. */
const thinking = { thinking_config: { include_thoughts: true, thinking_budget: 10240 } };

const simulatorFields = {
  model: defaulted(Type.String(), 'gemini-2.5-flash'),
  model_configuration: defaulted(generateContentConfig, thinking),
  max_allowed_invocations: defaulted(Type.Integer(), 20),
  custom_instructions: maybe(special('custom_instructions', Type.String())),
  include_function_calls: defaulted(Type.Boolean(), false),
};

const llmBackedUserSimulator = model('LlmBackedUserSimulatorConfig', simulatorWords, {
  type: defaulted(Type.String(), 'llm_backed'),
  ...simulatorFields,
});

const voice = { speech_config: { voice_config: { prebuilt_voice_config: { voice_name: 'en-US-Studio-O' } }, language_code: 'en-US' } };

const llmAudioUserSimulator = model('LlmAudioUserSimulatorConfig', simulatorWords, {
  type: defaulted(Type.String(), 'llm_audio'),
  ...simulatorFields,
  audio_model: defaulted(Type.String(), 'cloud_tts'),
  audio_model_configuration: defaulted(generateContentConfig, voice),
  include_text_with_audio: defaulted(Type.Boolean(), true),
});

/** A config file. */
export const evalConfig = model('EvalConfig', loose, {
  criteria: defaulted(mapOf(special('criterion', Type.Union([Type.Number(), baseCriterion]))), {}),
  custom_metrics: maybe(mapOf(customMetricConfig)),
  user_simulator_config: maybe(special('user_simulator', Type.Union([llmBackedUserSimulator, llmAudioUserSimulator]))),
  environment_simulation_config: maybe(freeMap()),
  live_model_config: maybe(model('LiveModelConfig', loose, { timeout_seconds: defaulted(Type.Integer(), 300) })),
});
