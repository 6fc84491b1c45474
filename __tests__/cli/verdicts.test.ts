import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders, type CommandFolder } from '../support/command';
import { startFakeServer } from '../support/fake-server';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

interface Case {
  readonly id: string;
  readonly says?: string;
  readonly wants?: string;
  readonly more?: object;
}

const set = (cases: readonly Case[], evalSetId = 's'): object => ({
  eval_set_id: evalSetId,
  eval_cases: cases.map(({ id, says = id, wants = 'fine', more = {} }) => ({ eval_id: id, conversation: [{ user_content: { parts: [{ text: says }] }, final_response: { parts: [{ text: wants }] } }], ...more })),
});
const answers = { criteria: { response_match_score: 0.8 } };
const agent = "exports.agent = (turn) => { if (turn.text.startsWith('break')) throw Object.assign(new Error('reauth'), { name: 'RefreshError' }); return 'fine'; };";
const folderOf = (cases: readonly Case[], more: object = {}): CommandFolder => commandFolder({ 'agent.cjs': agent, 'a.test.json': set(cases), 'test_config.json': answers, ...more });
const evaluating = ['eval', './agent.cjs', 'a.test.json', '--num-runs', '1'];

test.each<[string, readonly Case[], string[], RegExp]>([
  ['C32 an eval set without cases is no success', [], [], /0 eval cases/],
  ['C32 no runs are no success', [{ id: 'a' }], ['--num-runs', '0'], /--num-runs/],
  ['C33 an empty selection is not everything', [{ id: 'a' }], ['--only', ''], /--only is empty/],
  ['C33 an id that no case has is refused', [{ id: 'dim_bedroom' }], ['--only', 'dim_bedrom'], /No case "dim_bedrom" in eval set "s"\. Did you mean "dim_bedroom"\?/],
])('%s', async (_title, cases, args, text) => {
  const { code, stdout, stderr } = await folderOf(cases).run([...evaluating.slice(0, 3), ...(args.includes('--num-runs') ? [] : ['--num-runs', '1']), ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(text);
});

test('C34 a metric that crashed does not hide behind one that passed', async () => {
  const folder = folderOf([{ id: 'a' }], {
    'test_config.json': { criteria: { response_match_score: 0.8, tone: 0.5 }, custom_metrics: { tone: { code_config: { name: './tone.cjs#tone' } } } },
    'tone.cjs': "exports.tone = () => { throw new Error('no tone today'); };",
  });
  const { code, stderr } = await folder.run(evaluating);
  expect(code).toBe(2);
  expect(stderr).toMatch(/! s › a[^]*tone: score=None threshold=0\.5 status=ERROR[^]*no tone today/);
});

test('C37 every failure is told, not the first alone', async () => {
  const { code, stderr } = await folderOf([{ id: 'one', wants: 'zzz' }, { id: 'two' }, { id: 'three', wants: 'yyy' }]).run(evaluating);
  expect(code).toBe(1);
  expect(stderr).toMatch(/✗ s › one[^]*✗ s › three[^]*1 of 3 cases passed/);
});

test('C38 the details are shown, and are in the report', async () => {
  const folder = folderOf([{ id: 'a' }]);
  const { stdout } = await folder.run([...evaluating, '--print-detailed-results']);
  expect(stdout).toMatch(/\[a\] response_match_score: score=1\.0 threshold=0\.8 status=PASSED/);
  await folder.run([...evaluating, '--output-format', 'json', '--output', 'report.json']);
  const report = JSON.parse(readFileSync(join(folder.dir, 'report.json'), 'utf8')) as { evaluations: { result: { sets: { cases: { evalId: string; outcome: string }[] }[] } }[] };
  expect(report.evaluations[0]?.result.sets[0]?.cases[0]).toMatchObject({ evalId: 'a', outcome: 'passed' });
});

test('C40 an agent or an eval set that does not load is no success, with file and cause', async () => {
  const folder = folderOf([{ id: 'a' }], { 'broken.cjs': "throw new Error('boom');", 'b.test.json': '{' });
  expect(await folder.run(['eval', './broken.cjs', 'a.test.json'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/broken\.cjs could not be loaded: boom/) as string });
  expect(await folder.run(['eval', './agent.cjs', '.'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/b\.test\.json:1:\d+/) as string });
});

test.each([[[]], [['--output-format', 'json']], [['--output-format', 'ndjson']], [['--output', 'report.txt']], [['--output-format', 'json', '--output', 'report.json']], [['--quiet']], [['--print-detailed-results']]])(
  'C41 a report changes no verdict: %j',
  async (args) => {
    expect((await folderOf([{ id: 'a', wants: 'zzz' }]).run([...evaluating, ...args])).code).toBe(1);
  },
);

test('C42 the log names case, metric, score and threshold, in plain text', async () => {
  const { stderr } = await folderOf([{ id: 'dim_bedroom', wants: 'zzz' }]).run(evaluating, { CI: 'true' });
  expect(stderr).toMatch(/✗ s › dim_bedroom {2}a\.test\.json:\d+\n {2}\[dim_bedroom\] response_match_score: score=0\.0 threshold=0\.8 status=FAILED/);
  expect(stderr).not.toContain('\u001b');
});

test('C44 the expected text decides', async () => {
  const folder = folderOf([{ id: 'a' }]);
  expect((await folder.run(evaluating)).code).toBe(0);
  folder.write({ 'a.test.json': set([{ id: 'a', wants: 'zzz' }]) });
  expect((await folder.run(evaluating)).code).toBe(1);
});

test('D46 a case that cannot be run is told with its cause, and the others are scored', async () => {
  const { code, stderr } = await folderOf([{ id: 'breaks' }, { id: 'b' }, { id: 'c' }]).run(evaluating);
  expect(code).toBe(2);
  expect(stderr).toMatch(/INFERENCE FAILED s breaks \(run 1 of 1\): turn 1: RefreshError: reauth[^]*2 of 3 cases passed \(66%\), 0 failed, 1 error;/);
});

test('D49 an agent that never answers is given up on, and the command ends', async () => {
  const folder = folderOf([{ id: 'a' }], { 'agent.cjs': 'exports.agent = (turn) => new Promise(() => setInterval(() => undefined, 1000));' });
  const { code, stderr } = await folder.run([...evaluating, '--timeout', '0.2']);
  expect(code).toBe(2);
  expect(stderr).toContain('timed out in turn 1: no end within 200 ms, the turn limit (turnTimeoutMs; --timeout on the command line)');
});

test.each<[string, string, string]>([
  ['an ES module', 'agent.mjs', "import { readFileSync } from 'node:fs'; export const agent = () => (readFileSync(new URL('./word.txt', import.meta.url), 'utf8'));"],
  ['CommonJS', 'agent.cjs', "exports.agent = () => require('node:fs').readFileSync(__dirname + '/word.txt', 'utf8');"],
  ['TypeScript', 'agent.ts', "import { readFileSync } from 'node:fs'; import { join } from 'node:path'; export const agent = (): string => readFileSync(join(__dirname, 'word.txt'), 'utf8');"],
])('D61, D53 the agent may be %s', async (_what, name, source) => {
  const folder = folderOf([{ id: 'a' }], { [name]: source, 'word.txt': 'fine' });
  expect(await folder.run(['eval', `./${name}`, 'a.test.json', '--num-runs', '1'])).toMatchObject({ code: 0, stderr: expect.stringContaining('1 of 1 case passed') as string });
});

test('D57 app and user have one default each, which the result carries', async () => {
  const server = await startFakeServer();
  try {
    await server.script({ apps: ['house'] });
    const folder = folderOf([{ id: 'a', more: { session_input: { app_name: '', user_id: '', state: {} } } }]);
    await folder.run(['eval', server.url, 'a.test.json', '--num-runs', '1']);
    const history = join(folder.dir, 'house', '.adk', 'eval_history');
    const [name = ''] = readdirSync(history);
    const result = JSON.parse(readFileSync(join(history, name), 'utf8')) as { eval_case_results: { user_id: string; session_id: string }[] };
    expect(result.eval_case_results[0]).toMatchObject({ user_id: 'eval_user', session_id: expect.stringMatching(/./) as string });
  } finally {
    await server.stop();
  }
});
