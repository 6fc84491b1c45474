/** `jest-adk eval`: reads the settings, calls the core, prints, and maps the outcome to an exit code. */
import type { Argv, Options } from 'yargs';
import type { CommandModule } from '../types';
import { kebab, settings, type Setting } from './settings-table';

/** Scores an agent behind a URL, or a local module. */
export const evalCommand: CommandModule = {
  define,
  repeatable: repeatableFlags(),
  mayBeEmpty: ['app-name'],
  run: (args, io) => (require('./run') as typeof import('./run')).runEval(args, io),
};

/** The flags of the settings, which `eval` and `eval-all` share. */
export function settingFlags(): Record<string, Options> {
  return Object.fromEntries((settings as readonly Setting[]).filter(({ configOnly }) => configOnly !== true).map((setting) => [kebab(setting.name), optionOf(setting)]));
}

/** Those of them that are lists. */
export function repeatableFlags(): readonly string[] {
  return (settings as readonly Setting[]).filter(({ kind }) => kind.type === 'list').map(({ name }) => kebab(name));
}

/** What a verdict comes to, and where settings come from. */
export const closingWords = 'Exit code: 0 all cases passed, 1 a case did not, 2 anything was in the way, 130/143 interrupted.\nSettings also come from jest-adk.config.{js,ts,json}, the key "jest-adk" of package.json, and JEST_ADK_* variables.';

function define(yargs: Argv): Argv {
  return yargs
    .usage('$0 eval TARGET EVAL_SET_PATH...\n\nScores an agent with eval sets. TARGET is the URL of an `adk api_server` (or of anything that answers like one), or the path of a module that exports an agent.\nEVAL_SET_PATH is a file, a folder, or FILE:CASE,CASE.')
    .options(settingFlags())
    .example('$0 eval http://127.0.0.1:8000 tests/evals/ --app-name my_agent', 'Every eval set below a folder')
    .example('$0 eval ./agent.ts evals/home.test.json:dim_bedroom --num-runs 5', 'One case of a local agent, five times')
    .example("$0 eval https://agent.example.com evals --header 'Authorization: Bearer ...'", 'With a header')
    .example('$0 eval https://agent.example.com evals --shard 1/3 --output-format json --output report.json', 'A third of the cases, report as JSON')
    .epilogue(closingWords);
}

function optionOf({ kind, describe, default: value, alias, group }: Setting): Options {
  const text = value === undefined || value === false ? describe : `${describe} (default: ${String(value)})`;
  return {
    describe: text,
    group: `${group}:`,
    ...(kind.type === 'boolean' ? { type: 'boolean' } : { type: 'string', requiresArg: true }),
    ...(alias === undefined ? {} : { alias }),
  };
}
