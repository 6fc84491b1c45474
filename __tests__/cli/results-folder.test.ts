import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders } from '../support/command';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

const evalSet = (answer: string): object => ({ eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: [{ user_content: { parts: [{ text: 'hi' }] }, final_response: { parts: [{ text: answer }] } }] }] });
const files = { 'evals/a.test.json': evalSet('fine'), 'evals/test_config.json': { criteria: { response_match_score: 0.8 } }, 'agent.cjs': "exports.agent = () => 'fine';" };
const args = ['eval', './agent.cjs', 'evals', '--app-name', 'app', '--num-runs', '1'];

test('commands that write into one results folder at once lose nothing', async () => {
  const folder = commandFolder(files);
  const runs = await Promise.all(Array.from({ length: 6 }, () => folder.run(args)));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  const history = join(folder.dir, 'app', '.adk', 'eval_history');
  const names = readdirSync(history);
  expect(names).toHaveLength(6);
  for (const name of names) {
    const result = JSON.parse(readFileSync(join(history, name), 'utf8')) as { eval_set_result_id: string; eval_case_results: unknown[] };
    expect({ id: result.eval_set_result_id, cases: result.eval_case_results.length }).toEqual({ id: name.replace('.evalset_result.json', ''), cases: 1 });
  }
});

/** A file system of 64 KiB; undefined where none can be mounted. */
function smallDisk(path: string): (() => void) | undefined {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' });
    return () => execFileSync('umount', [path]);
  } catch {
    return undefined;
  }
}

const probe = commandFolder();
const release = smallDisk(join(probe.dir, 'disk'));
release?.();

(release === undefined ? test.skip : test)('a full disk is told, the verdict is printed all the same, and nothing half-written stays (needs a tmpfs)', async () => {
  const folder = commandFolder({ ...files, 'evals/a.test.json': evalSet('fine'), 'agent.cjs': "exports.agent = () => 'fine' + ' '.repeat(100000);" });
  const disk = join(folder.dir, 'disk');
  const unmount = smallDisk(disk);
  try {
    const { code, stderr, stdout } = await folder.run([...args, '--results-dir', 'disk']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Evaluation failed: s: Results cannot be saved in .*ENOSPC/);
    expect(stderr).toContain('1 of 1 case passed');
    expect(stdout).not.toContain('saved under');
    expect(readdirSync(disk, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([]);
  } finally {
    unmount?.();
  }
});
