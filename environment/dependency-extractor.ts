/**
 * Tells Jest which data files a test file uses, so that `--watch`, `--onlyChanged` and `--findRelatedTests` rerun it when they change:
 * eval sets named in it, the configs that belong to them, and prompt files named in those.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

type Extract = (code: string, filePath: string, defaultExtract: Extract) => Iterable<string>;

const evalSetName = /\.(test|evalset)\.(json|toml)$/;
const neverEntered = new Set(['node_modules', '.git', '.adk']);

/** Called by Jest for every source file that is new or changed. */
export const extract: Extract = (code, filePath, defaultExtract) => {
  const modules = new Set(defaultExtract(code, filePath, defaultExtract));
  if (!/EvalSet|evalDataset|AgentEvaluator/.test(code)) return modules;
  for (const [, , text = ''] of code.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g)) {
    for (const file of dataFiles(text, filePath)) modules.add(asModule(filePath, file));
  }
  return modules;
};

/** Part of the key of Jest's cache. */
export function getCacheKey(): string {
  return createHash('sha1').update(readFileSync(__filename)).digest('hex');
}

/** Files that a text in a test file means, if it is the path of an eval set, of a folder with eval sets, or of a config. */
function dataFiles(text: string, testFile: string): string[] {
  const path = text.replace(/(\.json|\.toml):[^/\\]*$/, '$1');
  if (!/[/\\.]/.test(path) && !existsSync(resolve(dirname(testFile), path))) return [];
  const found = locate(path, testFile);
  if (found === undefined) return [];
  if (!/\.(json|toml)$/.test(found)) return isFolder(found) ? evalSetsBelow(found).flatMap(withCompanions) : [];
  return withCompanions(found);
}

/** `./` starts at the test file; other paths at a folder above it, of which only Jest knows which is the root: the nearest that fits. */
function locate(path: string, testFile: string): string | undefined {
  const own = resolve(dirname(testFile), path);
  if (existsSync(own)) return own;
  if (/^\.{1,2}[/\\]/.test(path)) return undefined;
  for (let folder = dirname(dirname(testFile)); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (existsSync(join(folder, 'package.json'))) return undefined;
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

function evalSetsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return neverEntered.has(entry.name) ? [] : evalSetsBelow(path);
    return evalSetName.test(entry.name) ? [path] : [];
  });
}

/** An eval set, the configs beside it, and the prompt files that it names. */
function withCompanions(file: string): string[] {
  const folder = dirname(file);
  const stem = file.replace(evalSetName, '').replace(/\.(json|toml)$/, '');
  const configs = [`${stem}.config.json`, join(folder, 'test_config.json'), join(folder, 'eval_config.json'), join(folder, '..', 'eval_config.json')];
  const prompts = [...readFileSync(file, 'utf8').matchAll(/<prompt:\s*(?:\\?")?([^\s>"\\]+)/g)].map(([, name = '']) => resolve(folder, name));
  return [file, ...[...configs, ...prompts].filter((path) => existsSync(path))];
}

/** A relative specifier, as an import would write it. */
function asModule(from: string, file: string): string {
  const path = relative(dirname(from), file).replace(/\\/g, '/');
  return path.startsWith('.') ? path : `./${path}`;
}
