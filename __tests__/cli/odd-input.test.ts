import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/cli/commands';
import { cleanEnv, commandFolder, removeCommandFolders } from '../support/command';
import { repoRoot } from '../support/package-under-test';

jest.setTimeout(60_000);
afterAll(removeCommandFolders);

const launcher = join(repoRoot, 'bin', 'jest-adk.js');
const set = (evalSetId: string, evalId = 'c'): object => ({ eval_set_id: evalSetId, eval_cases: [{ eval_id: evalId, conversation: [{ user_content: { parts: [{ text: 'hi' }] }, final_response: { parts: [{ text: 'fine' }] } }] }] });
const files = { 'ok.test.json': set('s'), 'ok.config.json': { criteria: { response_match_score: 0.8 } }, 'agent.cjs': "exports.agent = () => 'fine';" };
const evaluating = ['eval', './agent.cjs', 'ok.test.json', '--num-runs', '1'];

describe('flags that cannot be meant', () => {
  const folder = commandFolder(files);
  test.each<[string[], RegExp]>([
    [[...evaluating, '--only', ''], /^--only is empty: give it a value, or leave it out\.\nSee: jest-adk eval --help\n$/],
    [[...evaluating, '--tag', '', '--output='], /^--tag is empty[^]*--output is empty/],
    [[...evaluating, '--quiet=maybe', '--fail-fast=1'], /^--quiet takes true or false; got "maybe"\.\n--fail-fast takes true or false; got "1"\./],
    [[...evaluating, '--app-name', 'a', '--app-name', 'b'], /^--app-name was given more than once\./],
    [['convert', 'ok.test.json', '-o', 'a.json', '-o', 'b.json'], /^-o was given more than once\./],
    [['convert', 'ok.test.json', '--to', 'json', '--to', 'toml'], /^--to was given more than once\./],
    [['convert', 'ok.test.json', '--to', ''], /Given: ""/],
    [['capture', 'ok.test.json', '--eval-id', ''], /^--eval-id is empty/],
    [[...evaluating, '--constructor', 'x'], /^There is no flag --constructor\./],
    [[...evaluating, '--__proto__=1', '--no-toString'], /^There is no flag --__proto__\.\nThere is no flag --no-toString\./],
    [['--', 'eval'], /^A command is missing before "--"\./],
    [['validate', ''], /^A PATH is empty/],
    [['convert', ''], /^FILE is required/],
    [[...evaluating, '--shard', '0/0'], /^--shard takes I\/N/],
    [[...evaluating, '--num-runs', '-1'], /more than once/],
    [[...evaluating, '--timeout', '-5'], /^--timeout takes a number of seconds, above 0; got "-5"\./],
  ])('%j', async (args, text) => {
    const { code, stdout, stderr } = await folder.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(text);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('an empty variable counts as none, a misspelt one is told', async () => {
    const run = await folder.run(evaluating, { JEST_ADK_ONLY: '', JEST_ADK_QUIET: '', JEST_ADK_PARALELISM: '3', JEST_ADK_PYTHON: 'x' });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: JEST_ADK_PARALELISM is no setting and is not read\. Did you mean JEST_ADK_PARALLELISM\?\n1 of 1 case passed/) as string });
  });
});

test.each(commands)('$command takes several values where it says so, and nowhere else', (entry) => {
  const module = entry.load();
  const said: string[] = [];
  const yargs: object = new Proxy({}, { get: (_target, name) => (given: string | Record<string, { describe?: string }>, options?: { describe?: string }) => {
    if (name === 'option') said.push(...(options?.describe?.includes('repeatable') === true ? [given as string] : []));
    if (name === 'options') said.push(...Object.entries(given).flatMap(([flag, { describe: text }]) => (text?.includes('repeatable') === true ? [flag] : [])));
    return yargs;
  } });
  module.define(yargs as never);
  expect([...(module.repeatable ?? [])].sort()).toEqual(said.sort());
});

test('a config file is read like every other file, and an empty selection is none', async () => {
  const folder = commandFolder({ ...files, 'jest-adk.config.json': '{\n  "numRuns": 1,\n}' });
  expect((await folder.run(evaluating)).stderr).toMatch(/jest-adk\.config\.json:3:1\n {2}Not JSON/);
  folder.write({ 'jest-adk.config.json': '\uFEFF{"numRuns": 1, "only": "", "tag": [""]}' });
  expect(await folder.run(evaluating)).toMatchObject({ code: 2, stderr: expect.stringMatching(/only in .* takes a text, or several; got ""\.\ntag in .* takes a text, or several; got \[""\]\./) as string });
});

