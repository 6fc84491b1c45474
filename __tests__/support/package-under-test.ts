import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Root of this checkout. */
export const repoRoot = resolve(__dirname, '..', '..');

const lock = join(repoRoot, 'node_modules', '.jest-adk-build-lock');

/**
 * Builds `dist/` when a source is newer than it. Several workers may ask at once: one builds, the others wait for it.
 *
 * @throws when the build fails, or when another build does not end within three minutes
 */
export function ensureBuilt(): void {
  const deadline = Date.now() + 180_000;
  while (isStale()) {
    if (takeLock()) {
      try {
        if (isStale()) execFileSync(process.execPath, [join(repoRoot, 'scripts', 'build.mjs')], { cwd: repoRoot, stdio: 'pipe' });
      } catch (error) {
        throw new Error(`the package does not build:\n${String((error as { stdout?: unknown }).stdout ?? error)}`);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    } else if (Date.now() > deadline) {
      throw new Error(`another build holds ${lock} for over three minutes; remove it if none is running`);
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/**
 * Puts the package into `<project>/node_modules/jest-adk` as an install would: a copy of what is published, its own
 * dependencies beside it. With JEST_ADK_PACKED that packed file is unpacked instead of the checkout's build.
 */
export function installPackage(project: string): void {
  const target = join(project, 'node_modules', 'jest-adk');
  mkdirSync(target, { recursive: true });
  const packed = process.env['JEST_ADK_PACKED'];
  if (packed === undefined || packed === '') {
    ensureBuilt();
    const { files } = readPackage(repoRoot);
    for (const name of ['package.json', ...files]) {
      if (existsSync(join(repoRoot, name))) cpSync(join(repoRoot, name), join(target, name), { recursive: true });
    }
  } else {
    execFileSync('tar', ['-xzf', resolve(repoRoot, packed), '--strip-components=1', '-C', target]);
  }
  for (const name of Object.keys(readPackage(target).dependencies)) link(name, target, name);
}

/** Links a package of this checkout into `<root>/node_modules`, by its real path, as pnpm does. */
export function link(installed: string, root: string, as: string): void {
  const source = join(repoRoot, 'node_modules', installed);
  if (!existsSync(source)) throw new Error(`"${installed}" is not installed in this checkout; run npm install`);
  const target = join(root, 'node_modules', as);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(source, target, 'junction');
}

function readPackage(folder: string): { files: string[]; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { files: string[]; dependencies: Record<string, string> };
}

function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
    if (age > 170_000) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** Sources are compared with the compiled entry; scripts and schemas count because the build reads them. */
function isStale(): boolean {
  const entry = join(repoRoot, 'dist', 'index.js');
  if (!existsSync(entry)) return true;
  const built = statSync(entry).mtimeMs;
  return ['index.ts', 'src', 'environment', 'matchers', 'scripts/build.mjs', 'tsconfig.build.json'].some((name) => newest(join(repoRoot, name)) > built);
}

function newest(path: string): number {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
