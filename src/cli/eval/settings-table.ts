/** Every setting of `jest-adk eval`: one entry makes the flag, the key in a config file and the environment variable. */
import { defaultConcurrency, defaultNumRuns } from '../../evaluation/types';
import { defaultModelConcurrency } from '../../judge/limit';
import { choice, fileOrObject, fraction, list, model, number, object, policy, text, whole, type Kind } from './kinds';

/** One setting. */
export interface Setting {
  /** Key in a config file; the flag is the same in kebab-case, the variable `JEST_ADK_` and the same in capitals. */
  readonly name: string;
  readonly kind: Kind;
  readonly describe: string;
  readonly default?: unknown;
  /** Shown as set or not set, never with its value. */
  readonly secret?: boolean;
  readonly alias?: string;
  /** No text can say it: only a config file can. */
  readonly configOnly?: true;
  /** What the value is called in `--help`. */
  readonly group: 'Agent' | 'Cases' | 'Run' | 'Output';
}

const flag: Kind = { type: 'boolean', wanted: 'true or false', parse: (value) => (typeof value === 'boolean' ? value : value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : undefined) };

/** In the order of `--help`. */
export const settings = [
  { name: 'appName', kind: text(), describe: 'App to evaluate; without it the only one that the server lists', group: 'Agent' },
  { name: 'header', kind: list(text()), describe: "HTTP header sent with every request, 'Name: Value'; repeatable", secret: true, group: 'Agent' },
  { name: 'headerFile', kind: text(), describe: 'File with one header per line', group: 'Agent' },
  { name: 'userId', kind: text(), default: 'eval_user', describe: 'User of cases that name none', group: 'Agent' },
  { name: 'appDetails', kind: fileOrObject, describe: "JSON or TOML file with the instructions and tools of the agents (ADK's AppDetails), for judges, where the agent does not tell them", group: 'Agent' },
  { name: 'timeout', kind: number('seconds, above 0', (value) => value > 0), default: 300, describe: 'Seconds that a request, or a turn of a local agent, may take in all', group: 'Agent' },
  { name: 'retries', kind: whole(0), default: 2, describe: 'Further attempts to list apps and make sessions after 429, 503 and refused connections; a turn is sent once', group: 'Agent' },
  { name: 'stream', kind: flag, default: false, describe: 'Ask for a stream of events (/run_sse)', group: 'Agent' },
  { name: 'keepSessions', kind: flag, default: false, describe: 'Do not delete the sessions that were made', group: 'Agent' },
  { name: 'envFile', kind: text(), describe: 'File with environment variables; those that are set already win', group: 'Agent' },
  { name: 'configFilePath', kind: text(), describe: 'One config for all eval sets; the ones beside them are not looked at', group: 'Cases' },
  { name: 'only', kind: list(text()), describe: 'Id of a case to run; repeatable', group: 'Cases' },
  { name: 'tag', kind: list(text()), describe: 'Run the cases whose "tags" have this one; repeatable', group: 'Cases' },
  { name: 'shard', kind: fraction, describe: 'Run the I-th of N equal parts of the cases, e.g. 1/3', group: 'Cases' },
  { name: 'promptTemplateEngine', kind: choice('string', 'jinja', 'eta'), default: 'string', describe: 'Engine of <prompt:FILE> markers; templates of eta are code', group: 'Cases' },
  { name: 'modulePath', kind: list(text()), alias: 'pythonpath', describe: 'Folder in which custom metrics are looked up, before the working directory; repeatable', group: 'Cases' },
  { name: 'numRuns', kind: whole(1), default: defaultNumRuns, describe: 'Trials of each case', group: 'Run' },
  { name: 'parallelism', kind: whole(1), default: defaultConcurrency, describe: 'Trials under way at once', group: 'Run' },
  { name: 'passPolicy', kind: policy, default: 'all', describe: 'When a case passes: all, any, majority or mean, or a pass rate such as 0.9', group: 'Run' },
  { name: 'failFast', kind: flag, default: false, describe: 'Start nothing more once a case has not passed', group: 'Run' },
  { name: 'compat', kind: choice('google-adk'), describe: "Figures and silences of google-adk's evaluation", group: 'Run' },
  { name: 'onNotEvaluated', kind: choice('fail', 'warn', 'ignore'), describe: 'What a metric that had nothing to judge does to its case; without it those with a judge fail it', group: 'Run' },
  { name: 'judgeModel', kind: model, describe: 'Model that judges, in place of those that the criteria name', group: 'Run' },
  { name: 'judgeUrl', kind: text(), describe: "Address that speaks OpenAI's chat completions, in front of /chat/completions, where the model of --judge-model is asked", group: 'Run' },
  { name: 'judgeKeyEnv', kind: text(), describe: 'Variable of the environment with the key for --judge-url', group: 'Run' },
  { name: 'userModel', kind: model, describe: 'Model that plays the user of cases with a scenario', group: 'Run' },
  { name: 'environmentModel', kind: model, describe: 'Model that answers for simulated tools', group: 'Run' },
  { name: 'simulationSeed', kind: whole(0), describe: 'Whole number from which simulated users and tools get their seeds', group: 'Run' },
  { name: 'judgeConcurrency', kind: whole(1), default: defaultModelConcurrency, describe: 'Requests to one judging model at once', group: 'Run' },
  { name: 'maxJudgeCalls', kind: whole(1), describe: 'Requests that judges may be sent; a plan that may need more is refused', group: 'Run' },
  { name: 'judgeCache', kind: flag, default: false, describe: 'Keep answers of judges in .adk/judge_cache, and do not ask twice', group: 'Run' },
  { name: 'modelPrices', kind: object, configOnly: true, describe: 'US dollars per million tokens, { model: { input, output } }', group: 'Run' },
  { name: 'dryRun', kind: flag, default: false, describe: 'Check everything, print the plan, contact nobody', group: 'Run' },
  { name: 'resultsDir', kind: text(), default: '.', describe: 'Results are saved in <dir>/<app>/.adk/eval_history', group: 'Output' },
  { name: 'outputFormat', kind: choice('pretty', 'json', 'ndjson'), default: 'pretty', describe: 'What stdout, or the file of --output, gets', group: 'Output' },
  { name: 'output', kind: text(), describe: 'File for the report, in place of stdout', group: 'Output' },
  { name: 'printDetailedResults', kind: flag, default: false, describe: 'Every case and metric, expected and actual, passed ones too', group: 'Output' },
  { name: 'quiet', kind: flag, default: false, describe: 'No progress and no summary on stderr; failures and errors are told', group: 'Output' },
  { name: 'color', kind: flag, describe: 'Colours, whatever the terminal is (--no-color: none)', group: 'Output' },
  { name: 'printConfig', kind: flag, default: false, describe: 'Print every setting and where it comes from, and end', group: 'Output' },
] as const satisfies readonly Setting[];

/** Name of a setting. */
export type SettingName = (typeof settings)[number]['name'];

/** `numRuns` as a flag. */
export function flagOf(name: string): string {
  return `--${kebab(name)}`;
}

/** `numRuns` as an environment variable. */
export function variableOf(name: string): string {
  return `JEST_ADK_${kebab(name).replaceAll('-', '_').toUpperCase()}`;
}

/** `numRuns` as yargs knows it. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
