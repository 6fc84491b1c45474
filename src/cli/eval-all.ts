import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../support/errors';
import { closingWords, repeatableFlags, settingFlags } from './eval/command';
import { wordsAfterCommand, type Words } from './eval/settings';
import type { CommandModule } from './types';

/** Where agent-starter-pack keeps eval sets, with their config one level up. */
const usualFolder = 'tests/eval/evalsets';

/** Where an agent is looked for when none is named, without the extension. */
const agentPlaces = ['app/agent', 'app/index', 'src/agent', 'agent'];

const usualAgents = agentPlaces.flatMap((path) => ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${path}.${extension}`));

/** `jest-adk eval-all`: `eval` for every eval set of a folder, each with its own config. */
export const evalAllCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage(
        `$0 eval-all [DIR] [flags]\n\nScores an agent with every eval set below a folder, each with the config that belongs to it. DIR is ${usualFolder} unless given, with eval_config.json beside that folder,\nas agent-starter-pack lays them out. All of \`eval\`'s flags work.`,
      )
      .options(settingFlags())
      .option('target', { type: 'string', requiresArg: true, group: 'Agent:', describe: 'URL of a server, or path of a module that exports an agent (default: app/agent, src/agent or agent)' })
      .option('bail', { type: 'boolean', group: 'Run:', describe: 'Stop at the first failure, as --fail-fast' })
      .example('$0 eval-all', 'The folder and the agent where they usually are')
      .example('$0 eval-all evals --target http://127.0.0.1:8000 --bail', 'Another folder and a server')
      .epilogue(closingWords),
  repeatable: repeatableFlags(),
  mayBeEmpty: ['app-name'],
  run(args, io) {
    const { runEval } = require('./eval/run') as typeof import('./eval/run');
    return runEval(args.bail === undefined ? args : { ...args, 'fail-fast': args['fail-fast'] ?? args.bail }, io, wordsOf);
  },
};

const wordsOf: Words = (args, { cwd, env }, file) => {
  const problems: Problem[] = [];
  const refuse = (message: string, hint: string): void => void problems.push({ code: 'usage', message, hint });
  const [folder, ...more] = wordsAfterCommand(args);
  const target = args.target ?? (env['JEST_ADK_TARGET'] || undefined) ?? file.target ?? usualAgents.find((path) => existsSync(join(cwd, path)));
  const paths = folder ?? file.evalSets ?? usualFolder;
  if (more.length > 0) refuse(`eval-all takes one folder; got ${JSON.stringify(more[0])}, too.`, 'For several paths use eval.');
  if (target === undefined) refuse(`No agent was named, and there is none at ${agentPlaces.join(', ')} (.ts, .js and the like).`, 'Name it: --target ./path/of/agent.ts, or --target https://…');
  if (paths === usualFolder && !existsSync(join(cwd, usualFolder))) refuse(`There is no folder ${usualFolder}.`, 'Name the folder of the eval sets: jest-adk eval-all DIR');
  return { target, paths, problems };
};
