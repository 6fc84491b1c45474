import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { checkResultsWritable, saveEvalSetResult } from '../../src/results/save';
import { caseResult, setResult, startedAt } from '../fixtures/results/samples';
import { ensureBuilt, repoRoot } from '../support/package-under-test';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'results-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const save = (overrides: Parameters<typeof setResult>[0] = {}): string => saveEvalSetResult(setResult(overrides), { resultsDir: folder, now: startedAt });

describe('saving a result', () => {
  test('uses the layout of google-adk and a name that sorts by time', () => {
    expect(relative(folder, save()).split(sep)).toEqual(['home', '.adk', 'eval_history', 'home_home_20261105-070809.evalset_result.json']);
  });

  test('never writes over a file: the next name gets a number', () => {
    const first = save();
    const before = readFileSync(first, 'utf8');
    expect([save(), save()].map((path) => basename(path))).toEqual(['home_home_20261105-070809-2.evalset_result.json', 'home_home_20261105-070809-3.evalset_result.json']);
    expect(readFileSync(first, 'utf8')).toBe(before);
    const times = readdirSync(join(folder, 'home/.adk/eval_history')).map((file) => (JSON.parse(readFileSync(join(folder, 'home/.adk/eval_history', file), 'utf8')) as { creation_timestamp?: number }).creation_timestamp);
    expect(new Set(times).size).toBe(3);
  });

  test.each([
    ['G84 an id that climbs out', { evalSetId: '../../etc/x' }],
    ['G84 an app that climbs out', { appName: '../../../x' }],
    ['an absolute id', { evalSetId: '/etc/passwd' }],
    ['a drive', { evalSetId: 'C:\\x' }],
    ['a device', { appName: 'NUL' }],
    ['dots', { appName: '..', evalSetId: '.' }],
    ['nothing', { appName: '', evalSetId: '' }],
    ['a very long id', { evalSetId: '長'.repeat(400) }],
    ['a line break and NUL', { evalSetId: 'a\n\0b' }],
  ])('%s stays inside the results folder', (_title, overrides) => {
    const path = save(overrides);
    const steps = relative(folder, path).split(sep);
    expect(steps).toHaveLength(4);
    expect(steps).not.toContain('..');
    expect(existsSync(path)).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ eval_set_id: 'evalSetId' in overrides ? overrides.evalSetId : 'home' });
  });

  test.each([
    [{ compatibility: 'google-adk' as const }, 'home_home_1793862489.25.evalset_result.json'],
    [{ compatibility: 'google-adk' as const, appName: 'my app', evalSetId: 'ünï' }, 'my app_ünï_1793862489.25.evalset_result.json'],
  ])('under google-adk compatibility: %j', (overrides, name) => expect(basename(save(overrides))).toBe(name));

  test('under google-adk compatibility an unsafe id is refused, and nothing is overwritten either', () => {
    expect(() => save({ compatibility: 'google-adk', evalSetId: 'dir/set' })).toThrow(expect.objectContaining({ code: 'unsafe_id' }));
    expect(basename(save({ compatibility: 'google-adk' }))).not.toBe(basename(save({ compatibility: 'google-adk' })));
  });

  test('G85 G86 the file is an object, text is literal', () => {
    const text = readFileSync(save({ cases: [caseResult({ evalId: '日本語' })] }), 'utf8');
    expect(typeof JSON.parse(text)).toBe('object');
    expect(text).toContain('"日本語"');
    expect(text).not.toContain('\\u');
  });

  test('a folder that cannot be written is named with what to do', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => checkResultsWritable(join(folder, 'file'))).toThrow(/Results cannot be saved in .*file: .*resultsDir/);
    checkResultsWritable(join(folder, 'new', 'place'));
    expect(readdirSync(join(folder, 'new', 'place'))).toEqual([]);
    if (process.getuid?.() === 0) return; // root may write anywhere
    mkdirSync(join(folder, 'locked'));
    chmodSync(join(folder, 'locked'), 0o500);
    expect(() => checkResultsWritable(join(folder, 'locked'))).toThrow(expect.objectContaining({ code: 'results_not_writable' }));
  });

  test('two processes that save at once lose nothing', async () => {
    ensureBuilt();
    const script = `const {saveEvalSetResult}=require(${JSON.stringify(join(repoRoot, 'dist/src/results/save.js'))});const result=${JSON.stringify(setResult())};
      for(let i=0;i<40;i++)saveEvalSetResult({...result,warnings:[process.argv[1]+i]},{resultsDir:${JSON.stringify(folder)},now:${startedAt}})`;
    await Promise.all(['a', 'b'].map((name) => new Promise<void>((done, fail) => {
      spawn(process.execPath, ['-e', script, name], { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', (code) => (code === 0 ? done() : fail(new Error(`exit ${code}`))));
    })));
    const files = readdirSync(join(folder, 'home/.adk/eval_history'));
    expect(files).toHaveLength(80);
    const marks = files.map((file) => (JSON.parse(readFileSync(join(folder, 'home/.adk/eval_history', file), 'utf8')) as { jest_adk: { warnings: string[] } }).jest_adk.warnings[0]);
    expect(new Set(marks).size).toBe(80);
  }, 240_000);
});
