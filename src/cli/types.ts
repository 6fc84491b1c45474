import type { Argv } from 'yargs';

/** The process as a command sees it; stand-ins in tests. */
export interface CliIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results only. */
  readonly stdout: CliStream;
  /** Progress, warnings, errors. */
  readonly stderr: CliStream;
}

/** Where a command writes. */
export interface CliStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** 0: passed. 1: a verdict failed, or a check found something. 2: anything in the way. 130, 143: interrupted. */
export type ExitCode = 0 | 1 | 2 | 130 | 143;

/** Flags and arguments of a call as yargs read them; each command checks its own further. */
export type CliArguments = Readonly<Record<string, unknown>>;

/** What a command's own file exports. */
export interface CommandModule {
  /** Adds the command's arguments and flags. Loads nothing. */
  define(yargs: Argv): Argv;
  /** Flags that may be given several times. */
  readonly repeatable?: readonly string[];
  /** Flags whose empty value counts as none. */
  readonly mayBeEmpty?: readonly string[];
  /** Does it. What it throws is printed to stderr, without stack, and ends with 2. */
  run(args: CliArguments, io: CliIo): Promise<ExitCode>;
}

/** One line of the registry: enough for `--help`, without loading the command. */
export interface CommandEntry {
  /** In yargs's words, e.g. `eval <target> <paths..>`. */
  readonly command: string;
  readonly describe: string;
  /** Words after the command are its arguments, in `args._`; elsewhere they are a mistake. */
  readonly takesWords?: true;
  load(): CommandModule;
}
