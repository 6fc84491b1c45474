import { Type } from '@sinclair/typebox';
import { baseCriterion } from './eval-config';
import { invocation } from './eval-set';
import { session } from './session';
import { defaulted, maybe, model, special } from './words';

/** google-adk 2.13 `eval_result.py`, `eval_metrics.py`: result files. */
const strict = { spelling: 'aliased', unknown: 'strict' } as const;
const loose = { spelling: 'aliased', unknown: 'loose', quiet: true } as const;

const status = special('status', Type.Integer({ minimum: 1, maximum: 4 }));

const rubricScore = model('RubricScore', strict, {
  rubric_id: Type.String(),
  rationale: maybe(Type.String()),
  score: maybe(Type.Number()),
});

const amounts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, maybe(Type.Number())]));

const tokenUsageDetails = model('TokenUsageDetails', strict, amounts(
  'total_tokens', 'input_tokens', 'prompt_tokens', 'cached_tokens', 'tool_use_tokens', 'output_tokens', 'candidates_tokens', 'reasoning_tokens',
));

const durationDetails = model('DurationDetails', strict, amounts('total_seconds', 'model_seconds', 'tool_seconds', 'framework_seconds'));

const details = model('EvalMetricResultDetails', strict, {
  rubric_scores: maybe(Type.Array(rubricScore)),
  token_usage_details: maybe(tokenUsageDetails),
  duration_details: maybe(durationDetails),
});

const metricFields = {
  metric_name: Type.String(),
  threshold: maybe(Type.Number()),
  criterion: maybe(baseCriterion),
  custom_function_path: maybe(Type.String()),
};

const evalMetric = model('EvalMetric', strict, metricFields);

const evalMetricResult = model('EvalMetricResult', strict, {
  ...metricFields,
  score: maybe(Type.Number()),
  eval_status: status,
  details: defaulted(details, {}),
});

const perInvocation = model('EvalMetricResultPerInvocation', strict, {
  actual_invocation: invocation,
  expected_invocation: maybe(invocation),
  eval_metric_results: defaulted(Type.Array(evalMetricResult), []),
});

const evalCaseResult = model('EvalCaseResult', loose, {
  eval_set_file: maybe(Type.String()),
  eval_set_id: defaulted(Type.String(), ''),
  eval_id: defaulted(Type.String(), ''),
  final_eval_status: status,
  eval_metric_results: maybe(Type.Array(Type.Tuple([evalMetric, evalMetricResult]))),
  overall_eval_metric_results: Type.Array(evalMetricResult),
  eval_metric_result_per_invocation: Type.Array(perInvocation),
  session_id: Type.String(),
  session_details: maybe(session),
  user_id: maybe(Type.String()),
});

/** A result file. */
export const evalSetResult = model('EvalSetResult', loose, {
  eval_set_result_id: Type.String(),
  eval_set_result_name: maybe(Type.String()),
  eval_set_id: Type.String(),
  eval_case_results: defaulted(Type.Array(evalCaseResult), []),
  creation_timestamp: defaulted(Type.Number(), 0),
});
