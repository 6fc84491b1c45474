import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Environment variable that carries a run's id from the parent process to its workers. */
export const runIdVariable = 'JEST_ADK_RUN_ID';

/** Runs whose folder is kept, the current one among them. */
const keptRuns = 3;

/** Folder of this user for everything temporary: runs and generated modules. Not created here. */
export function userFolder(): string {
  return join(tmpdir(), `jest-adk-${userName()}`);
}

/**
 * Id of the current run. The parent (preset, reporter) sets it with `beginRun`; a process that finds none is a run of its own.
 */
export function currentRunId(): string {
  return (process.env[runIdVariable] ??= newRunId());
}

/** Starts a run in the parent: processes started from now on, and this one, belong to it. Returns its id. */
export function beginRun(): string {
  return (process.env[runIdVariable] = newRunId());
}

/** True when the run id was set by this very process, or not at all: a nested Jest must not join the run of the test that started it. */
export function ownsRun(): boolean {
  const id = process.env[runIdVariable];
  return id !== undefined && processOf(id) === process.pid;
}

/** Path of a run's folder, whether it is there or not. */
export function runFolderPath(id: string = currentRunId()): string {
  return join(userFolder(), 'runs', id);
}

/**
 * Creates the folder of a run (mode 0700) and drops the oldest, so that three are kept; runs whose process lives are never dropped.
 *
 * @returns its absolute path
 */
export function openRunFolder(id: string = currentRunId()): string {
  const path = runFolderPath(id);
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) dropOldRuns(id);
  return path;
}

/** File to which a worker appends the events of its evaluations, one JSON line each. */
export function eventsFile(folder: string, workerId: string = process.env['JEST_WORKER_ID'] ?? '1'): string {
  return join(folder, `events-${workerId}.ndjson`);
}

/** Where results of a run are saved unless `resultsDir` says otherwise. */
export function runResultsDir(folder: string): string {
  return join(folder, 'results');
}

function newRunId(): string {
  return `${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

function processOf(id: string): number {
  return Number(id.split('-')[1]);
}

function userName(): string {
  if (process.getuid !== undefined) return String(process.getuid());
  try {
    return userInfo().username.replace(/[^\p{L}\p{N}_-]/gu, '_');
  } catch {
    return 'user';
  }
}

function dropOldRuns(current: string): void {
  const runs = join(userFolder(), 'runs');
  const old = readdirSync(runs).filter((name) => name !== current).sort().reverse().slice(keptRuns - 1);
  for (const name of old) {
    if (!isAlive(processOf(name))) rmSync(join(runs, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
