/** Eval sets from one format and spelling to another. */
import { parseDocument } from '../support/document';
import { formatPath, refusal } from '../support/errors';
import { stringifyJson } from '../support/json';
import { recase, type KeyCase } from '../schema/recase';
import { evalSetFromObject, readEvalSetText } from './reader';
import { fromTrpc, looksLikeTrpc } from './trpc';
import { evalSetText } from './writer';
import { yamlFromToml, yamlFromYaml } from './yaml-comments';

/** File formats. */
export type FileFormat = 'json' | 'toml' | 'yaml';

/** What a set is converted to. */
export interface ConvertOptions {
  readonly to: FileFormat;
  readonly keyCase: KeyCase;
}

/** The text of the new file, and what did not come along: a sentence each, in the file's order. */
export interface Converted {
  readonly text: string;
  readonly losses: readonly string[];
  /** The file holds this already, maybe laid out otherwise. */
  readonly unchanged: boolean;
}

/** The format that a file's name says; undefined for none of them. */
export function formatOf(file: string): FileFormat | undefined {
  const ending = /\.(json|toml|ya?ml)$/i.exec(file)?.[1]?.toLowerCase();
  return ending === 'yml' ? 'yaml' : (ending as FileFormat | undefined);
}

/**
 * Converts the text of an eval set: either old format of google-adk, trpc-agent-go's, or the current one, as JSON, TOML or YAML. A file in the current format keeps its order,
 * its unknown keys and everything that is the user's; YAML keeps the comments of YAML and TOML.
 *
 * @param file  absolute path; says what the text is written in, and is named in problems
 * @throws {JestAdkError} with every problem of the file
 */
export function convertEvalSet(text: string, file: string, { to, keyCase }: ConvertOptions): Converted {
  const from = formatOf(file);
  if (from === undefined) throw refusal('unknown_format', `${file}: the name does not say whether it is JSON, TOML or YAML.`, 'Names end in .json, .toml, .yaml or .yml.');
  const losses: string[] = [];
  const parsed = from === 'yaml' ? parseYaml(text, file) : parseDocument(text, file);
  const value = toCurrent(parsed, text, file, from, losses);
  const recased = recase('EvalSet', value, keyCase);
  if (keyCase === 'camel') losses.push('google-adk reads the keys of a set itself (eval_set_id, eval_cases, …) in snake_case only');
  // In the current format already: what stands in the file has its place in the new one.
  const inPlace = value === parsed && to === 'yaml' && from !== 'json';
  const written = inPlace ? { text: from === 'yaml' ? yamlFromYaml(text, recased) : yamlFromToml(text, parsed, recased), losses: [] } : write(recased, to);
  const comments = countComments(text, from) - (inPlace ? countComments(written.text, 'yaml') : 0);
  if (comments > 0) losses.push(`${comments} comment${comments === 1 ? '' : 's'} of the ${from.toUpperCase()} file`);
  const unchanged = from === to && value === parsed && stringifyJson(recased, 0) === stringifyJson(parsed, 0);
  return { text: written.text, losses: [...losses, ...written.losses], unchanged };
}

/** The value in the current format; the parsed one itself when it is in it already. */
function toCurrent(parsed: unknown, text: string, file: string, from: FileFormat, losses: string[]): unknown {
  if (looksLikeTrpc(parsed)) {
    const { value, losses: left } = fromTrpc(parsed);
    losses.push(...left.map((path) => `${formatPath(path)}: the format has no place for it`));
    return JSON.parse(evalSetText(evalSetFromObject(value).value)) as unknown;
  }
  const loaded = from === 'yaml' ? evalSetFromObject(parsed) : readEvalSetText(text, file);
  if (!Array.isArray(parsed)) return parsed;
  losses.push(...loaded.warnings.filter(({ code }) => code !== 'legacy_format').map(({ message, path }) => `${path === undefined ? '' : `${formatPath(path)}: `}${message}`));
  return JSON.parse(evalSetText(loaded.value)) as unknown;
}

function write(value: unknown, to: FileFormat): Pick<Converted, 'text' | 'losses'> {
  if (to === 'json') return { text: `${stringifyJson(value)}\n`, losses: [] };
  if (to === 'yaml') {
    const { stringify } = require('yaml') as typeof import('yaml');
    return { text: stringify(value, { lineWidth: 0 }), losses: [] };
  }
  const { stringifyToml } = require('../support/toml-writer') as typeof import('../support/toml-writer');
  const { text, losses } = stringifyToml(value as Readonly<Record<string, unknown>>);
  return { text, losses: losses.map(({ path }) => `${formatPath(path)}: null, which TOML does not have`) };
}

function parseYaml(text: string, file: string): unknown {
  const { parseAllDocuments } = require('yaml') as typeof import('yaml');
  const documents = parseAllDocuments(text, { prettyErrors: true, intAsBigInt: true });
  const [document, ...more] = 'empty' in documents ? [] : documents;
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error !== undefined) throw refusal('not_yaml', `${file}: not YAML: ${error.message.split('\n')[0] ?? ''}`);
  if (more.length > 0) throw refusal('not_yaml', `${file} holds ${more.length + 1} YAML documents.`, 'An eval set is one: split the file at its lines of "---".');
  try {
    return plainYaml(document.toJS(), []);
  } catch (thrown) {
    if (thrown instanceof ReferenceError) throw refusal('not_yaml', `${file}: not YAML: ${thrown.message}.`);
    throw thrown;
  }

  /** Whole numbers as the other readers have them; what JSON has no word for is refused. */
  function plainYaml(value: unknown, path: readonly (string | number)[], above: readonly unknown[] = []): unknown {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    if (typeof value === 'number' && !Number.isFinite(value)) throw refusal('yaml_number', `${file}: ${formatPath(path)} is ${String(value)}, which JSON does not have.`, 'Put it in quotes, or leave it out.');
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) throw refusal('yaml_alias', `${file}: ${formatPath(path)} is an alias of what it stands in, so it would have no end.`);
    const inside = [...above, value];
    if (Array.isArray(value)) return value.map((item, index) => plainYaml(item, [...path, index], inside));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainYaml(item, [...path, key], inside)]));
  }
}

function countComments(text: string, from: FileFormat): number {
  if (from === 'json') return 0;
  if (from === 'toml') {
    const { parseTOML } = require('toml-eslint-parser') as typeof import('toml-eslint-parser');
    return parseTOML(text).comments.length;
  }
  const { Lexer } = require('yaml') as typeof import('yaml');
  return [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).length;
}
