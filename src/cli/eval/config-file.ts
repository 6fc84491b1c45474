import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JestAdkError, refusal, type Problem } from '../../support/errors';
import { readDocument, withPositionsIn } from '../../support/document';
import { didYouMean } from '../../support/nearest';
import { createNodeLoader } from '../../target/module-loader';

/** Settings that a project keeps in a file. */
export interface ConfigFile {
  /** Absolute path. */
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const names = ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'json'].map((extension) => `jest-adk.config.${extension}`);

/**
 * The config file of the folder, or of the nearest one above it up to the one with a `package.json`: `jest-adk.config.*`, or the key
 * `"jest-adk"` of the `package.json`.
 *
 * @param legal  keys that it may have
 * @returns undefined when there is none
 * @throws {JestAdkError} `bad_config_file` with every problem, `several_config_files`
 */
export async function readConfigFile(folder: string, legal: readonly string[]): Promise<ConfigFile | undefined> {
  const found = findConfigFile(folder);
  if (found === undefined) return undefined;
  const { file, value } = 'value' in found ? found : { file: found.file, value: await load(found.file) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal('bad_config_file', `${file} does not hold an object with settings.`);
  const values = value as Readonly<Record<string, unknown>>;
  const inside = file.endsWith('package.json') ? ['jest-adk'] : [];
  const problems: Problem[] = Object.keys(values).filter((key) => !legal.includes(key)).map((key) => {
    const hint = didYouMean(key, legal) ?? `Settings: ${legal.join(', ')}.`;
    return { code: 'unknown_option', file, path: [...inside, key], message: `There is no setting ${JSON.stringify(key)}.`, hint };
  });
  if (problems.length > 0) throw new JestAdkError('bad_config_file', file.endsWith('.json') ? withPositionsIn(problems, file) : problems);
  return { file, values };
}

type Found = { readonly file: string } | { readonly file: string; readonly value: unknown };

function findConfigFile(folder: string): Found | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const here = names.map((name) => join(at, name)).filter((file) => existsSync(file));
    const packageFile = join(at, 'package.json');
    const inPackage = existsSync(packageFile) ? (parse(packageFile) as { 'jest-adk'?: unknown } | null)?.['jest-adk'] : undefined;
    const all: Found[] = [...here.map((file) => ({ file })), ...(inPackage === undefined ? [] : [{ file: packageFile, value: inPackage }])];
    if (all.length > 1) throw refusal('several_config_files', `There are several config files: ${all.map(({ file }) => file).join(', ')}.`, 'Keep one of them.');
    if (all[0] !== undefined) return all[0];
    if (existsSync(packageFile) || dirname(at) === at) return undefined;
  }
}

async function load(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return parse(file);
  const module = await createNodeLoader().load(file);
  const value = module.default ?? module;
  // An ES module that was compiled to CommonJS holds its default export one level down.
  return (value as { default?: unknown }).default ?? value;
}

function parse(file: string): unknown {
  return readDocument(file).value;
}
