import type { Argv } from 'yargs';
import type { CliArguments, CliIo, CommandEntry, CommandModule, ExitCode } from '../types';

const shells = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shells)[number];

/**
 * `jest-adk completion`: a script for a shell. It has all words in it, so that pressing Tab starts nothing.
 *
 * @param commands  the registry, which hands itself in
 */
export function completionCommand(commands: readonly CommandEntry[]): CommandModule {
  return { define, run: (args, io) => Promise.resolve(print(commands, args, io)) };
}

function define(yargs: Argv): Argv {
  return yargs
    .usage('$0 completion [bash|zsh|fish]\n\nPrints a script that completes commands, flags and their values. Without a name it is for the shell of $SHELL. Print it anew after an update of jest-adk.')
    .positional('shell', { choices: shells, describe: 'The shell (default: that of $SHELL)' })
    .example('$0 completion bash', 'In ~/.bashrc: eval "$(npx jest-adk completion bash)"')
    .example('$0 completion zsh', 'In ~/.zshrc, below compinit: eval "$(npx jest-adk completion zsh)"')
    .example('$0 completion fish > ~/.config/fish/completions/jest-adk.fish', 'For fish');
}

function print(commands: readonly CommandEntry[], args: CliArguments, { env, stdout }: CliIo): ExitCode {
  const { wordsOf } = require('./words') as typeof import('./words');
  stdout.write(scripts[(args.shell as Shell | undefined) ?? usualShell(env.SHELL)]()(wordsOf(commands)));
  return 0;
}

const scripts = {
  bash: () => (require('./bash') as typeof import('./bash')).bashScript,
  zsh: () => (require('./zsh') as typeof import('./zsh')).zshScript,
  fish: () => (require('./fish') as typeof import('./fish')).fishScript,
};

function usualShell(path = ''): Shell {
  const found = shells.find((shell) => new RegExp(`(^|[/\\\\])${shell}(\\.exe)?$`).test(path));
  if (found !== undefined) return found;
  const { refusal } = require('../../support/errors') as typeof import('../../support/errors');
  throw refusal('usage', `The shell is not known: $SHELL is ${path === '' ? 'not set' : JSON.stringify(path)}.`, `Name it: jest-adk completion ${shells.join(' | ')}`);
}
