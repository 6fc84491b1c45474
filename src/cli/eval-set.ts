import { existsSync, readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { conversationScenariosFromJson, evalCaseToJson, sessionInputFromJson } from '../evalset/parts';
import { readEvalSetFile } from '../evalset/reader';
import { scenarioCaseId } from '../evalset/scenario-id';
import type { ConversationScenario, EvalCase, SessionInput } from '../evalset/types';
import { readDocument } from '../support/document';
import { refusal } from '../support/errors';
import { checkPathSegment } from '../support/ids';
import { writeOutput } from './files';
import type { CliArguments, CliIo, CommandModule, ExitCode } from './types';

/** `jest-adk eval-set create | add-cases`: eval sets made of scenarios, as `adk eval_set` makes them. */
export const evalSetCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 eval-set create FILE [flags]\n$0 eval-set add-cases FILE --scenarios-file FILE [flags]\n\ncreate makes an eval set without cases; add-cases adds one for each scenario. A case has the id that google-adk gives it, and one that is there already is left out.')
      .option('id', { type: 'string', requiresArg: true, describe: 'create: id of the set (default: by the name of the file)' })
      .option('scenarios-file', { type: 'string', requiresArg: true, describe: 'add-cases: JSON file with { "scenarios": [...] }' })
      .option('session-input-file', { type: 'string', requiresArg: true, describe: 'add-cases: JSON file with the session input of all of them' })
      .example('$0 eval-set create evals/dinner.evalset.json', 'An empty set')
      .example('$0 eval-set add-cases evals/dinner.evalset.json --scenarios-file scenarios.json', 'A case for each scenario')
      .epilogue('Exit code: 0 done, 2 something was in the way.'),
  run: (args, io) => Promise.resolve(run(args, io)),
};

function run(args: CliArguments, io: CliIo): ExitCode {
  const [what, path, ...more] = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  if ((what !== 'create' && what !== 'add-cases') || path === undefined || more.length > 0) throw refusal('usage', 'It takes "create FILE" or "add-cases FILE".');
  const file = resolve(io.cwd, path);
  return what === 'create' ? create(file, args, io) : addCases(file, args, io);
}

function create(file: string, args: CliArguments, io: CliIo): ExitCode {
  const evalSetId = (args.id as string | undefined) ?? basename(file).replace(/(\.(test|evalset))?\.[^.]*$/, '');
  checkPathSegment(evalSetId, 'eval set id');
  writeOutput(file, `${JSON.stringify({ eval_set_id: evalSetId, name: evalSetId, eval_cases: [], creation_timestamp: Date.now() / 1000 }, null, 2)}\n`, false);
  io.stderr.write(`${relative(io.cwd, file)}: eval set ${JSON.stringify(evalSetId)}, without cases\n`);
  return 0;
}

function addCases(file: string, args: CliArguments, io: CliIo): ExitCode {
  if (args['scenarios-file'] === undefined) throw refusal('usage', 'add-cases needs --scenarios-file.');
  if (!existsSync(file)) throw refusal('path_not_found', `There is no eval set ${file}.`, 'Make it: jest-adk eval-set create FILE');
  const known = new Set(readEvalSetFile(file).value.evalCases.map(({ evalId }) => evalId));
  const sessionInput = args['session-input-file'] === undefined ? undefined : sessionOf(resolve(io.cwd, args['session-input-file'] as string));
  const added: EvalCase[] = [];
  for (const scenario of scenariosOf(resolve(io.cwd, args['scenarios-file'] as string))) {
    const evalId = scenarioCaseId(scenario);
    if (known.has(evalId)) {
      io.stderr.write(`case ${evalId} is there already: left out\n`);
      continue;
    }
    known.add(evalId);
    added.push({ evalId, conversationScenario: scenario, ...(sessionInput === undefined ? {} : { sessionInput }), creationTimestamp: Date.now() / 1000 });
  }
  if (file.endsWith('.toml')) throw refusal('usage', 'add-cases writes JSON files.', 'Convert the set first: jest-adk convert FILE --to json');
  const raw = JSON.parse(readFileSync(file, 'utf8')) as { readonly eval_cases?: readonly object[]; readonly evalCases?: readonly object[] };
  const name = raw.evalCases === undefined ? 'eval_cases' : 'evalCases';
  if (added.length > 0) writeOutput(file, `${JSON.stringify({ ...raw, [name]: [...(raw[name] ?? []), ...added.map((one) => evalCaseToJson(one))] }, null, 2)}\n`, true);
  io.stderr.write(`${relative(io.cwd, file)}: ${added.length} case${added.length === 1 ? '' : 's'} added\n`);
  return 0;
}

function scenariosOf(file: string): readonly ConversationScenario[] {
  return conversationScenariosFromJson(documentOf(file)).scenarios;
}

function sessionOf(file: string): SessionInput {
  return sessionInputFromJson(documentOf(file));
}

function documentOf(file: string): unknown {
  return readDocument(file).value;
}
