import { resolve } from 'node:path';
import type { JudgeCheck } from '../evaluation/judge-check';
import { modelOfFlags } from './model-flags';
import { sharedController } from '../support/signals';
import type { CliArguments, CliIo, CommandModule, ExitCode } from './types';

/** `jest-adk judge-check`: how far a judge agrees with people. */
export const judgeCheckCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage(
        '$0 judge-check FILE [flags]\n\nRuns a judge over examples that people have labelled, and tells accuracy, Cohen\'s kappa, a confusion table and how often its samples disagree.\nFILE is JSON or TOML: { "metric": "final_response_match_v2", "criterion": {}, "examples": [{ "user": "…", "response": "…", "reference": "…", "label": "valid" }] }; with rubrics "labels": { "ID": "yes" }.',
      )
      .option('judge-model', { type: 'string', requiresArg: true, describe: 'Model that judges, in place of the one that the criterion names' })
      .option('min-accuracy', { type: 'string', requiresArg: true, describe: 'Share of verdicts, from 0 to 1, that must agree' })
      .option('env-file', { type: 'string', requiresArg: true, describe: 'File with environment variables; those that are set already win' })
      .option('judge-url', { type: 'string', requiresArg: true, describe: "Address that speaks OpenAI's chat completions, where that model is asked" })
      .option('judge-key-env', { type: 'string', requiresArg: true, describe: 'Variable of the environment with the key for --judge-url' })
      .option('json', { type: 'boolean', default: false, describe: 'Figures as JSON' })
      .example('$0 judge-check labelled.json', 'The judge of the criterion')
      .example('$0 judge-check labelled.json --judge-model gemini-2.5-pro --min-accuracy 0.9', 'Another one, as a check in CI')
      .epilogue('Exit code: 0 done, 1 below --min-accuracy, 2 the judge did not answer, or it could not be checked.'),
  run: check,
};

async function check(args: CliArguments, io: CliIo): Promise<ExitCode> {
  const { checkJudge, readLabelled } = require('../evaluation/judge-check') as typeof import('../evaluation/judge-check');
  const { createNodeLoader } = require('../target/module-loader') as typeof import('../target/module-loader');
  const { sendSdkLogsToStderr } = require('../target/adk-copy') as typeof import('../target/adk-copy');
  const { refusal } = require('../support/errors') as typeof import('../support/errors');
  const [file, ...more] = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  if (file === undefined || more.length > 0) throw refusal('usage', 'FILE is required: name one file of labelled examples.');
  const least = args['min-accuracy'] === undefined ? 0 : Number(args['min-accuracy']);
  if (!(least >= 0 && least <= 1)) throw refusal('usage', `--min-accuracy takes a share from 0 to 1; got ${JSON.stringify(args['min-accuracy'])}.`);
  if (args['env-file'] !== undefined) (require('./env-file') as typeof import('./env-file')).applyEnvFile(args['env-file'] as string, io);
  sendSdkLogsToStderr();
  const judge = modelOfFlags({ model: args['judge-model'] as string | undefined, url: args['judge-url'] as string | undefined, keyEnv: args['judge-key-env'] as string | undefined }, { model: '--judge-model', url: '--judge-url', keyEnv: '--judge-key-env' });
  const host = { rootDir: io.cwd, callerDir: io.cwd, loader: createNodeLoader(), listeners: [] };
  const result = await checkJudge(readLabelled(resolve(io.cwd, file)), judge, host, sharedController().signal);
  if (args.json === true) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else for (const line of linesOf(result)) io.stdout.write(`${line}\n`);
  for (const { id, reason } of result.unanswered) io.stderr.write(`no verdict on ${id}: ${reason}\n`);
  if (result.agreement === undefined || result.unanswered.length > 0) return 2;
  return result.agreement.accuracy < least ? 1 : 0;
}

function linesOf({ metric, model, agreement, flips, flipRate, differences }: JudgeCheck): readonly string[] {
  if (agreement === undefined) return [`${metric} by ${model}: no verdict`];
  const words = Object.keys(agreement.confusion);
  return [
    `${metric} by ${model}: ${agreement.count} verdicts`,
    `accuracy ${agreement.accuracy.toFixed(3)}, Cohen's kappa ${agreement.kappa === null ? 'not defined' : agreement.kappa.toFixed(3)}`,
    `samples disagreed on ${flips} verdict${flips === 1 ? '' : 's'} (${(flipRate * 100).toFixed(1)} %)`,
    `${'people \\ judge'.padEnd(16)}${words.map((word) => word.padStart(6)).join('')}`,
    ...words.map((word) => `${word.padEnd(16)}${words.map((other) => String(agreement.confusion[word]?.[other] ?? 0).padStart(6)).join('')}`),
    ...differences.map(({ id, rubricId, expected, actual, why }) => `differs: ${id}${rubricId === undefined ? '' : ` (${rubricId})`}: people ${expected}, judge ${actual}${why === undefined ? '' : ` — ${why}`}`),
  ];
}
