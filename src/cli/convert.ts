import { basename, dirname, join, relative, resolve } from 'node:path';
import type { FileFormat } from '../evalset/convert';
import { JestAdkError, refusal, type Problem } from '../support/errors';
import { readTextFile } from '../support/text';
import { writeOutput } from './files';
import type { CliArguments, CliIo, CommandModule, ExitCode } from './types';

/** `jest-adk convert`: eval sets in another format or spelling. */
export const convertCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 convert FILE... [flags]\n\nConverts eval sets: old formats and that of trpc-agent-go to the current one, JSON, TOML and YAML to each other, snake_case and camelCase. What cannot come along is told.')
      .option('to', { choices: ['json', 'toml', 'yaml'], describe: 'Format of the new file (default: by the name of --output, else that of the old one)' })
      .option('case', { choices: ['snake', 'camel'], default: 'snake', describe: 'Spelling of known keys; what belongs to you is never touched' })
      .option('output', { alias: 'o', type: 'string', requiresArg: true, describe: 'New file, for one FILE (default: stdout)' })
      .option('write', { alias: 'w', type: 'boolean', default: false, describe: 'Write each new file beside the old one, or over it where the name stays' })
      .option('check', { type: 'boolean', default: false, describe: 'Write nothing; exit with 1 when a file is not as it would be written' })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite files' })
      .example('$0 convert old.test.json -o new.test.toml', 'From an old format to TOML')
      .example('$0 convert evals/*.test.json --write --force', 'All of them in the current format, in place')
      .example('$0 convert evals/*.test.json --check', 'In CI'),
  run: (args, io) => Promise.resolve(convertAll(args, io)),
};

interface Job {
  readonly given: string;
  readonly file: string;
  readonly to: FileFormat;
  readonly target: string | undefined;
}

function convertAll(args: CliArguments, io: CliIo): ExitCode {
  const { convertEvalSet } = require('../evalset/convert') as typeof import('../evalset/convert');
  const keyCase = args.case as 'snake' | 'camel';
  const problems: Problem[] = [];
  const done = jobsOf(args, io.cwd).flatMap((job) => {
    try {
      return [{ job, converted: convertEvalSet(readTextFile(job.file), job.file, { to: job.to, keyCase }) }];
    } catch (thrown) {
      if (thrown instanceof JestAdkError) problems.push(...thrown.problems);
      else problems.push({ code: 'file_unreadable', message: `${job.given} could not be read: ${(thrown as Error).message}` });
      return [];
    }
  });
  // Nothing is written unless everything can be.
  if (problems.length > 0) throw new JestAdkError('convert', problems);
  let changed = 0;
  for (const { job, converted } of done) {
    const same = job.target === job.file && converted.unchanged;
    if (same) continue;
    for (const loss of converted.losses) io.stderr.write(`${job.given}: not carried over: ${loss}\n`);
    if (args.check === true) {
      io.stderr.write(`${job.given}: would be written anew${job.target === undefined || job.target === job.file ? '' : ` as ${relative(io.cwd, job.target)}`}\n`);
      changed += 1;
    } else if (job.target === undefined) io.stdout.write(converted.text);
    else {
      writeOutput(job.target, converted.text, args.force === true);
      io.stderr.write(`${job.given}: written as ${relative(io.cwd, job.target)}\n`);
    }
  }
  return changed > 0 ? 1 : 0;
}

function jobsOf(args: CliArguments, cwd: string): readonly Job[] {
  const { formatOf } = require('../evalset/convert') as typeof import('../evalset/convert');
  const files = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  const output = args.output as string | undefined;
  const beside = args.write === true || args.check === true;
  if (files.length === 0 || files.includes('')) throw refusal('usage', 'FILE is required: name at least one eval set.');
  if (output !== undefined && (files.length > 1 || beside)) throw refusal('usage', '--output is for one FILE, without --write and --check.');
  if (files.length > 1 && !beside) throw refusal('usage', 'Several files are converted with --write or --check.');
  return files.map((given) => {
    const file = resolve(cwd, given);
    const to = (args.to as FileFormat | undefined) ?? (output === undefined ? undefined : formatOf(output)) ?? formatOf(file) ?? 'json';
    return { given, file, to, target: output !== undefined ? resolve(cwd, output) : beside ? named(file, to) : undefined };
  });
}

/** `home.test.json` as `home.test.toml`; a name of the same format stays. */
function named(file: string, to: FileFormat): string {
  const { formatOf } = require('../evalset/convert') as typeof import('../evalset/convert');
  return formatOf(file) === to ? file : join(dirname(file), `${basename(file).replace(/\.[^.]*$/, '')}.${to}`);
}
