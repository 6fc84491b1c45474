import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beginRun, currentRunId, eventsFile, openRunFolder, ownsRun, runIdVariable } from '../../environment/run-folder';

describe('the folder of a run', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(os.tmpdir(), 'run-folder-'));
    jest.spyOn(os, 'tmpdir').mockReturnValue(base);
    delete process.env[runIdVariable];
  });
  afterEach(() => {
    jest.restoreAllMocks();
    delete process.env[runIdVariable];
    rmSync(base, { recursive: true, force: true });
  });

  it('belongs to the run that the parent began, and to its user alone', () => {
    const id = beginRun();
    const folder = openRunFolder();
    expect(basename(folder)).toBe(id);
    expect(folder.startsWith(base)).toBe(true);
    expect(currentRunId()).toBe(id);
    expect(ownsRun()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('keeps the last three runs, and never drops one whose process lives', () => {
    const runs = dirname(openRunFolder());
    const ended = ['20200101000000001-999999991-aaaaaa', '20200101000000002-999999992-aaaaaa', '20200101000000003-999999993-aaaaaa'];
    const living = `20190101000000000-${process.ppid}-aaaaaa`;
    for (const name of [...ended, living]) mkdirSync(join(runs, name));
    const id = beginRun();
    openRunFolder();
    const left = readdirSync(runs);
    expect(left).toContain(id);
    expect(left).toContain(living);
    expect(left).not.toContain(ended[0]);
    expect(left).not.toContain(ended[1]);
  });

  it('is not joined by a process started inside it that begins its own', () => {
    process.env[runIdVariable] = '20200101000000001-1-aaaaaa';
    expect(ownsRun()).toBe(false);
    expect(beginRun()).not.toBe('20200101000000001-1-aaaaaa');
  });

  it('names one events file per worker', () => {
    expect(eventsFile('/x', '7')).toBe(join('/x', 'events-7.ndjson'));
  });
});
