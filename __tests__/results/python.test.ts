import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { resultFileEnding, saveEvalSetResult } from '../../src/results/save';
import type { EvalSetResult } from '../../src/results/model';
import { big, everything, setResult, startedAt } from '../fixtures/results/samples';
import { pythonWithAdk, runPython } from '../support/python';

const withPython = pythonWithAdk() === null ? describe.skip : describe;
jest.setTimeout(120_000);

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'python-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = `
import json, sys
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
given = json.load(sys.stdin)
manager = LocalEvalSetResultsManager(given["folder"])
ids = manager.list_eval_set_results(given["app"])
results = [json.loads(manager.get_eval_set_result(given["app"], i).model_dump_json()) for i in sorted(ids)]
print(json.dumps(results))
`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what google-adk dumps has no type here: its shape is what is tested
type Dump = Record<string, any>;

/** What Python's google-adk makes of everything saved for an app. */
function asPythonReads(app = 'home'): Dump[] {
  return runPython(read, { folder, app }) as Dump[];
}

withPython('what google-adk reads of our files', () => {
  test('everything that it has a field for', () => {
    const path = saveEvalSetResult(everything, { resultsDir: folder, now: startedAt });
    const [result] = asPythonReads();
    const id = basename(path, resultFileEnding);
    expect(result).toMatchObject({ eval_set_result_id: id, eval_set_result_name: id, eval_set_id: 'home', creation_timestamp: startedAt / 1000 });
    expect(result?.['eval_case_results'].map((each: Dump) => [each.eval_id, each.final_eval_status, each.session_id, each.user_id])).toEqual([
      ['寝室', 2, 's-1', 'u1'],
      ['寝室', 3, 's-1', 'test_user_id'],
    ]);
    const [first] = result?.['eval_case_results'];
    expect(first.overall_eval_metric_results.map((each: Dump) => [each.metric_name, each.score, each.threshold, each.eval_status, each.criterion])).toEqual([
      ['tool_trajectory_avg_score', 0.5, 1, 2, { threshold: 1, include_intermediate_responses_in_final: false, match_type: 'IN_ORDER', ignoreArgs: true }],
      ['tone', 0.3, null, 4, null],
      ['judge', null, 1, 3, expect.anything()],
      ['token_usage_v1', 120, 5, 4, expect.anything()],
    ]);
    expect(first.overall_eval_metric_results[3].details).toMatchObject({ rubric_scores: [{ rubric_id: 'r1', rationale: 'kind', score: 1 }] });
    const [turn, silent] = first.eval_metric_result_per_invocation;
    expect(turn.actual_invocation).toMatchObject({
      invocation_id: 'e-1', duration: 1.25, user_content: { parts: [{ text: 'dim the bedroom' }], role: 'user' }, final_response: { parts: [{ text: 'Dimmed.' }] },
      intermediate_data: { invocation_events: [{ author: 'home', content: { parts: [{ function_call: { id: 'c1', args: { room: 'bedroom', level: 30 }, name: 'set_brightness' } }] } }, {}, { usage_metadata: { total_token_count: 120 }, model_version: 'gemini-x' }] },
      app_details: { agent_details: { rootAgent: { name: 'rootAgent', instructions: 'be kind' } } }, rubrics: [{ rubric_id: 'r1' }],
    });
    expect(turn.expected_invocation.intermediate_data.tool_uses).toMatchObject([{ name: 'set_brightness', args: { room: 'bedroom', level: 30 } }]);
    expect(silent.eval_metric_results.map((each: Dump) => [each.metric_name, each.score, each.eval_status])).toEqual([['tool_trajectory_avg_score', 0, 2], ['token_usage_v1', null, 3]]);
    expect(turn.eval_metric_results[1].details.token_usage_details).toMatchObject({ total_tokens: 120, input_tokens: 100, reasoning_tokens: 0 });
    expect(first.session_details).toMatchObject({ id: 's-1', app_name: 'home', user_id: 'u1', state: { 'user:theme': 'dark', nested: { someKey: [1, null, 2.5] } } });
    expect(first.session_details.events.map((event: Dump) => [event.author, event.invocation_id, event.content?.parts[0]?.text ?? null]).slice(0, 4)).toEqual([
      ['user', 'e-1', 'dim the bedroom'], ['home', 'e-1', null], ['home', 'e-1', null], ['home', 'e-1', 'Dimmed.'],
    ]);
  });

  test('digits beyond 2^53 arrive whole', () => {
    saveEvalSetResult(everything, { resultsDir: folder, now: startedAt });
    const check = `
import json, sys
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
manager = LocalEvalSetResultsManager(json.load(sys.stdin))
result = manager.get_eval_set_result("home", manager.list_eval_set_results("home")[0])
print(json.dumps(str(result.eval_case_results[0].session_details.state["big"])))`;
    expect(runPython(check, folder)).toBe(String(big));
  });

  test.each<[string, Partial<EvalSetResult>]>([
    ['an id that climbs out', { evalSetId: '../../etc/x' }],
    ['text that is not ASCII', { evalSetId: '家の照明', appName: 'アプリ' }],
    ['google-adk compatibility', { compatibility: 'google-adk' }],
    ['no case', { cases: [] }],
  ])('%s', (_title, overrides) => {
    const path = saveEvalSetResult(setResult(overrides), { resultsDir: folder, now: startedAt });
    const [result] = asPythonReads(overrides.appName ?? 'home');
    expect(result).toMatchObject({ eval_set_result_id: basename(path, resultFileEnding), eval_set_id: overrides.evalSetId ?? 'home' });
  });

  test('under google-adk compatibility a case whose agent could not be asked is filed as failed, as there', () => {
    saveEvalSetResult({ ...everything, compatibility: 'google-adk' }, { resultsDir: folder, now: startedAt });
    expect(asPythonReads()[0]?.['eval_case_results'].map((each: Dump) => each.final_eval_status)).toEqual([2, 3, 2, 2]);
  });

  test('what it writes again is our text, our own object aside', () => {
    const path = saveEvalSetResult(everything, { resultsDir: folder, now: startedAt });
    const rewrite = `
import json, sys
from google.adk.evaluation.eval_result import EvalSetResult
print(json.dumps(EvalSetResult.model_validate_json(open(json.load(sys.stdin), encoding="utf-8").read()).model_dump_json(indent=2)))`;
    const written = runPython(rewrite, path) as string;
    const ours = readFileSync(path, 'utf8');
    expect(withoutOurs(ours)).toBe(written);
  });
});

/** Cuts every `jest_adk` member, which always stands last, out of the text. */
function withoutOurs(text: string): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const indent = /^( *)"jest_adk": \{$/.exec(line)?.[1];
    if (indent === undefined) {
      kept.push(line);
      continue;
    }
    kept.push((kept.pop() as string).replace(/,$/, ''));
    while (lines[index] !== `${indent}}`) index += 1;
  }
  return kept.join('\n');
}
