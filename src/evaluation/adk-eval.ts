/** `adk eval` of google-adk 2.13 without its terminal: what it selects, runs, saves and ends with. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chooseConfig, defaultConfig } from '../config/find';
import type { ConfigChoice } from '../config/types';
import { isFile } from '../evalset/discover';
import { parseSelections, selectionConfigFile, type Selection } from '../evalset/selection';
import type { EvalCase, EvalSet, Loaded } from '../evalset/types';
import type { CaseResult } from '../results/model';
import { JestAdkError, refusal } from '../support/errors';
import { checkPathSegment } from '../support/ids';
import { googleAdkProfile as profile } from '../support/profile';
import type { Target } from '../target/types';
import { caseError, setProblems } from './case-checks';
import { Models, plannedJudgeCalls, withJudges } from './judges';
import { withUsers } from './simulators';
import { checkOptions } from './options';
import { defaultParts, type Planning, type PlanParts } from './parts';
import { metricsOf } from './plan';
import { prepareTarget } from './prepare';
import { Problems } from './problems';
import { startEvaluation } from './run';
import type { EvalPlan, Host, PlannedSet } from './types';

/** The arguments of `adk eval`. */
export interface AdkEvalRequest {
  readonly target: Target;
  /** Name of the agent's folder. */
  readonly appName: string;
  /** Folder of the agent's folder: set ids are looked up below it, results saved there. */
  readonly agentsDir: string;
  /** `file-or-id[:case1,case2]`, as typed; relative to the host's `rootDir`. */
  readonly sets: readonly string[];
  readonly configFilePath?: string;
}

/** How the command ends. */
export interface AdkEvalOutcome {
  /** 0 when at least one case ran and all passed. */
  readonly exitCode: 0 | 1;
  /** Cases by set id, as the summary counts them; undefined when none is printed. */
  readonly summary?: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
  /** What ended the command, with a message (`usage`) or uncaught. */
  readonly error?: { readonly kind: 'usage' | 'uncaught'; readonly cause: unknown };
}

/** Runs the command. Never rejects. */
export async function adkEval(request: AdkEvalRequest, host: Host, parts: PlanParts = defaultParts()): Promise<AdkEvalOutcome> {
  try {
    const plan = await planCommand(request, host, parts);
    const { sets } = await startEvaluation(plan, host).result;
    const cases = sets.flatMap((set) => set.cases);
    const summary = new Map(sets.map((set) => [set.evalSetId, { passed: set.cases.filter(hasPassed).length, failed: set.cases.filter((one) => !hasPassed(one)).length }]));
    return { exitCode: cases.length > 0 && cases.every(hasPassed) ? 0 : 1, summary };
  } catch (cause) {
    const usage = cause instanceof JestAdkError && cause.code === 'file_not_found' && cause.problems.some((problem) => problem.path === undefined);
    return { exitCode: 1, error: { kind: usage ? 'usage' : 'uncaught', cause } };
  }
}

/** The command counts by the status of the one trial, not by pooled means. */
function hasPassed({ trials }: CaseResult): boolean {
  return trials[0]?.status === 'passed';
}

async function planCommand(request: AdkEvalRequest, host: Host, parts: PlanParts): Promise<EvalPlan> {
  const { checked } = checkOptions({ compatibility: 'google-adk', numRuns: 1, passPolicy: 'all' });
  const selections = parseSelections(request.sets, profile);
  const configChoice = commandConfig(request, selections, host, parts);
  const problems = new Problems();
  const planning: Planning = { request: { target: request.target, evalSets: [...request.sets] }, options: {}, checked, host, parts, problems };
  const models = new Models({}, host);
  const metrics = await withJudges(planning, models, configChoice, await metricsOf(planning, configChoice, selections.map(({ path }) => path)), []);
  const first = selections[0];
  const byFile = first !== undefined && first.path !== '' && existsSync(resolve(host.rootDir, first.path));
  const seen = new Set<string>();
  const sets = selections.flatMap((selection): PlannedSet[] => {
    const loaded = byFile ? readFile(selection, host, parts, seen) : readById(selection, request, parts);
    const cases = casesOf(loaded.value, selection);
    return cases.length === 0 ? [] : [{ loaded, configChoice, appName: request.appName, cases, metrics, warnings: [] }];
  });
  const played = await Promise.all(sets.map(async (set) => ({ ...set, cases: await withUsers(planning, models, set) })));
  problems.throwIfAny();
  return { ...checked, sets: played, target: await prepareTarget(request.target, { appName: request.appName }), options: {}, resultsDir: request.agentsDir, ledger: models.ledger, judgeCalls: plannedJudgeCalls(sets, 1) };
}

function commandConfig({ configFilePath }: AdkEvalRequest, selections: readonly Selection[], host: Host, parts: PlanParts): ConfigChoice {
  const named = configFilePath === undefined || configFilePath === '' ? undefined : configFilePath;
  const file = named ?? selectionConfigFile(selections, (path) => existsSync(resolve(host.rootDir, path)));
  if (file === undefined) return { config: defaultConfig, reason: 'default' };
  return chooseConfig('', { explicit: resolve(host.rootDir, file), profile }, (path) => parts.readConfig(path, profile).value);
}

/** Files are copied into memory, where ids must be unique. */
function readFile({ path }: Selection, host: Host, parts: PlanParts, seen: Set<string>): Loaded<EvalSet> {
  const loaded = parts.readEvalSet(resolve(host.rootDir, path), { profile, given: path, legacyReader: 'eval_sets_manager' });
  const { evalSetId } = loaded.value;
  if (seen.has(evalSetId)) throw refusal('duplicate_set_id', `The eval set id "${evalSetId}" occurs in two files.`);
  seen.add(evalSetId);
  const { checked } = checkOptions({ compatibility: 'google-adk' });
  const repeated = setProblems(loaded, [], checked);
  if (repeated.length > 0) throw new JestAdkError('duplicate_case_id', repeated);
  return loaded;
}

/** A set beside the agent. It goes by the id that was typed, whatever its file says. */
function readById({ path: id }: Selection, { agentsDir, appName }: AdkEvalRequest, parts: PlanParts): Loaded<EvalSet> {
  checkPathSegment(id, 'eval set id');
  const file = join(agentsDir, appName, `${id}.evalset.json`);
  if (!isFile(file)) throw refusal('set_not_found', `There is no eval set "${id}": no file ${file}.`);
  const loaded = parts.readEvalSet(file, { profile, given: id, legacyReader: 'eval_sets_manager' });
  return { ...loaded, value: { ...loaded.value, evalSetId: id } };
}

/** Cases whose ids were named, or all. Cases of one id are run as they are and compared with the first of them. */
function casesOf(evalSet: EvalSet, { caseIds }: Selection): PlannedSet['cases'] {
  const wanted = evalSet.evalCases.filter(({ evalId }) => caseIds.length === 0 || caseIds.includes(evalId));
  const first = new Map<string, EvalCase>();
  for (const evalCase of evalSet.evalCases) if (!first.has(evalCase.evalId)) first.set(evalCase.evalId, evalCase);
  return wanted.map((evalCase) => {
    const error = caseError(evalCase, profile);
    const scoredAs = first.get(evalCase.evalId) ?? evalCase;
    return { evalCase, ...(error === undefined ? {} : { error }), ...(scoredAs === evalCase ? {} : { scoredAs }) };
  });
}
