import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, commandFolder, removeCommandFolders } from '../support/command';
import { repoRoot } from '../support/package-under-test';

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

const onSmallDisk = 'mount -t tmpfs -o size=64k tmpfs "$0" && { "$@"; code=$?; echo "left:"; find "$0" -type f; exit $code; }';

/** Flags of `unshare` with which a disk of 64 KiB can be mounted for one command: as root, else as root of a user namespace. */
const namespace = [['-m'], ['-Urm']].find((flags) => {
  const probe = commandFolder({ 'disk/.keep': '' });
  return spawnSync('unshare', [...flags, 'sh', '-c', onSmallDisk, join(probe.dir, 'disk'), 'true']).status === 0;
});
// .ci/run asks for it; elsewhere it is skipped where nothing can be mounted.
const mustRun = process.env.JEST_ADK_FULL_DISK === 'required';

(namespace === undefined && !mustRun ? test.skip : test)('a full disk is told, the verdict is printed all the same, and nothing half-written stays (needs a tmpfs)', () => {
  if (namespace === undefined) throw new Error('No tmpfs can be mounted: unshare -m and unshare -Urm were both refused. JEST_ADK_FULL_DISK=required asks for it.');
  const folder = commandFolder({ ...files, 'evals/a.test.json': evalSet('fine'), 'agent.cjs': "exports.agent = () => 'fine' + ' '.repeat(100000);", 'disk/.keep': '' });
  const command = [process.execPath, join(repoRoot, 'bin', 'jest-adk.js'), ...args, '--results-dir', 'disk'];
  const { status, stderr, stdout } = spawnSync('unshare', [...namespace, 'sh', '-c', onSmallDisk, join(folder.dir, 'disk'), ...command], { cwd: folder.dir, env: cleanEnv(), encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/Evaluation failed: s: Results cannot be saved in .*ENOSPC/);
  expect(stderr).toContain('1 of 1 case passed');
  expect(stdout).not.toContain('saved under');
  expect(stdout.trimEnd()).toMatch(/left:$/);
});
