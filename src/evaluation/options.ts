/** Options of an evaluation, checked and completed: every problem at once. */
import type { PassPolicy } from '../results/model';
import type { Problem } from '../support/errors';
import { didYouMean, nearest } from '../support/nearest';
import { profileFor, type Profile } from '../support/profile';
import { defaultConcurrency, defaultNumRuns, defaultTurnTimeoutMs, type EvaluateOptions } from './types';

/** What the options come to. */
export interface CheckedOptions {
  readonly profile: Profile;
  readonly numRuns: number;
  readonly passPolicy: PassPolicy;
  readonly concurrency: number;
  readonly turnTimeoutMs: number;
  readonly caseTimeoutMs?: number;
}

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a non-empty text');
const callable: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const list: Check = (value) => (Array.isArray(value) ? undefined : 'must be a list');
const texts: Check = (value) => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : 'must be a list of texts');
const count: Check = (value) => (Number.isInteger(value) && (value as number) >= 1 ? undefined : 'must be a whole number of at least 1');
const milliseconds: Check = (value) => (typeof value === 'number' && value > 0 ? undefined : 'must be a number of milliseconds above 0');
const object: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'must be an object');
const oneOf = (...legal: readonly string[]): Check => (value) => (legal.includes(value as string) ? undefined : `must be one of ${legal.map((one) => `"${one}"`).join(', ')}${suggestion(value, legal)}`);

const policies = ['mean', 'all', 'any', 'majority'];

const checks: { readonly [K in keyof Required<EvaluateOptions>]: Check } = {
  numRuns: count,
  passPolicy: checkPolicy,
  compatibility: oneOf('google-adk'),
  only: (value) => texts(value) ?? ((value as readonly string[]).length === 0 ? 'selects no case; leave it out to run all' : undefined),
  configFilePath: text,
  config: object,
  initialSessionFile: text,
  concurrency: count,
  turnTimeoutMs: milliseconds,
  caseTimeoutMs: milliseconds,
  agentName: text,
  appName: text,
  userId: text,
  resultsDir: text,
  promptTemplateEngine: oneOf('string', 'jinja', 'eta'),
  modulePaths: texts,
  customMetrics: object,
  finalResponseFrom: text,
  nestedTools: flag,
  ignoreTools: texts,
  extraPlugins: list,
  runConfig: object,
  services: object,
  beforeTrial: callable,
  afterTrial: callable,
  exclusive: flag,
  signal: object,
};

const optionNames: readonly string[] = Object.keys(checks);

/**
 * Checks options and fills in the defaults.
 *
 * @returns the values in force, and what is wrong: unknown names and values that are not legal, with the value seen
 */
export function checkOptions(options: EvaluateOptions): { readonly checked: CheckedOptions; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const check = (checks as Readonly<Record<string, Check | undefined>>)[name];
    if (check === undefined) {
      problems.push({ code: 'unknown_option', message: `Unknown option "${name}".`, hint: didYouMean(name, optionNames) ?? `Options: ${optionNames.join(', ')}.` });
      continue;
    }
    const wrong = check(value);
    if (wrong !== undefined) problems.push({ code: 'bad_option', message: `The option "${name}" ${wrong}; got ${seen(value)}.` });
  }
  if (options.config !== undefined && options.configFilePath !== undefined) {
    problems.push({ code: 'bad_option', message: 'The options "config" and "configFilePath" name two configs.', hint: 'Give one of them.' });
  }
  const { numRuns = defaultNumRuns, passPolicy = 'mean', concurrency = defaultConcurrency, turnTimeoutMs = defaultTurnTimeoutMs, caseTimeoutMs } = options;
  const checked = {
    profile: profileFor(options.compatibility),
    numRuns,
    passPolicy,
    concurrency: options.exclusive === true ? 1 : concurrency,
    turnTimeoutMs,
    ...(caseTimeoutMs === undefined ? {} : { caseTimeoutMs }),
  };
  return { checked, problems };
}

function checkPolicy(value: unknown): string | undefined {
  const legal = 'must be "mean", "all", "any", "majority" or { passRate: a number above 0, at most 1 }';
  if (typeof value === 'string') return policies.includes(value) ? undefined : legal + suggestion(value, policies);
  const rate = (value as { passRate?: unknown } | null)?.passRate;
  return typeof rate === 'number' && rate > 0 && rate <= 1 ? undefined : legal;
}

function suggestion(value: unknown, legal: readonly string[]): string {
  const near = typeof value === 'string' ? nearest(value, legal) : undefined;
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}

function seen(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const shown = typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return shown === undefined ? String(value) : shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}
