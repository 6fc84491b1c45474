import { stringifyJson } from '../../support/json';
import type { CliArguments, CliIo, CommandModule, ExitCode } from '../types';
import type { Finding, Surroundings } from './types';

/** `jest-adk doctor`: what stands in the way of evaluations here, and what to do about it. */
export const doctorCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 doctor [TARGET] [flags]\n\nLooks at Node, Jest, the preset, copies of the SDK, keys and, when it is named, the agent: the URL of a server or the path of a module. No turn is taken, no key is printed.')
      .option('model', { type: 'string', requiresArg: true, describe: 'Model that will be asked, to check it against the location; repeatable' })
      .option('header', { type: 'string', requiresArg: true, describe: "HTTP header for the server, 'Name: Value'; repeatable" })
      .option('header-file', { type: 'string', requiresArg: true, describe: 'File with one header per line' })
      .option('env-file', { type: 'string', requiresArg: true, describe: 'File with environment variables; those that are set already win' })
      .option('json', { type: 'boolean', default: false, describe: 'Findings as JSON' })
      .example('$0 doctor', 'The project in the working directory')
      .example('$0 doctor http://127.0.0.1:8000', 'And a server')
      .example('$0 doctor ./agent.ts --model gemini-3-pro-preview', 'And an agent, and a model')
      .epilogue('Exit code: 0 nothing in the way, 1 a problem was found, 2 it could not be checked.'),
  repeatable: ['header', 'model'],
  run: examine,
};

async function examine(args: CliArguments, io: CliIo): Promise<ExitCode> {
  const { refusal } = require('../../support/errors') as typeof import('../../support/errors');
  const { looksLikeUrl } = require('../../target/http/base-url') as typeof import('../../target/http/base-url');
  const [target, ...more] = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  if (more.length > 0) throw refusal('usage', `doctor takes one TARGET; got ${JSON.stringify(more[0])}, too.`);
  const given = args.model as string | readonly string[] | undefined;
  const models = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  if (args['env-file'] !== undefined) (require('../env-file') as typeof import('../env-file')).applyEnvFile(args['env-file'] as string, io);
  const { headersOf } = require('../headers') as typeof import('../headers');
  const findings = await examineAll({ cwd: io.cwd, env: io.env, target, models, headers: headersOf(args, io) });
  if (args.json === true) io.stdout.write(`${stringifyJson({ findings })}\n`);
  else for (const finding of findings) io.stdout.write(`${lineOf(finding)}\n`);
  const count = (status: Finding['status']): number => findings.filter((finding) => finding.status === status).length;
  io.stderr.write(`${count('problem')} problem${count('problem') === 1 ? '' : 's'}, ${count('warning')} warning${count('warning') === 1 ? '' : 's'}${target !== undefined && looksLikeUrl(target) ? '; nothing was sent but GET /list-apps' : ''}\n`);
  return count('problem') > 0 ? 1 : 0;
}

async function examineAll(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { checkPackages } = require('./packages') as typeof import('./packages');
  const { checkPreset } = require('./preset') as typeof import('./preset');
  const { checkCredentials } = require('./credentials') as typeof import('./credentials');
  const { checkTarget } = require('./target') as typeof import('./target');
  const [preset, target] = await Promise.all([checkPreset(surroundings), checkTarget(surroundings)]);
  const models = [...new Set([...surroundings.models, ...target.models])];
  return [...checkPackages(surroundings), ...preset, ...(await checkSettings(surroundings)), ...checkCredentials({ ...surroundings, models }), ...target.findings];
}

/** Whether the file with the command's settings, if there is one, can be read. */
async function checkSettings({ cwd, env }: Surroundings): Promise<readonly Finding[]> {
  const { readSettings } = require('../eval/settings') as typeof import('../eval/settings');
  const silent = { write: () => undefined };
  const { problems } = await readSettings({}, { cwd, env, stdout: silent, stderr: silent }, () => ({ target: '-', paths: ['-'] }));
  return problems.map(({ message, hint, file }) => ({ check: 'settings', status: 'problem', message: file === undefined ? message : `${file}: ${message}`, advice: hint ?? 'Correct it; npx jest-adk eval --help lists the settings.' }));
}

const marks = { ok: '✓', note: '·', warning: '!', problem: '✗' } as const;

function lineOf({ check, status, message, advice }: Finding): string {
  return `${marks[status]} ${check}: ${message}${advice === undefined ? '' : `\n    ${advice}`}`;
}
