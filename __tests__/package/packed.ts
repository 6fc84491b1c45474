import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBuilt, repoRoot } from '../support/package-under-test';
import { createProject, type JestMajor } from '../support/run-jest';

/** Real installs need a package registry: .ci/run asks for them, a plain `npm test` does not. */
export const realInstalls = process.env['JEST_ADK_INSTALL_TESTS'] === '1';

/** The packed package: its file and the paths in it. */
export interface Packed {
  readonly file: string;
  readonly paths: readonly string[];
  readonly unpackedSize: number;
  remove(): void;
}

/** Packs the built package as `npm publish` would, without building it again. */
export function pack(): Packed {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-packed-'));
  const printed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: repoRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(printed) as [{ filename: string; unpackedSize: number; files: { path: string }[] }];
  return { file: join(folder, packed.filename), paths: packed.files.map((entry) => entry.path), unpackedSize: packed.unpackedSize, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a user has beside the package. `sdk` and `typescript` are what they are without. */
export interface UserProject {
  readonly jest: JestMajor;
  readonly sdk: boolean;
  readonly typescript: boolean;
  readonly files: Readonly<Record<string, string>>;
}

/** What running a command in the project gave. */
export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** A user's project with the packed file installed: by npm from the registry, or unpacked beside this checkout's packages. */
export interface Installed {
  readonly dir: string;
  jest(...args: string[]): Promise<Ran>;
  node(...args: string[]): Promise<Ran>;
  remove(): void;
}

function packagesOf(project: UserProject): string[] {
  return [...(project.sdk ? ['@google/adk', '@google/genai', 'zod'] : []), ...(project.typescript ? ['ts-jest', 'typescript', '@types/jest', '@types/node'] : [])];
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(repoRoot, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Puts the project together; with `JEST_ADK_INSTALL_TESTS=1` by a real `npm install`. */
export function install(packed: Packed, project: UserProject): Installed {
  if (!realInstalls) {
    process.env['JEST_ADK_PACKED'] = packed.file;
    const linked = createProject({ jest: project.jest, packages: packagesOf(project), files: project.files });
    delete process.env['JEST_ADK_PACKED'];
    return { dir: linked.dir, jest: (...args) => linked.jest(args), node: (...args) => linked.node(args), remove: () => linked.remove() };
  }
  const shell = createProject({ jest: project.jest });
  const dir = join(dirname(shell.dir), 'installed');
  for (const [path, text] of Object.entries({ 'package.json': '{ "name": "installed", "private": true }\n', ...project.files })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const wanted = [`jest@${versionOf(project.jest === '29' ? 'jest-29' : 'jest')}`, ...packagesOf(project).map((name) => `${name}@${versionOf(name)}`)];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', packed.file, ...wanted], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'], timeout: 400_000 });
  const run = (args: string[]): Promise<Ran> => shell.node(args, { cwd: '../installed' });
  return { dir, jest: (...args) => run(['node_modules/jest/bin/jest.js', ...args]), node: (...args) => run(args), remove: () => shell.remove() };
}
