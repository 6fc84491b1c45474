import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import { commandFolder, removeCommandFolders } from '../support/command';

afterAll(removeCommandFolders);

const files = {
  'evals/a.test.json': { eval_set_id: 's', eval_cases: ['fine', 'bad', 'broken'].map((id) => ({ eval_id: id, conversation: [{ user_content: { parts: [{ text: id }] }, final_response: { parts: [{ text: 'fine' }] } }] })) },
  'evals/test_config.json': { criteria: { response_match_score: 0.8 } },
  'agent.cjs': "exports.agent = ({ text }) => { if (text === 'broken') throw new Error('no power'); return text; };",
};
const args = ['eval', './agent.cjs', 'evals', '--app-name', 'app', '--output-format'];

test('the JSON report is a RunResult by its published schema, on stdout and in a file alike', async () => {
  const folder = commandFolder(files);
  const printed = await folder.run([...args, 'json']);
  expect(printed.code).toBe(2);
  const written = await folder.run([...args, 'json', '--output', 'out/report.json']);
  expect(written.stdout).toContain('Eval results saved under: app/.adk/eval_history');
  const schema = JSON.parse(readFileSync(join(__dirname, '..', '..', 'dist', 'schemas', 'run.schema.json'), 'utf8')) as object;
  const isRun = new Ajv({ strict: false, allErrors: true }).compile(schema);
  for (const text of [printed.stdout, readFileSync(join(folder.dir, 'out', 'report.json'), 'utf8')]) {
    const run = JSON.parse(text) as { evaluations: { result: { sets: { cases: { evalId: string; outcome: string }[] }[] } }[] };
    isRun(run);
    expect(isRun.errors).toBeNull();
    expect(run.evaluations[0]?.result.sets[0]?.cases.map(({ evalId, outcome }) => `${evalId}: ${outcome}`)).toEqual(['fine: passed', 'bad: failed', 'broken: error']);
  }
});

test('NDJSON is the stream of events, one a line', async () => {
  const { stdout } = await commandFolder(files).run([...args, 'ndjson']);
  const events = stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { type: string; at: number });
  expect(events[0]?.type).toBe('run_started');
  expect(events.at(-1)?.type).toBe('run_ended');
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect({ trials: count('trial_ended'), cases: count('case_ended'), sets: count('set_ended') }).toEqual({ trials: 6, cases: 3, sets: 1 });
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
});
