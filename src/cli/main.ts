/** Reads the command line, calls the command, and maps what it came to to an exit code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { commands } from './commands';
import { definedFlags, flagProblems, impossibleFlags, withSuggestion, type DefinedFlags } from './flags';
import { runProcess } from './process';
import type { CliArguments, CliIo, CliStream, CommandEntry, CommandModule, ExitCode } from './types';

interface Call {
  readonly module: CommandModule;
  readonly args: CliArguments;
}

/** What the command line came to: a command to run, or a text to show. */
type Reading = { readonly call: Call } | { readonly help: string; readonly code: 0 | 2 } | { readonly problems: readonly string[]; readonly command: string };

/** Runs a command line, the process's own unless given, and ends the process, once everything that was written has gone out. */
export function start(argv: readonly string[] = process.argv.slice(2)): void {
  runProcess((io) => main(argv, io));
}

/**
 * Runs one command line.
 *
 * @returns the exit code; never rejects: what goes wrong is told on stderr and is a 2
 */
export async function main(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  try {
    const reading = readCommandLine(argv);
    if ('call' in reading) return await reading.call.module.run(reading.call.args, withoutSecrets(io));
    if ('help' in reading) {
      io.stdout.write(`${reading.help}\n`);
      return reading.code;
    }
    for (const problem of reading.problems) io.stderr.write(`${problem}\n`);
    io.stderr.write(`See: ${reading.command} --help\n`);
    return 2;
  } catch (thrown) {
    const { toErrorInfo } = require('../support/errors') as typeof import('../support/errors');
    io.stderr.write(`${toErrorInfo(thrown).message}\n`);
    return 2;
  }
}

/** Whatever a command prints, known secrets are not in it. */
function withoutSecrets(io: CliIo): CliIo {
  const clean = (stream: CliStream): CliStream => ({
    write: (text) => stream.write(redactKnown(text)),
    isTTY: stream.isTTY,
    columns: stream.columns,
  });
  return { ...io, stdout: clean(io.stdout), stderr: clean(io.stderr) };
}

function redactKnown(text: string): string {
  return (require('../support/secrets') as typeof import('../support/secrets')).redactKnown(text);
}

const scriptName = 'jest-adk';

function readCommandLine(argv: readonly string[]): Reading {
  const impossible = impossibleFlags(argv);
  if (impossible.length > 0) return { problems: impossible, command: scriptName };
  let chosen: { readonly entry: CommandEntry; readonly module: CommandModule; readonly flags: DefinedFlags; args?: CliArguments } | undefined;
  let failure: string | undefined;
  let printed = '';
  const createParser = require('yargs/yargs') as typeof import('yargs/yargs');
  const parser = createParser([...argv])
    .scriptName(scriptName)
    .usage('$0 <command>')
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .locale('en')
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, thrown) => {
      failure ??= message ?? thrown.message;
    })
    .help()
    .alias('h', 'help')
    .version(version());
  for (const entry of commands) {
    parser.command(
      entry.command,
      entry.describe,
      (yargs) => {
        const module = entry.load();
        const defined = module.define(yargs);
        chosen = { entry, module, flags: definedFlags(defined) };
        return defined;
      },
      (args) => {
        if (chosen !== undefined) chosen.args = args;
      },
    );
  }
  void parser.parse([...argv], (_error: unknown, _args: unknown, output: string) => {
    printed = output;
  });
  const command = chosen === undefined ? scriptName : `${scriptName} ${chosen.entry.command.split(' ')[0] ?? ''}`;
  if (failure !== undefined) return { problems: [failure], command };
  if (chosen?.args !== undefined) {
    const { module, entry, flags, args } = chosen;
    const wrong = flagProblems(argv, args, flags, { repeatable: module.repeatable ?? [], mayBeEmpty: module.mayBeEmpty ?? [], takesWords: entry.takesWords === true });
    return wrong.length > 0 ? { problems: wrong, command } : { call: { module, args } };
  }
  if (printed !== '') return { help: printed, code: 0 };
  return noCommand(argv, parser);
}

function noCommand(argv: readonly string[], parser: Argv): Reading {
  const given = argv[0] === '--' ? undefined : argv.find((word) => !word.startsWith('-'));
  if (given !== undefined) return { problems: [withSuggestion(`There is no command ${JSON.stringify(given)}.`, given, commands.map(({ command }) => command.split(' ')[0] ?? ''))], command: scriptName };
  if (argv.length > 0) return { problems: [`A command is missing before ${JSON.stringify(argv[0])}.`], command: scriptName };
  let help = '';
  parser.showHelp((text) => {
    help = text;
  });
  return { help, code: 2 };
}

function version(): string {
  return (JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8')) as { readonly version: string }).version;
}
