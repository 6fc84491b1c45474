import { JestAdkError } from '../../src/support/errors';
import { evalSetResultText, readEvalSetResult } from '../../src/results/adk-format';
import type { AdkSetResult } from '../../src/results/adk-model';

const entry = {
  eval_set_file: 's', eval_id: 'c', final_eval_status: 1, session_id: 'x', eval_metric_result_per_invocation: [],
  overall_eval_metric_results: [{ metric_name: 'm', eval_status: 1, score: 1, threshold: 1, criterion: { threshold: 1, match_type: 'EXACT', matcher: null } }],
};
const file = (more: object = {}, entryMore: object = {}): string => JSON.stringify({ eval_set_result_id: 'r', eval_set_id: 's', eval_case_results: [{ ...entry, ...entryMore }], ...more });

describe('result files of google-adk', () => {
  test('are read, once or twice encoded', () => {
    const result = readEvalSetResult(file());
    expect(result).toMatchObject({
      evalSetResultId: 'r',
      evalSetId: 's',
      creationTimestamp: 0,
      evalCaseResults: [{ evalId: 'c', finalEvalStatus: 1, overallEvalMetricResults: [{ metricName: 'm', evalStatus: 1, score: 1, details: {} }] }],
    });
    expect(readEvalSetResult(JSON.stringify(file()))).toEqual(result);
    expect(() => readEvalSetResult(JSON.stringify(JSON.stringify(file())))).toThrow(JestAdkError);
  });

  test('G86 are written with everything in order, floats with a point, text as people read it', () => {
    const result: AdkSetResult = { evalSetResultId: 'r', evalSetId: '天气', evalCaseResults: [], creationTimestamp: 1760000000 };
    expect(evalSetResultText(result)).toBe('{\n  "eval_set_result_id": "r",\n  "eval_set_result_name": null,\n  "eval_set_id": "天气",\n  "eval_case_results": [],\n  "creation_timestamp": 1760000000.0\n}');
  });

  test('come back the same, criteria with their own keys and nulls included', () => {
    const result = readEvalSetResult(file());
    const again = evalSetResultText(readEvalSetResult(evalSetResultText(result)));
    expect(again).toBe(evalSetResultText(result));
    expect(JSON.parse(again)).toMatchObject({ eval_case_results: [{ overall_eval_metric_results: [{ criterion: { threshold: 1, include_intermediate_responses_in_final: false, match_type: 'EXACT', matcher: null } }] }] });
  });

  test('carry our own parts along, verbatim', () => {
    const own = { snake_key: 1, camelKey: { big: '1' } };
    const result = readEvalSetResult(file({ jest_adk: own }, { jest_adk: { trial: 0 } }));
    expect(result.jestAdk).toEqual(own);
    expect(result.evalCaseResults[0]?.jestAdk).toEqual({ trial: 0 });
    expect(JSON.parse(evalSetResultText(result))).toMatchObject({ jest_adk: own, eval_case_results: [{ jest_adk: { trial: 0 } }] });
  });

  test('events without id or time get them; what newer versions add to a session is left out', () => {
    const session = { id: 'x', appName: 'a', userId: 'u', novelty: 1, events: [{ author: 'user', content: { parts: [{ text: 'q', novelty: 1 }] } }] };
    const [first] = readEvalSetResult(file({}, { session_details: session })).evalCaseResults;
    expect(first?.sessionDetails).toMatchObject({ appName: 'a', state: {}, events: [{ author: 'user', invocationId: '', content: { parts: [{ text: 'q' }] }, actions: { stateDelta: {} } }] });
    expect(first?.sessionDetails?.events[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.sessionDetails?.events[0]?.timestamp).toBeGreaterThan(1.7e9);
  });

  test('problems have their place', () => {
    const text = '{"eval_set_result_id": "r", "eval_set_id": "s",\n "eval_case_results": [\n  {"final_eval_status": "PASSED", "overall_eval_metric_results": [], "eval_metric_result_per_invocation": []}]}';
    expect(() => readEvalSetResult(text, '/r.evalset_result.json')).toThrow(
      '/r.evalset_result.json:3:3  eval_case_results[0].session_id\n  Required key "session_id" is missing.\n/r.evalset_result.json:3:4  eval_case_results[0].final_eval_status\n  Unknown value "PASSED"; known: 1 (passed), 2 (failed), 3 (not evaluated), 4 (informational).',
    );
  });
});
