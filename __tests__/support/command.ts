import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const bin = join(__dirname, '..', '..', 'bin');

/** How a command ended. */
export interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with files in which commands run. */
export interface CommandFolder {
  readonly dir: string;
  /** Runs `jest-adk`, in the folder itself unless another is named. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Promise<CommandRun>;
  /** Another of the package's commands. */
  runBin(name: string, args: readonly string[]): Promise<CommandRun>;
  write(files: Readonly<Record<string, unknown>>): void;
}

const made: string[] = [];

/** Makes a folder; values that are no text are written as JSON. */
export function commandFolder(files: Readonly<Record<string, unknown>> = {}): CommandFolder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-command-')));
  made.push(dir);
  const write = (more: Readonly<Record<string, unknown>>): void => {
    for (const [name, content] of Object.entries(more)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
  };
  write(files);
  const runBin = (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = dir): Promise<CommandRun> =>
    new Promise((resolve) => {
      execFile(process.execPath, [join(bin, `${name}.js`), ...args], { cwd, env: { ...cleanEnv(), ...env }, maxBuffer: 1 << 26 }, (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }));
    });
  return { dir, write, runBin, run: (args, env, cwd) => runBin('jest-adk', args, env, cwd) };
}

/** Takes the folders away; for `afterAll`. */
export function removeCommandFolders(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** The environment without what an outer Jest or CI leaves in it. */
export function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(JEST_|CI$|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$)/.test(name)));
}
