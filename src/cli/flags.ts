/** What is wrong with the flags of a call, whatever the command: told before the command runs. */
import type { Argv } from 'yargs';
import type { CliArguments } from './types';

/** The flags that a command defined. */
export interface DefinedFlags {
  /** All names, aliases too. */
  readonly names: ReadonlySet<string>;
  readonly switches: ReadonlySet<string>;
  /** Each name with the other names of its flag. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
}

/** The flags of a parser once a command has defined itself. */
export function definedFlags(yargs: Argv): DefinedFlags {
  // Public in yargs, absent in its types.
  const { key, alias, boolean } = (yargs as Argv & { getOptions(): { key: Record<string, unknown>; alias: Record<string, readonly string[]>; boolean: readonly string[] } }).getOptions();
  const aliases = Object.entries(alias);
  const named = (name: string): readonly string[] => [...new Set([...(alias[name] ?? []), ...aliases.filter(([, others]) => others.includes(name)).map(([other]) => other)])];
  const names = new Set([...Object.keys(key), ...aliases.flatMap(([name, others]) => [name, ...others])]);
  return { names, switches: new Set(boolean.flatMap((name) => [name, ...named(name)])), aliases: new Map([...names].map((name) => [name, named(name)])) };
}

/** Flags that share their name with something that every object has; the parser trips over them. Empty for a usual command line. */
export function impossibleFlags(argv: readonly string[]): readonly string[] {
  return flagWords(argv).flatMap(({ name, word }) => (name.replace(/^no-/, '') in {} ? [`There is no flag ${word.split('=')[0] ?? word}.`] : []));
}

/** What a command allows. */
export interface FlagRules {
  /** Flags that may be given several times. */
  readonly repeatable: readonly string[];
  /** Flags whose empty value counts as none; elsewhere it is a variable that was not set, and would widen what is asked for. */
  readonly mayBeEmpty: readonly string[];
  /** Whether words may follow the command. */
  readonly takesWords: boolean;
}

/** Unknown flags and words, switches with a value that is none, flags without a value, and flags that were given twice. */
export function flagProblems(argv: readonly string[], args: CliArguments, { names, switches, aliases }: DefinedFlags, { repeatable, mayBeEmpty, takesWords }: FlagRules): readonly string[] {
  const given = Object.entries(args).filter(([name]) => name !== '_' && name !== '$0');
  const unknown = given.filter(([name]) => !names.has(name)).map(([name]) => withSuggestion(`There is no flag ${dashed(name)}.`, dashed(name), [...names].map(dashed)));
  const words = takesWords ? [] : ((args._ ?? []) as readonly unknown[]).slice(1).map((word) => `Nothing is expected at ${JSON.stringify(String(word))}.`);
  const switched = flagWords(argv).flatMap(({ name, value }) => (value === undefined || !switches.has(name.replace(/^no-/, '')) || value === 'true' || value === 'false' ? [] : [`--${name} takes true or false; got ${JSON.stringify(value)}.`]));
  // A flag with an alias stands there under each of its names; the first one that was typed is named.
  const typed = new Set(flagWords(argv).map(({ name }) => name));
  const own = given.filter(([name]) => names.has(name) && (typed.has(name) || !(aliases.get(name) ?? []).some((other) => typed.has(other))));
  const empty = own.filter(([name, value]) => (value === '' && !mayBeEmpty.includes(name)) || (Array.isArray(value) && value.includes(''))).map(([name]) => `${dashed(name)} is empty: give it a value, or leave it out.`);
  const twice = own.filter(([name, value]) => Array.isArray(value) && ![name, ...(aliases.get(name) ?? [])].some((each) => repeatable.includes(each))).map(([name]) => `${dashed(name)} was given more than once.`);
  return [...unknown, ...words, ...switched, ...new Set(empty), ...new Set(twice)];
}

/** A message with the nearest legal word. */
export function withSuggestion(message: string, seen: string, known: readonly string[]): string {
  const { didYouMean } = require('../support/nearest') as typeof import('../support/nearest');
  const hint = didYouMean(seen, known);
  return hint === undefined ? message : `${message} ${hint}`;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** The words that are flags, up to a `--`. */
function flagWords(argv: readonly string[]): readonly { readonly word: string; readonly name: string; readonly value: string | undefined }[] {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).flatMap((word) => {
    const [, name = '', value] = /^--?([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
    return name === '' || /^-?\d/.test(name) ? [] : [{ word, name, value }];
  });
}
