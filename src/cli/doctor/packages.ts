/** Which packages the project has, and how many copies of those of which there must be one. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { JestAdkError, refusal } from '../../support/errors';
import type { Finding, Surroundings } from './types';

interface Installed {
  readonly folder: string;
  readonly version: string;
}

/** Node, Jest, TypeScript, and the packages that must exist once. */
export function checkPackages({ cwd }: Surroundings): readonly Finding[] {
  return [node(process.versions.node), ...told('Jest', () => [jest(cwd)]), ...told('TypeScript', () => typescript(cwd)), ...told('@google/adk', () => sdk(cwd))];
}

/** A package that cannot be looked at is a finding like others, and the rest is looked at. */
function told(check: string, look: () => readonly Finding[]): readonly Finding[] {
  try {
    return look();
  } catch (thrown) {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    return thrown.problems.map(({ message, hint = '' }) => problem(check, message, hint));
  }
}

/** The least that package.json's `engines` asks for. */
const leastNode = [20, 19] as const;

/**
 * Whether this Node will do.
 *
 * @param version  without the "v"
 */
export function node(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  return enough ? ok('Node', version) : problem('Node', `${version} is too old`, `Install Node ${leastNode.join('.')} or newer.`);
}

function jest(cwd: string): Finding {
  const found = installed('jest', cwd);
  if (found === undefined) return problem('Jest', 'is not installed here', 'Run "npm install --save-dev jest". (jest-adk eval works without it.)');
  const [major = 0, minor = 0] = numbers(found.version);
  if (major >= 30 || (major === 29 && minor >= 7)) return ok('Jest', found.version);
  return problem('Jest', `${found.version} is too old`, 'Install Jest 29.7 or 30.');
}

function typescript(cwd: string): readonly Finding[] {
  const compiler = installed('typescript', cwd);
  const transformer = installed('ts-jest', cwd);
  if (!existsSync(join(cwd, 'tsconfig.json')) && compiler === undefined) return [];
  if (transformer === undefined) return [{ check: 'TypeScript', status: 'note', message: 'ts-jest is not installed: tests and agents in TypeScript are compiled by Babel, without checking types', advice: 'To have types checked: npm install --save-dev ts-jest typescript' }];
  if (compiler === undefined) return [problem('TypeScript', 'ts-jest is installed, typescript is not', 'Run "npm install --save-dev typescript".')];
  const [major = 0] = numbers(compiler.version);
  if (major >= 7) return [problem('TypeScript', `${compiler.version} does not work with ts-jest`, 'Run "npm install --save-dev typescript@5" (5 and 6 both work).')];
  return [ok('TypeScript', `${compiler.version}, ts-jest ${transformer.version}`)];
}

/** What the SDK brings must be what the project's own code imports: classes and schemas of another copy are not recognised. */
function sdk(cwd: string): readonly Finding[] {
  const adk = installed('@google/adk', cwd);
  if (adk === undefined) {
    return [{ check: '@google/adk', status: 'note', message: 'is not installed here: remote agents and functions can be evaluated, agents of the SDK cannot', advice: 'To evaluate an agent of the SDK: npm install @google/adk zod' }];
  }
  return [copies('@google/adk', adk, cwd), ...['zod', '@google/genai'].flatMap((name) => shared(name, adk, cwd))];
}

function copies(name: string, main: Installed, cwd: string): Finding {
  const all = copiesBelow(name, cwd);
  if (all.length <= 1) return ok(name, main.version);
  const list = all.map(({ version, folder }) => `${version} in ${relative(cwd, folder)}`).join(', ');
  return problem(name, `there are ${all.length} copies: ${list}`, 'An agent made by one is unknown to the other. Run "npm dedupe", or set one version in "overrides" (pnpm: "pnpm.overrides", yarn: "resolutions").');
}

function shared(name: string, adk: Installed, cwd: string): readonly Finding[] {
  const own = installed(name, cwd);
  const theirs = installed(name, adk.folder);
  if (theirs === undefined) return [problem(name, 'is missing, and @google/adk needs it', `Run "npm install ${name}".`)];
  if (own === undefined) return [{ check: name, status: 'note', message: `${theirs.version}, a dependency of @google/adk alone`, advice: `Before you import it in an agent: npm install ${name}@${theirs.version}` }];
  if (own.folder === theirs.folder) return [ok(name, own.version)];
  const where = (one: Installed): string => `${one.version} in ${relative(cwd, one.folder)}`;
  return [problem(name, `there are two copies: yours (${where(own)}) and that of @google/adk (${where(theirs)})`, `What one makes the other does not recognise. Install the version that the SDK uses: npm install ${name}@${theirs.version}`)];
}

/** A package as code in a folder would load it. @throws {JestAdkError} `bad_package` when its package.json is damaged */
export function installed(name: string, from: string): Installed | undefined {
  // By folder, not by resolving "<name>/package.json": not every package exports that.
  const paths = createRequire(join(from, 'noop.js')).resolve.paths(name) ?? [];
  const manifest = paths.map((path) => join(path, name, 'package.json')).find((file) => existsSync(file));
  return manifest === undefined ? undefined : { folder: realpathSync(dirname(manifest)), version: versionIn(manifest) };
}

function versionIn(manifest: string): string {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: string } | null)?.version ?? 'unknown';
  } catch (thrown) {
    throw refusal('bad_package', `${manifest} could not be read: ${(thrown as Error).message}`, 'The installation is damaged: remove node_modules, and install again.');
  }
}

/** Every copy in the project's `node_modules`, those of its dependencies and pnpm's store too. */
function copiesBelow(name: string, cwd: string): readonly Installed[] {
  const found = new Map<string, Installed>();
  const top = installed(name, cwd);
  if (top !== undefined) found.set(top.folder, top);
  const look = (modules: string): void => {
    for (const folder of packagesIn(modules)) {
      if (folder === join(modules, name)) {
        const one = installed(name, dirname(modules));
        if (one !== undefined) found.set(one.folder, one);
      }
      const nested = join(folder, 'node_modules');
      if (existsSync(nested)) look(nested);
    }
  };
  look(join(cwd, 'node_modules'));
  const store = join(cwd, 'node_modules', '.pnpm');
  for (const entry of existsSync(store) ? readdirSync(store) : []) {
    if (entry.startsWith(`${name.replace('/', '+')}@`)) look(join(store, entry, 'node_modules'));
  }
  return [...found.values()];
}

/** Packages that lie in a `node_modules` themselves; links elsewhere are left out. */
function packagesIn(modules: string): readonly string[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const folder = join(modules, entry.name);
    return entry.name.startsWith('@') ? packagesIn(folder) : [folder];
  });
}

function numbers(version: string): readonly number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}

function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

function problem(check: string, message: string, advice: string): Finding {
  return { check, status: 'problem', message, advice };
}
