import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { EvalSet } from '../evalset/types';
import type { ExportedSession } from '../session/load';
import { JestAdkError, refusal, type Problem } from '../support/errors';
import { writeOutput } from './files';
import type { CliArguments, CliIo, CommandModule, ExitCode } from './types';

/** `jest-adk capture`: a session becomes an eval case. */
export const captureCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 capture SESSION.json -o FILE [flags]\n$0 capture --url URL --app-name APP --user-id USER --session-id ID -o FILE [flags]\n\nMakes an eval case of an exported session, or of one on a server: its state, tool calls and answers become what is expected.')
      .option('output', { alias: 'o', type: 'string', requiresArg: true, describe: 'Eval set to write, JSON or TOML by its name (default: JSON on stdout)' })
      .option('eval-id', { type: 'string', requiresArg: true, describe: 'Id of the case (default: id of the session)' })
      .option('set-id', { type: 'string', requiresArg: true, describe: 'Id of the eval set (default: by the name of the file)' })
      .option('append', { type: 'boolean', default: false, describe: 'Add the case to the eval set that is there' })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite the file' })
      .option('url', { type: 'string', requiresArg: true, describe: 'Server that has the session' })
      .option('app-name', { type: 'string', requiresArg: true, describe: 'App of the session on the server' })
      .option('user-id', { type: 'string', requiresArg: true, describe: 'User of the session on the server' })
      .option('session-id', { type: 'string', requiresArg: true, describe: 'The session on the server' })
      .option('header', { type: 'string', requiresArg: true, describe: "HTTP header, 'Name: Value'; repeatable" })
      .option('header-file', { type: 'string', requiresArg: true, describe: 'File with one header per line' })
      .option('env-file', { type: 'string', requiresArg: true, describe: 'File with environment variables, such as JEST_ADK_HEADER; those that are set already win' })
      .example('$0 capture lamp.session.json -o evals/lamp.test.toml', 'From a file')
      .example('$0 capture --url http://127.0.0.1:8000 --app-name home --user-id user --session-id 4711 -o evals/lamp.test.json --append', 'From a server, into a set that is there'),
  repeatable: ['header'],
  run: capture,
};

/** What says something about a server alone. */
const serverFlags = ['app-name', 'user-id', 'session-id', 'header', 'header-file', 'env-file'] as const;

async function capture(args: CliArguments, io: CliIo): Promise<ExitCode> {
  refuseMixed(args);
  const { caseFromSession } = require('../session/capture') as typeof import('../session/capture');
  const { evalSetText } = require('../evalset/writer') as typeof import('../evalset/writer');
  const session = args.url === undefined ? fromFile(args, io) : await fromServer(args, io);
  const { evalCase, notes } = caseFromSession(session, (args['eval-id'] as string | undefined) ?? session.id);
  for (const note of notes) io.stderr.write(`${note}\n`);
  const output = args.output as string | undefined;
  const file = output === undefined ? undefined : resolve(io.cwd, output);
  const evalSetId = (args['set-id'] as string | undefined) ?? (file === undefined ? session.appName : basename(file).replace(/(\.(test|evalset))?\.[^.]*$/, ''));
  const made: EvalSet = { evalSetId, evalCases: [evalCase], creationTimestamp: evalCase.creationTimestamp };
  const value = JSON.parse(evalSetText(made)) as RawSet;
  if (file === undefined) io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  else {
    const appending = args.append === true && existsSync(file);
    writeOutput(file, textOf(file, appending ? appended(file, value) : value), appending || args.force === true);
    io.stderr.write(`${relative(io.cwd, file)}: case ${JSON.stringify(evalCase.evalId)}, ${evalCase.conversation?.length ?? 0} turns\n`);
  }
  return 0;
}

/** One session, in one place, into a format that can be read. */
function refuseMixed(args: CliArguments): void {
  const files = ((args._ ?? []) as readonly unknown[]).slice(1);
  const problems: Problem[] = [];
  const refuse = (message: string): void => void problems.push({ code: 'usage', message });
  if (args.url !== undefined && files.length > 0) refuse(`${JSON.stringify(String(files[0]))} and --url name two sessions.`);
  const ofServer = args.url === undefined ? serverFlags.filter((name) => args[name] !== undefined) : [];
  if (ofServer.length > 0) refuse(`${ofServer.map((name) => `--${name}`).join(', ')} belong${ofServer.length === 1 ? 's' : ''} to a session on a server, and there is no --url.`);
  if (args.output !== undefined && /\.ya?ml$/i.test(args.output as string)) refuse(`${args.output as string}: eval sets are read from JSON and TOML.`);
  if (problems.length > 0) throw new JestAdkError('usage', problems);
}

interface RawSet {
  readonly eval_cases?: readonly object[];
  readonly evalCases?: readonly object[];
}

function fromFile(args: CliArguments, { cwd }: CliIo): ExportedSession {
  const { loadSessionFromJson } = require('../session/load') as typeof import('../session/load');
  const [file, ...more] = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  if (file === undefined || more.length > 0) throw refusal('usage', 'Name one SESSION.json, or a session on a server by --url, --app-name, --user-id and --session-id.');
  return loadSessionFromJson(resolve(cwd, file));
}

async function fromServer(args: CliArguments, io: CliIo): Promise<ExportedSession> {
  const { fetchSession } = require('../session/fetch') as typeof import('../session/fetch');
  const missing = ['app-name', 'user-id', 'session-id'].filter((name) => args[name] === undefined);
  if (missing.length > 0) throw refusal('usage', `--url needs ${missing.map((name) => `--${name}`).join(', ')} as well.`);
  if (args['env-file'] !== undefined) (require('./env-file') as typeof import('./env-file')).applyEnvFile(args['env-file'] as string, io);
  const { headersOf } = require('./headers') as typeof import('./headers');
  return fetchSession({ url: args.url as string, headers: headersOf(args, io), env: io.env, appName: args['app-name'] as string, userId: args['user-id'] as string, sessionId: args['session-id'] as string });
}

/** The set that is there with the case at its end. */
function appended(file: string, made: RawSet): unknown {
  const { parseDocument } = require('../support/document') as typeof import('../support/document');
  const { readEvalSetText } = require('../evalset/reader') as typeof import('../evalset/reader');
  const { readTextFile } = require('../support/text') as typeof import('../support/text');
  const text = readTextFile(file);
  const { value } = readEvalSetText(text, file);
  const [evalCase] = made.eval_cases ?? [];
  const id = (evalCase as { eval_id?: string } | undefined)?.eval_id;
  if (value.evalCases.some(({ evalId }) => evalId === id)) throw refusal('duplicate_case_id', `${file} has a case ${JSON.stringify(id)} already.`, 'Give this one another id with --eval-id.');
  const there = parseDocument(text, file) as RawSet;
  if (Array.isArray(there)) throw refusal('legacy_format', `${file} is in an old format.`, 'Convert it first: jest-adk convert.');
  const key = there.evalCases === undefined ? 'eval_cases' : 'evalCases';
  return { ...there, [key]: [...(there[key] ?? []), evalCase] };
}

function textOf(file: string, value: unknown): string {
  if (!/\.toml$/i.test(file)) return `${(require('../support/json') as typeof import('../support/json')).stringifyJson(value)}\n`;
  return (require('../support/toml-writer') as typeof import('../support/toml-writer')).stringifyToml(value as Readonly<Record<string, unknown>>).text;
}
