import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEvalSetResult } from '../../src/results/load';
import { saveEvalSetResult } from '../../src/results/save';
import type { EvalSetResult } from '../../src/results/model';
import { everything, setResult, startedAt } from '../fixtures/results/samples';
import { pythonWithAdk, runPython } from '../support/python';

jest.setTimeout(60_000);
let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'load-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const save = (result: EvalSetResult): string => saveEvalSetResult(result, { resultsDir: folder, now: startedAt });

describe('reading a saved result', () => {
  test.each([['a small one', setResult()], ['everything', everything], ['no case', setResult({ cases: [] })]])('%s comes back as it was', (_title, result) => {
    const path = save(result);
    expect(loadEvalSetResult(path)).toEqual({ ...result, resultFile: path });
  });

  test('G85 a file that was encoded twice', () => {
    const path = save(setResult());
    writeFileSync(path, JSON.stringify(readFileSync(path, 'utf8')));
    expect(loadEvalSetResult(path)).toMatchObject({ evalSetId: 'home', outcome: 'passed', cases: [{ evalId: 'dim_bedroom', outcome: 'passed' }] });
  });

  test.each([
    ['no JSON', '{', 'not_json'],
    ['encoded three times', JSON.stringify(JSON.stringify(JSON.stringify({}))), 'invalid_eval_set_result'],
    ['an eval set', '{"eval_set_id": "s", "eval_cases": []}', 'invalid_eval_set_result'],
  ])('%s is refused with its place', (_title, text, code) => {
    const path = join(folder, 'x.json');
    writeFileSync(path, text);
    expect(() => loadEvalSetResult(path)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(path) }));
  });

  test('a file that is not there', () => expect(() => loadEvalSetResult(join(folder, 'none'))).toThrow(/none/));

  (pythonWithAdk() === null ? test.skip : test)('a file that google-adk wrote', () => {
    const script = `
import json, sys
from google.adk.evaluation.eval_result import EvalCaseResult
from google.adk.evaluation.eval_metrics import EvalMetricResult, EvalMetricResultPerInvocation, BaseCriterion
from google.adk.evaluation.eval_case import Invocation, InvocationEvents, InvocationEvent
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
from google.genai import types
folder = json.load(sys.stdin)
def metric(score, status):
    return EvalMetricResult(metric_name="response_match_score", threshold=0.8, criterion=BaseCriterion(threshold=0.8), score=score, eval_status=status)
def content(role, text):
    return types.Content(role=role, parts=[types.Part(text=text)])
def case(eval_id, score, status):
    turn = EvalMetricResultPerInvocation(
        actual_invocation=Invocation(user_content=content("user", "こんにちは"), final_response=content("model", "はい"), duration=0.5,
            intermediate_data=InvocationEvents(invocation_events=[InvocationEvent(author="root", content=types.Content(parts=[types.Part(function_call=types.FunctionCall(name="greet", args={"n": 12345678901234567890}))]))])),
        expected_invocation=Invocation(user_content=content("user", "こんにちは"), final_response=content("model", "はい")),
        eval_metric_results=[metric(score, status)])
    return EvalCaseResult(eval_set_file="s_1", eval_set_id="s_1", eval_id=eval_id, final_eval_status=status, overall_eval_metric_results=[metric(score, status)],
        eval_metric_result_per_invocation=[turn], session_id="x", user_id="u")
manager = LocalEvalSetResultsManager(folder)
manager.save_eval_set_result("my_app", "s_1", [case("a", 1.0, 1), case("b", 0.25, 2), case("a", None, 3)])
print(json.dumps(manager.list_eval_set_results("my_app")))`;
    const [id] = runPython(script, folder) as [string];
    const path = join(folder, 'my_app', '.adk', 'eval_history', `${id}.evalset_result.json`);
    expect(loadEvalSetResult(path)).toMatchObject({
      evalSetId: 's_1', appName: 'my_app', outcome: 'error', compatibility: 'google-adk', resultFile: path,
      cases: [
        { evalId: 'a', outcome: 'error', flaky: true, trials: [{ status: 'passed' }, { status: 'not_evaluated' }], expected: [{ finalResponse: { parts: [{ text: 'はい' }] } }] },
        {
          evalId: 'b', outcome: 'failed', failures: [{ kind: 'below_threshold', metricName: 'response_match_score', score: 0.25, threshold: 0.8 }],
          trials: [{ trial: { ids: { userId: 'u', sessionId: 'x' }, invocations: [{ outcome: 'answered', latencyMs: 500, toolCalls: [{ name: 'greet', args: { n: 12345678901234567890n }, author: 'root' }] }] } }],
        },
      ],
    });
  });
});
