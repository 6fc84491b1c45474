// Result files: what is read, the keys of the file written again, and whether that reads back the same.
import { isDeepStrictEqual } from 'node:util';
import { compareRefusal, refusalOf } from '../conformance-support/refusals.mjs';

export async function run(input, { core }) {
  const { decode, evalSetResultText, evalSetResultToJson, readEvalSetResult, readEvalSetResultModel } = core('results/adk-format');
  const { parseJson, stringifyJson } = core('support/json');
  const { toReferenceError } = core('schema/issues');
  const { googleAdkProfile: profile } = core('support/profile');
  if (refusalOf(() => decode(input.text)) !== undefined) return { raises: 'ValidationError', errors: [{ loc: [], type: 'json_invalid' }] };
  const { issues } = readEvalSetResultModel(decode(input.text).value, profile);
  if (issues.length > 0) return { raises: 'ValidationError', errors: issues.map(toReferenceError) };
  const result = readEvalSetResult(input.text, undefined, profile);
  const rewritten = parseJson(evalSetResultText(result));
  const cases = rewritten.eval_case_results;
  const reread = () => readEvalSetResult(evalSetResultText(result), undefined, profile);
  return {
    result: parseJson(stringifyJson(evalSetResultToJson(result, 'with_defaults'))),
    rewritten_keys: Object.keys(rewritten),
    case_keys: cases.map(Object.keys),
    metric_keys: cases.map((entry) => entry.overall_eval_metric_results.map(Object.keys)),
    round_trip: refusalOf(reread) === undefined && isDeepStrictEqual(evalSetResultToJson(reread(), 'everything'), evalSetResultToJson(result, 'everything')),
  };
}

export function compare(actual, expected, { difference }) {
  return compareRefusal(actual, expected) ?? (expected.raises === undefined ? difference(actual, expected) : undefined);
}
