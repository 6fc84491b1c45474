import Ajv2020 from 'ajv/dist/2020';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentEvaluator } from '../../src/agent-evaluator';
import { writeEventLine } from '../../src/results/event-line';
import { readEventLines } from '../../src/results/event-file';
import { foldEvents } from '../../src/results/fold';
import { loadEvalSetResult } from '../../src/results/load';
import type { EvaluationEvent, EvaluationResult } from '../../src/results/model';
import { publishedResults } from '../../src/schema/source/run';
import { createNodeLoader } from '../../src/target/module-loader';
import { turn } from '../support/eval-sets';
import { pythonWithAdk, runPython } from '../support/python';

jest.setTimeout(60_000);
let folder: string;
const events: EvaluationEvent[] = [];
let result: EvaluationResult;

/** Answers, calls a tool, leaves state behind; `boom` fails. */
const agent = ({ text }: { text: string }, session: { state: Record<string, unknown> }): unknown => {
  if (text === 'boom') throw new Error('no key');
  session.state['seen'] = text;
  if (text === 'silence') return [];
  return [
    { author: 'root', content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'book', args: { n: 12345678901234567890n } } }] } },
    { author: 'root', content: { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'book', response: { ok: true } } }] } },
    { author: 'root', content: { role: 'model', parts: [{ text: 'こんにちは' }] }, usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 }, modelVersion: 'm' },
  ];
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evaluated-'));
  const cases = [
    { eval_id: 'good', conversation: [turn('hi', 'こんにちは', [{ name: 'book', args: { n: 1 } }]), turn('silence')], session_input: { app_name: '', user_id: '', state: { 'user:k': 1.5 } } },
    { eval_id: 'bad', conversation: [turn('hi', 'こんにちは'), turn('boom', 'x'), turn('after', 'y')] },
  ];
  writeFileSync(join(folder, 'home.test.json'), JSON.stringify({ eval_set_id: 'home', eval_cases: cases }));
  const host = { rootDir: folder, callerDir: folder, loader: createNodeLoader(), resultsDir: join(folder, 'out'), listeners: [(event: EvaluationEvent) => { events.push(event); }] };
  result = await createAgentEvaluator(host).evaluate({ agent, evalDatasetFilePathOrDir: 'home.test.json', throwOnFailure: false });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Null figures are left out by whoever reads a file; nothing else may differ. */
function withoutNullFigures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullFigures);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, /Details$/.test(key) && typeof item === 'object' && item !== null ? Object.fromEntries(Object.entries(item).filter(([, figure]) => figure !== null)) : withoutNullFigures(item)]));
}

describe('what an evaluation really gives', () => {
  test('the file that was saved reads back as the result', () => {
    const [set] = result.sets;
    expect(withoutNullFigures(loadEvalSetResult(set?.resultFile ?? ''))).toEqual(withoutNullFigures(set));
    expect(readFileSync(set?.resultFile ?? '', 'utf8')).toContain('12345678901234567890');
  });

  test('differences show integers with all their digits, as numbers', () => {
    const explanation = result.sets[0]?.cases[0]?.trials[0]?.metrics[0]?.perInvocation[0]?.explanation;
    expect(explanation?.join('\n')).toContain('book({ n: 12345678901234567890 })');
  });

  test('its events, written and read, fold to the result', () => {
    const lines = events.map((event) => `${writeEventLine(event)}\n`).join('');
    const run = foldEvents('r', readEventLines(lines).events);
    expect(run.evaluations[0]?.unfinished).toBeUndefined();
    expect(run.evaluations[0]?.result).toEqual(result);
  });

  test('the published schemas describe it', () => {
    const json: unknown = JSON.parse(JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)));
    const strict = JSON.parse(JSON.stringify(publishedResults['result.schema.json']), (key, value: unknown) => (key === '' || typeof value !== 'object' || value === null || !('properties' in value) || 'additionalProperties' in value || Object.keys(value.properties as object).length === 0 ? value : { ...value, additionalProperties: false })) as object;
    const check = new Ajv2020({ allErrors: true, strict: false }).compile(strict);
    check(json);
    expect(check.errors).toBeNull();
  });

  (pythonWithAdk() === null ? test.skip : test)('D57 google-adk reads it, with the ids that were used', () => {
    const script = `
import json, sys
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
manager = LocalEvalSetResultsManager(json.load(sys.stdin))
result = manager.get_eval_set_result("test_app", manager.list_eval_set_results("test_app")[0])
print(json.dumps([[c.eval_id, c.final_eval_status.value, c.user_id, c.session_details.user_id, c.session_details.state, len(c.session_details.events)] for c in result.eval_case_results]))`;
    const entries = runPython(script, join(folder, 'out')) as unknown[][];
    const [good] = entries;
    expect(good?.slice(0, 5)).toEqual(['good', 2, 'test_user_id', 'test_user_id', { 'user:k': 1.5, seen: 'silence' }]);
    // A trial whose agent failed is no verdict: google-adk does not see it.
    expect(entries.map(([evalId]) => evalId)).not.toContain('bad');
  });
});
