// What the benchmarks share: medians, child processes that are timed, and one way to say whether a promise is kept.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The middle value; the mean of the two middle ones for an even count. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Environment of a child: ours without what an outer Jest or CI leaves in it. */
export function cleanEnv(extra = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(JEST_|CI$|NODE_OPTIONS$|FORCE_COLOR$|CLAUDECODE$)/.test(name)));
  return { ...env, NO_COLOR: '1', ...extra };
}

/** Runs a command to its end. @returns wall time in milliseconds and what it printed; throws when it failed */
export function timed(command, args, options = {}) {
  const started = performance.now();
  const child = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options, env: options.env ?? cleanEnv() });
  const wallMs = performance.now() - started;
  if (child.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${child.status ?? child.signal}\n${child.stdout}\n${child.stderr}`);
  return { wallMs, stdout: child.stdout, stderr: child.stderr };
}

/** A folder that is gone after `use`. */
export async function inScratch(use, parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, 'jest-adk-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints one promise with what was measured and sets the exit code when it is missed. */
export function promise(text, measured, limit, unit = '') {
  const kept = measured <= limit;
  console.log(`${kept ? 'kept  ' : 'MISSED'} ${text}: ${measured.toFixed(unit === '' ? 3 : 1)}${unit} (at most ${limit}${unit})`);
  if (!kept) process.exitCode = 1;
}