describe('files that are none', () => {
  const folder = commandFolder({
    ...files,
    'empty.test.json': '', 'bom.test.json': '\uFEFF', 'nul.test.json': '{"a":"\0"}', 'crlf.test.json': JSON.stringify(set('crlf'), null, 2).replaceAll('\n', '\r\n'),
    'bom-set.test.json': `\uFEFF${JSON.stringify(set('b'))}`, 'list.test.json': '[]', 'null.test.json': 'null', 'deep.test.json': '['.repeat(100_000),
    'endless.test.yaml': 'eval_set_id: s\neval_cases: []\nx: &x [*x]\n', 'two.test.yaml': 'a: 1\n---\nb: 2\n', 'nan.test.yaml': 'eval_set_id: s\neval_cases: []\nx: [1, .nan]\n',
    'bomb.test.yaml': `a: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcd'[index]}`).join(', ')}]`).join('\n')}\n`,
    'big.test.yaml': 'eval_set_id: s\neval_cases: []\nx: 12345678901234567890\ny: 5\n',
  });
  mkdirSync(join(folder.dir, 'folder.test.json'));
  writeFileSync(join(folder.dir, 'utf16.test.json'), Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
  writeFileSync(join(folder.dir, 'latin.test.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
  symlinkSync('nobody', join(folder.dir, 'dangling.test.json'));
  symlinkSync('loop.test.json', join(folder.dir, 'loop.test.json'));
  mkdirSync(join(folder.dir, 'round'));
  symlinkSync('../round', join(folder.dir, 'round', 'again'));
  writeFileSync(join(folder.dir, 'round', 'a.test.json'), JSON.stringify(set('round')));

  test.each<[string, RegExp]>([
    ['empty.test.json', /the text is empty/], ['bom.test.json', /the text is empty/], ['nul.test.json', /:1:6\n/], ['list.test.json', /Expected an object/], ['null.test.json', /Expected an object/],
    ['deep.test.json', /Nested deeper than/], ['utf16.test.json', /UTF-16/], ['folder.test.json', /folder|EISDIR/], ['dangling.test.json', /no file|no eval set/i], ['loop.test.json', /no file|ELOOP|no eval set/i],
  ])('%s is told by every command that reads it', async (name, text) => {
    for (const args of [['validate', name], ['convert', name, '--to', 'toml'], ['eval', './agent.cjs', name], ['capture', name]]) {
      const { code, stdout, stderr } = await folder.run(args);
      expect({ args, code: code === 0 ? 'passed' : 'refused', said: text.test(`${stdout}${stderr}`) || args[0] === 'capture' }).toEqual({ args, code: 'refused', said: true });
      expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at |TypeError|RangeError/);
    }
  });

  test.each<[string, string[], RegExp]>([
    ['an alias of itself', ['endless.test.yaml'], /x\[0\] is an alias of what it stands in/],
    ['several documents', ['two.test.yaml'], /holds 2 YAML documents/],
    ['a number that JSON does not have', ['nan.test.yaml'], /x\[1\] is NaN, which JSON does not have/],
    ['aliases without measure', ['bomb.test.yaml'], /Excessive alias count/],
    ['no UTF-8', ['latin.test.yaml'], /not UTF-8 at byte 3/],
  ])('convert: %s', async (_what, args, text) => {
    expect(await folder.run(['convert', ...args, '--to', 'json'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(text) as string });
  });

  test('a byte-order mark, CRLF and whole numbers beyond 2^53 are read by convert as by eval', async () => {
    expect(JSON.parse((await folder.run(['convert', 'bom-set.test.json'])).stdout)).toMatchObject({ eval_set_id: 'b' });
    expect((await folder.run(['convert', 'crlf.test.json', '--to', 'toml'])).stdout).toMatch(/^eval_set_id = "crlf"/);
    expect((await folder.run(['convert', 'big.test.yaml', '--to', 'json'])).stdout).toContain('"x": 12345678901234567890,\n  "y": 5');
  });

  test('a folder that holds itself is walked once; what is checked is counted', async () => {
    expect(await folder.run(['validate', 'round'])).toMatchObject({ code: 0, stderr: '1 checked: 0 problems, 0 warnings\n' });
    writeFileSync(join(folder.dir, 'round', 'b.test.json'), '');
    expect(await folder.run(['validate', 'round'])).toMatchObject({ code: 1, stderr: '2 checked: 1 problem, 0 warnings\n' });
  });
});

test('capture takes one session, into a file that can be read', async () => {
  const folder = commandFolder(files);
  expect((await folder.run(['capture', 'x.json', '--url', 'http://127.0.0.1:1', '--app-name', 'a', '--user-id', 'u', '--session-id', 's'])).stderr).toMatch(/^"x\.json" and --url name two sessions\.\n$/);
  expect((await folder.run(['capture', 'x.json', '--header', 'A: b', '-o', 'x.yaml'])).stderr).toBe('--header belongs to a session on a server, and there is no --url.\nx.yaml: eval sets are read from JSON and TOML.\n');
});

describe('where output goes', () => {
  test('who stops reading takes no verdict along', async () => {
    const folder = commandFolder({ ...files, 'agent.cjs': "exports.agent = () => 'wrong';" });
    const child = spawn(process.execPath, [launcher, ...evaluating, '--output-format', 'ndjson'], { cwd: folder.dir, env: cleanEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, told: stderr.includes('0 of 1 case passed') }).toEqual({ code: 1, told: true });
    expect(stderr).not.toMatch(/EPIPE|\n\s+at /);
  });

  const hasFull = process.platform === 'linux' && lstatSync('/dev/full', { throwIfNoEntry: false })?.isCharacterDevice() === true;
  (hasFull ? test : test.skip)('output that is lost is no success, and a device stays one', async () => {
    const folder = commandFolder(files);
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, launcher, ...evaluating], { cwd: folder.dir, env: cleanEnv(), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/1 of 1 case passed[^]*The output could not be written: ENOSPC/) as string });
    expect(await folder.run([...evaluating, '--output', '/dev/full'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--output could not be written: ENOSPC/) as string });
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
    expect(await folder.run(['schema', '-o', '/dev/null'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  (process.platform === 'win32' ? test.skip : test)('a link stays a link, a pipe a pipe', async () => {
    const folder = commandFolder({ ...files, 'real/report.json': '{}' });
    symlinkSync('real/report.json', join(folder.dir, 'report.json'));
    await folder.run([...evaluating, '--output-format', 'json', '--output', 'report.json']);
    expect(lstatSync(join(folder.dir, 'report.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(join(folder.dir, 'real', 'report.json'), 'utf8'))).toHaveProperty('runId');
    spawnSync('mkfifo', [join(folder.dir, 'pipe')]);
    const reader = spawn('cat', [join(folder.dir, 'pipe')], { stdio: ['ignore', 'pipe', 'ignore'] });
    let read = '';
    reader.stdout.setEncoding('utf8').on('data', (text: string) => (read += text));
    const closed = new Promise((resolve) => reader.once('close', resolve));
    expect((await folder.run([...evaluating, '--output-format', 'json', '--output', 'pipe', '--quiet'])).code).toBe(0);
    await closed;
    expect(JSON.parse(read)).toHaveProperty('runId');
    expect(lstatSync(join(folder.dir, 'pipe')).isFIFO()).toBe(true);
  });
});

(process.platform === 'win32' ? test.skip : test)('a working directory that was taken away is told', () => {
  const { dir } = commandFolder({ 'gone/x': '' });
  const { status, stderr } = spawnSync('sh', ['-c', 'cd gone && rm -r ../gone && "$0" "$1" schema', process.execPath, launcher], { cwd: dir, env: cleanEnv(), encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'The working directory is not there any more: change to one that is.\n' });
});

describe('what an agent does to the process', () => {
  const run = (source: string, ...more: string[]) => commandFolder({ ...files, 'agent.cjs': source }).run([...evaluating, ...more]);

  test.each<[string, string, RegExp]>([
    ['ends it while it is loaded', 'process.exit(0);', /agent\.cjs could not be loaded: process\.exit\(0\) was called during the evaluation\./],
    ['ends it in a turn', 'exports.agent = () => process.exit(0);', /INFERENCE FAILED s c \(run 1 of 1\): turn 1: process\.exit\(0\) was called during the evaluation\./],
    ['throws where nobody catches', "exports.agent = async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((done) => setTimeout(done, 50)); return 'fine'; };", /An error that nobody caught, and that belongs to no case: late \(.*agent\.cjs:1:\d+\)\n[^]*1 of 1 case passed/],
    ['rejects where nobody catches', "exports.agent = async () => { void Promise.reject(new Error('lost')); await new Promise((done) => setTimeout(done, 5)); return 'fine'; };", /belongs to no case: lost \(.*agent\.cjs:1:\d+\)/],
  ])('%s: no green, no stack', async (_what, source, text) => {
    const { code, stderr } = await run(source);
    expect(code).toBe(2);
    expect(stderr).toMatch(text);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('what it prints is not in the report', async () => {
    const { code, stdout, stderr } = await run("console.log('loading'); exports.agent = () => { console.log('thinking'); process.stdout.write('more\\n'); return 'fine'; };", '--output-format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('evaluations');
    expect(stderr).toMatch(/loading\nthinking\nmore\n/);
  });

  test('a metric module that ends it while eval sets are validated is no success', async () => {
    const folder = commandFolder({ ...files, 'ok.config.json': { criteria: { mine: 1 }, custom_metrics: { mine: { code_config: { name: './metric.cjs#mine' } } } }, 'metric.cjs': 'process.exit(0);' });
    expect(await folder.run(['validate', 'ok.test.json'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/The process was ended before the command was through/) as string });
  });
});

test('ids of any kind steer no terminal, and every case is counted', async () => {
  const ids = ['a\nb', '\u202eevil', '😀'.repeat(50), 'a,b:c', ' ', 'c\u001b[2J', '__proto__', 'constructor'];
  const cases = ids.flatMap((evalId) => (set('x', evalId) as { eval_cases: object[] }).eval_cases);
  const folder = commandFolder({ ...files, 'odd.test.json': { eval_set_id: 'ü\u202e/../\u0000x\n\u001b[31m', eval_cases: cases } });
  const { code, stdout, stderr } = await folder.run(['eval', './agent.cjs', 'odd.test.json', '--num-runs', '1', '--config-file-path', 'ok.config.json', '--print-detailed-results']);
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u202e\u0000]/);
  expect(stderr).toContain('8 of 8 cases passed');
});
