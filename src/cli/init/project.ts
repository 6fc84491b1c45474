/** What a project is like, as far as it decides what it is given. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { refusal } from '../../support/errors';
import { installed } from '../doctor/packages';

/** A project that is to get its first eval. */
export interface Project {
  /** Absolute path. */
  readonly dir: string;
  readonly manifest: Manifest;
  /** Text of package.json. */
  readonly manifestText: string;
  readonly typescript: boolean;
  /** `"type": "module"`: JavaScript files are ES modules. */
  readonly esm: boolean;
  /** The agent of the example is made with the SDK. */
  readonly sdk: boolean;
  /** File, relative to `dir`, with a Jest configuration, and whether it names jest-adk. */
  readonly jestConfig?: { readonly file: string; readonly usesUs: boolean };
  readonly packageManager: 'npm' | 'pnpm' | 'yarn';
  /** Top folder of the repository, seen from `dir`: `''` for itself. */
  readonly repository: string;
  /** Packages that the eval needs and that are not installed, with the versions that go together. */
  readonly missing: readonly string[];
}

/** What is read of a package.json. */
export interface Manifest {
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly jest?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** TypeScript 7 does not work with ts-jest. */
const versions = { jest: 'jest@30', 'jest-adk': 'jest-adk', 'ts-jest': 'ts-jest@29', typescript: 'typescript@~5.9' } as const;

/**
 * Looks at a folder.
 *
 * @throws {JestAdkError} `no_package` without a package.json, `bad_package` for one that cannot be read
 */
export function lookAt(dir: string): Project {
  const file = join(dir, 'package.json');
  if (!existsSync(file)) throw refusal('no_package', `There is no package.json in ${dir}.`, 'Run it in the folder of a project, or make one: npm init -y');
  const manifestText = readFileSync(file, 'utf8');
  const manifest = parse(file, manifestText);
  const named = { ...manifest.dependencies, ...manifest.devDependencies };
  const has = (name: string): boolean => name in named || installed(name, dir) !== undefined;
  const typescript = existsSync(join(dir, 'tsconfig.json')) || 'typescript' in named;
  const jestConfig = findJestConfig(dir, manifest);
  const wanted: readonly (keyof typeof versions)[] = ['jest', 'jest-adk', ...(typescript ? (['ts-jest', 'typescript'] as const) : [])];
  return {
    dir,
    manifest,
    manifestText,
    typescript,
    esm: manifest.type === 'module',
    sdk: installed('@google/adk', dir) !== undefined,
    ...(jestConfig === undefined ? {} : { jestConfig }),
    packageManager: packageManager(dir),
    repository: repository(dir),
    missing: wanted.filter((name) => !has(name)).map((name) => versions[name]),
  };
}

function parse(file: string, text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw refusal('bad_package', `${file} is no JSON: ${(thrown as Error).message}`, 'Correct it first; nothing was written.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal('bad_package', `${file} holds no object.`, 'Correct it first; nothing was written.');
  const { scripts = {} } = value as { readonly scripts?: unknown };
  if (typeof scripts !== 'object' || scripts === null || Array.isArray(scripts)) throw refusal('bad_package', `"scripts" in ${file} is no object; got ${JSON.stringify(scripts)}.`, 'Correct it first; nothing was written.');
  return value;
}

function findJestConfig(dir: string, manifest: Manifest): Project['jestConfig'] {
  const file = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'].map((extension) => `jest.config.${extension}`).find((name) => lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined);
  // A link to nowhere is a configuration as well: one that does not work yet, and not ours to replace.
  if (file !== undefined) return { file, usesUs: existsSync(join(dir, file)) && readFileSync(join(dir, file), 'utf8').includes('jest-adk') };
  return manifest.jest === undefined ? undefined : { file: 'package.json', usesUs: JSON.stringify(manifest.jest).includes('jest-adk') };
}

function packageManager(dir: string): Project['packageManager'] {
  const top = join(dir, repository(dir));
  const has = (name: string): boolean => [dir, top].some((folder) => existsSync(join(folder, name)));
  if (has('pnpm-lock.yaml')) return 'pnpm';
  return has('yarn.lock') ? 'yarn' : 'npm';
}

function repository(dir: string): string {
  for (let folder = dir; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return relative(dir, folder);
    if (dirname(folder) === folder) return '';
  }
}
