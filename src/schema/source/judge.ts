import { Type, type TSchema } from '@sinclair/typebox';
import { rubric } from './eval-set';
import { generateContentConfig } from './generation';
import { defaulted, maybe, model } from './words';

/**
 * The fields of judged metrics' criteria beyond `threshold`: google-adk 2.13 `eval_metrics.py`, and ours, which google-adk reads over.
 * Read by the metrics themselves, when the config is read or, as google-adk, when they run.
 */
const words = { spelling: 'aliased', unknown: 'keeping', refusesTypos: true, quiet: true } as const;

const judgeModelOptions = model('JudgeModelOptions', { spelling: 'aliased', unknown: 'strict' }, {
  judge_model: defaulted(Type.String(), 'gemini-2.5-flash'),
  judge_model_config: maybe(generateContentConfig),
  num_samples: defaulted(Type.Integer(), 5),
  parallelism_limit: defaulted(Type.Integer(), 1),
});

/** Known so that they are not taken for misspelt ones. */
const common = { threshold: Type.Optional(Type.Any()), include_intermediate_responses_in_final: Type.Optional(Type.Any()) };

const ours = { early_stop: defaulted(Type.Boolean(), true) };

const judged = { ...common, judge_model_options: defaulted(judgeModelOptions, {}), ...ours };

const shuffle = { shuffle_seed: maybe(Type.Integer()) };

const rubrics = { rubrics: defaulted(Type.Array(rubric), []), min_coverage: defaulted(Type.Number(), 1), ...shuffle };

const engine = { engine: maybe(Type.String()) };

/** One model per kind of criterion. */
export const judgeCriteria: readonly TSchema[] = [
  model('LlmAsAJudgeCriterion', words, { ...judged, ...shuffle }),
  model('RubricsBasedCriterion', words, { ...judged, ...rubrics }),
  model('HallucinationsCriterion', words, { ...judged, evaluate_intermediate_nl_responses: defaulted(Type.Boolean(), false), segmenter: maybe(Type.String()), min_coverage: defaulted(Type.Number(), 1) }),
  model('LlmBackedUserSimulatorCriterion', words, { ...judged, stop_signal: defaulted(Type.String(), '</finished>') }),
  model('VertexCriterion', words, { ...judged, ...engine }),
];

/** google-adk 2.13 `conversation_scenarios.py`. */
export const generationConfig = model('ConversationGenerationConfig', { spelling: 'aliased', unknown: 'strict' }, {
  count: Type.Integer(),
  generation_instruction: maybe(Type.String()),
  environment_context: maybe(Type.String()),
  model_name: Type.String(),
});
