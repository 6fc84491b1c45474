import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installPackage, link, repoRoot } from './package-under-test';

/** Which Jest the project has installed. */
export type JestMajor = '29' | '30';

/** What a project is made of. Paths of `files` are relative to it; values that are not text are written as JSON. */
export interface ProjectOptions {
  /** A folder below `__tests__/fixtures/` that is copied first. */
  readonly fixture?: string;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly jest?: JestMajor;
  /** Packages of this checkout to install beside Jest; `@google/adk` and its kin only when asked for. */
  readonly packages?: readonly string[];
  /** Merged into the project's package.json. */
  readonly packageJson?: Readonly<Record<string, unknown>>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the project in which the command starts. */
  readonly cwd?: string;
  /** Also ask for `--json` and parse it. */
  readonly json?: boolean;
  /** Milliseconds after which the child is killed; the run then has `signal` set. */
  readonly timeoutMs?: number;
}

export interface JestJson {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
      readonly location: { readonly line: number; readonly column: number } | null;
    }[];
  }[];
}

export interface JestRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout and stderr, one after the other. */
  readonly output: string;
  readonly json?: JestJson;
}

/** A project in a temporary folder, with a real Jest and the package installed in it. */
export interface Project {
  /** Absolute, with links resolved. */
  readonly dir: string;
  /** The child's temporary folder: runs and caches of jest-adk lie below it. */
  readonly tmp: string;
  write(files: Readonly<Record<string, unknown>>): void;
  read(path: string): string;
  /** Runs the project's Jest. */
  jest(args?: readonly string[], options?: RunOptions): Promise<JestRun>;
  /** Runs `node` in the project. */
  node(args: readonly string[], options?: RunOptions): Promise<JestRun>;
  /** Environment of the children: nothing of ours leaks into them. */
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  remove(): void;
}

const live = new Set<Project>();

/** Makes a project. Remove it with `remove()` or, at the end of a test file, with `removeProjects()`. */
export function createProject(options: ProjectOptions = {}): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-project-')));
  const dir = join(base, 'project');
  const tmp = join(base, 'tmp');
  mkdirSync(dir);
  mkdirSync(tmp);
  if (options.fixture !== undefined) cpSync(join(repoRoot, '__tests__', 'fixtures', options.fixture), dir, { recursive: true });

  const project: Project = {
    dir,
    tmp,
    write: (files) => writeFiles(dir, files),
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    jest: (args = [], run = {}) => runJest(project, args, run),
    node: (args, run = {}) => execute(project, args, run),
    env: (extra = {}) => childEnv(tmp, extra),
    remove: () => {
      live.delete(project);
      if (process.env['JEST_ADK_KEEP'] === undefined) rmSync(base, { recursive: true, force: true });
    },
  };
  live.add(project);

  if (options.packageJson !== undefined || !existsSync(join(dir, 'package.json'))) {
    writeFiles(dir, { 'package.json': { name: 'project', private: true, ...options.packageJson } });
  }
  writeFiles(dir, options.files ?? {});
  link(options.jest === '29' ? 'jest-29' : 'jest', dir, 'jest');
  for (const name of options.packages ?? []) link(name, dir, name);
  installPackage(dir);
  return project;
}

/** Removes every project that is still there: `afterAll(removeProjects)`. */
export function removeProjects(): void {
  for (const project of [...live]) project.remove();
}

async function runJest(project: Project, args: readonly string[], options: RunOptions): Promise<JestRun> {
  const bin = join(project.dir, 'node_modules', 'jest', 'bin', 'jest.js');
  const file = join(project.tmp, `result-${process.hrtime.bigint()}.json`);
  const run = await execute(project, [bin, ...args, ...(options.json === true ? ['--json', `--outputFile=${file}`] : [])], options);
  if (options.json !== true || !existsSync(file)) return run;
  return { ...run, json: JSON.parse(readFileSync(file, 'utf8')) as JestJson };
}

function execute(project: Project, args: readonly string[], options: RunOptions): Promise<JestRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      cwd: join(project.dir, options.cwd ?? '.'),
      env: childEnv(project.tmp, options.env ?? {}),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs ?? 120_000,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr, output: `${stdout}\n${stderr}` }));
  });
}

/** Only what a process needs to start: no NODE_OPTIONS, no CI, no JEST_* and no keys of the surroundings. */
function childEnv(tmp: string, extra: Readonly<Record<string, string>>): Record<string, string> {
  const kept = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'LANG'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  return { ...Object.fromEntries(kept), TMPDIR: tmp, TMP: tmp, TEMP: tmp, NO_COLOR: '1', ...extra };
}

function writeFiles(dir: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}
