/** The words of the command line, as the commands define them: what the scripts of all shells are made of. */
import type { Argv, Options, PositionalOptions } from 'yargs';
import { settings, kebab, type Setting } from '../eval/settings-table';
import type { CommandEntry } from '../types';

/** One flag of a command. */
export interface FlagWords {
  /** As they are typed: `--output`, `-o`. */
  readonly names: readonly string[];
  readonly describe: string;
  readonly takesValue: boolean;
  /** Legal values; empty when there is no list of them. */
  readonly choices: readonly string[];
}

/** One command. */
export interface CommandWords {
  readonly name: string;
  readonly describe: string;
  readonly flags: readonly FlagWords[];
  /** Legal words after the command; empty when there is no list of them. */
  readonly words: readonly string[];
  /** Whether paths may follow. */
  readonly takesPaths: boolean;
}

/** What every command knows without defining it. */
const help: FlagWords = { names: ['--help', '-h'], describe: 'Show help', takesValue: false, choices: [] };

/** The words of every command of the registry; loads what defines them, not what runs them. */
export function wordsOf(entries: readonly CommandEntry[]): readonly CommandWords[] {
  return entries.map((entry) => {
    const name = entry.command.split(' ')[0] ?? '';
    const { flags, words } = definitions(entry);
    return { name, describe: entry.describe, flags: [...flags, help], words, takesPaths: entry.takesWords === true && words.length === 0 };
  });
}

/** Listens while a command defines itself. */
function definitions(entry: CommandEntry): { readonly flags: readonly FlagWords[]; readonly words: readonly string[] } {
  const createParser = require('yargs/yargs') as typeof import('yargs/yargs');
  const flags: FlagWords[] = [];
  const words: string[] = [];
  const parser: Argv = createParser([]).exitProcess(false);
  type DefineOption = (name: string | Record<string, Options>, options?: Options) => Argv;
  const option: DefineOption = parser.option.bind(parser);
  // `options` of yargs ends here too, once for each flag.
  parser.option = ((name: string | Record<string, Options>, options?: Options) => {
    if (typeof name === 'string') flags.push(flagOf(name, options ?? {}));
    return option(name, options);
  });
  parser.positional = (_name: string, { choices = [] }: PositionalOptions) => {
    words.push(...(choices as readonly unknown[]).map(String));
    return parser;
  };
  entry.load().define(parser);
  return { flags, words };
}

function flagOf(name: string, { alias = [], describe, type, choices }: Options): FlagWords {
  const setting = (settings as readonly Setting[]).find((each) => kebab(each.name) === name);
  const text = typeof describe === 'string' ? describe : '';
  return {
    // yargs takes `--no-` before every switch; it is offered where the description names it.
    names: [name, ...(typeof alias === 'string' ? [alias] : alias), ...(text.includes(`--no-${name}`) ? [`no-${name}`] : [])].map((each) => (each.length === 1 ? `-${each}` : `--${each}`)),
    describe: text,
    takesValue: type !== 'boolean',
    choices: ((choices ?? setting?.kind.choices ?? []) as readonly unknown[]).map(String),
  };
}
