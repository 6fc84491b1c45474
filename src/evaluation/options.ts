/** Options of an evaluation, checked and completed: every problem at once. */
import { endpointProblem, isEndpoint } from '../judge/endpoint';
import { isLlm } from '../judge/source';
import type { PassPolicy } from '../results/model';
import type { Problem } from '../support/errors';
import { check, optionProblems, suggestion, type Checks } from '../support/option-checks';
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

const { callable, count, flag, list, milliseconds, object, oneOf, text, texts } = check;
const policies = ['mean', 'all', 'any', 'majority'];

const checks: Checks<EvaluateOptions> = {
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
  appDetails: (value) => (text(value) === undefined || object(value) === undefined ? undefined : 'must be an object with "agent_details", or the path of a file with one'),
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
  judge: checkModel,
  userModel: checkModel,
  environment: object,
  environmentModel: checkModel,
  allowUnlimitedTurns: flag,
  simulationSeed: (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number of at least 0'),
  onNotEvaluated: oneOf('fail', 'warn', 'ignore'),
  judgeConcurrency: count,
  maxJudgeCalls: count,
  judgeCache: (value) => (typeof value === 'boolean' || text(value) === undefined ? undefined : 'must be true, false or a folder'),
  modelPrices: checkPrices,
  signal: object,
};

/** Options that a single turn takes. */
export type TurnOptionName = 'agentName' | 'appName' | 'userId' | 'turnTimeoutMs' | 'extraPlugins' | 'runConfig' | 'services' | 'finalResponseFrom' | 'signal';

const { agentName, appName, userId, turnTimeoutMs: turnLimit, extraPlugins, runConfig, services, finalResponseFrom, signal } = checks;
const anything = (): undefined => undefined;

/** What `toRespondTo` takes: how the turn is asked, and what is expected of it. */
const turnChecks = {
  usingTools: list, trajectory: object, withResponse: anything, response: object, withState: object, state: object,
  agentName, appName, userId, turnTimeoutMs: turnLimit, extraPlugins, runConfig, services, finalResponseFrom, signal,
} satisfies Checks<Pick<EvaluateOptions, TurnOptionName>> & Record<string, unknown>;

/** What is wrong with the options of a single turn as they were written. */
export function turnOptionProblems(options: object): readonly Problem[] {
  return optionProblems(options, turnChecks);
}

/**
 * Checks options and fills in the defaults.
 *
 * @returns the values in force, and what is wrong: unknown names and values that are not legal, with the value seen
 */
export function checkOptions(options: EvaluateOptions): { readonly checked: CheckedOptions; readonly problems: readonly Problem[] } {
  const problems = optionProblems(options, checks);
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

function checkModel(value: unknown): string | undefined {
  if (isEndpoint(value)) return endpointProblem(value);
  return typeof value === 'function' || isLlm(value) || text(value) === undefined ? undefined : 'must be the name of a model, a BaseLlm, { baseUrl, model } or a function';
}

function checkPrices(value: unknown): string | undefined {
  const isPrice = (price: unknown): boolean => typeof price === 'number' && Number.isFinite(price) && price >= 0;
  const wrong = object(value) === undefined ? Object.entries(value as object).find(([, one]: [string, { input?: unknown; output?: unknown } | null]) => !isPrice(one?.input) || !isPrice(one?.output)) : undefined;
  return wrong === undefined ? object(value) : `must give "input" and "output" of ${JSON.stringify(wrong[0])} as US dollars per million tokens`;
}

function checkPolicy(value: unknown): string | undefined {
  const legal = 'must be "mean", "all", "any", "majority" or { passRate: a number above 0, at most 1 }';
  if (typeof value === 'string') return policies.includes(value) ? undefined : legal + suggestion(value, policies);
  const rate = (value as { passRate?: unknown } | null)?.passRate;
  return typeof rate === 'number' && rate > 0 && rate <= 1 ? undefined : legal;
}
