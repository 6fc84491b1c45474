// EvalSet JSON that is refused: by the model with all its errors, and by both readers that try the old formats after it.
import { compareRefusal, refusalOf } from '../conformance-support/refusals.mjs';

export async function run(input, { core }) {
  const { readEvalSetModel, readEvalSetText } = core('evalset/reader');
  const { parseJson, stringifyJson } = core('support/json');
  const { toReferenceError } = core('schema/issues');
  const { googleAdkProfile: profile } = core('support/profile');
  const text = input.text ?? stringifyJson(input.json);
  const load = (legacyReader) => refusalOf(() => readEvalSetText(text, 'old.test.json', { profile, legacyReader, criteria: ['tool_trajectory_avg_score', 'response_match_score'] }));
  const notJson = refusalOf(() => parseJson(text));
  const issues = notJson === undefined ? readEvalSetModel(parseJson(text), profile).issues : [{ kind: 'json_invalid' }];
  return {
    ...(issues.length === 0 ? {} : { raises: issues.some(({ kind }) => kind === 'not_found') ? 'NotFoundError' : 'ValidationError', errors: issues.map(toReferenceError) }),
    load_raises: load('eval_sets_manager')?.raises,
    test_json_raises: load('agent_evaluator')?.raises,
  };
}

export function compare(actual, expected) {
  for (const key of ['load_raises', 'test_json_raises']) {
    if ((actual[key] ?? null) === null !== ((expected[key] ?? null) === null)) return `${key}: ${actual[key]}, expected ${expected[key]}`;
  }
  return compareRefusal(actual, expected);
}
