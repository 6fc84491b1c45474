import type { EvaluateOptions } from '../evaluation/types';
import { formatProblem, type Problem } from '../support/errors';
import { stringifyJson } from '../support/json';
import type { CliArguments, CliIo, CommandModule, ExitCode } from './types';

/** `jest-adk validate`: what `eval` would refuse, without an agent. */
export const validateCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 validate PATH... [flags]\n\nChecks eval sets, their configs, metrics and prompt files as `eval` would, and configs by themselves. PATH is a file or a folder.')
      .option('format', { choices: ['pretty', 'json', 'github'], default: 'pretty', describe: 'How findings are printed; github: as annotations of a workflow' })
      .option('module-path', { alias: 'pythonpath', type: 'string', requiresArg: true, describe: 'Folder in which custom metrics are looked up, before the working directory; repeatable' })
      .option('config-file-path', { type: 'string', requiresArg: true, describe: 'One config for all eval sets' })
      .option('prompt-template-engine', { choices: ['string', 'jinja', 'eta'], default: 'string', describe: 'Engine of <prompt:FILE> markers' })
      .option('strict', { type: 'boolean', default: false, describe: 'Warnings count as problems' })
      .example('$0 validate evals', 'Everything below a folder')
      .example('$0 validate evals --format github', 'In a GitHub workflow')
      .epilogue('Exit code: 0 nothing found, 1 problems found, 2 it could not be checked.'),
  repeatable: ['module-path'],
  run: validateAll,
};

async function validateAll(args: CliArguments, io: CliIo): Promise<ExitCode> {
  const { validate } = require('../evaluation/validate') as typeof import('../evaluation/validate');
  const { createNodeLoader } = require('../target/module-loader') as typeof import('../target/module-loader');
  const { refusal } = require('../support/errors') as typeof import('../support/errors');
  const { conflicts } = require('./eval/conflicts') as typeof import('./eval/conflicts');
  const paths = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  if (paths.length === 0) throw refusal('usage', 'PATH is required: name at least one file or folder.');
  const host = { rootDir: io.cwd, callerDir: io.cwd, loader: createNodeLoader(), listeners: [] };
  const { problems, warnings, checked } = await validate(paths, optionsOf(args), host, conflicts);
  print(args.format as string, problems, warnings, io);
  io.stderr.write(`${checked} checked: ${problems.length} problem${problems.length === 1 ? '' : 's'}, ${warnings.length} warning${warnings.length === 1 ? '' : 's'}\n`);
  return problems.length > 0 || (args.strict === true && warnings.length > 0) ? 1 : 0;
}

function optionsOf(args: CliArguments): EvaluateOptions {
  const paths = args['module-path'] as string | readonly string[] | undefined;
  return {
    promptTemplateEngine: args['prompt-template-engine'] as 'string' | 'jinja' | 'eta',
    ...(paths === undefined ? {} : { modulePaths: typeof paths === 'string' ? [paths] : paths }),
    ...(args['config-file-path'] === undefined ? {} : { configFilePath: args['config-file-path'] as string }),
  };
}

function print(format: string, problems: readonly Problem[], warnings: readonly Problem[], { stdout, cwd }: CliIo): void {
  if (format === 'json') stdout.write(`${stringifyJson({ problems, warnings })}\n`);
  else if (format === 'github') for (const [kind, found] of [['error', problems], ['warning', warnings]] as const) found.forEach((problem) => stdout.write(`${annotation(kind, problem, cwd)}\n`));
  else {
    for (const problem of problems) stdout.write(`${formatProblem(problem)}\n`);
    for (const warning of warnings) stdout.write(`warning: ${formatProblem(warning)}\n`);
  }
}

/** A workflow command: `::error file=…,line=…,col=…::text`, escaped as the runner reads it. */
function annotation(kind: 'error' | 'warning', { file, line, column, message, hint }: Problem, cwd: string): string {
  const { relative } = require('node:path') as typeof import('node:path');
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const where = [file === undefined ? '' : `file=${property(relative(cwd, file))}`, line === undefined ? '' : `line=${line}`, column === undefined ? '' : `col=${column}`].filter((part) => part !== '').join(',');
  return `::${kind}${where === '' ? '' : ` ${where}`}::${data(hint === undefined ? message : `${message} ${hint}`)}`;
}
