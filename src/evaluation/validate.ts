/** What would go wrong, or be pointless, in an evaluation: found without an agent. */
import { existsSync, statSync } from 'node:fs';
import { findEvalSets } from '../evalset/discover';
import { writtenTurns } from '../evalset/turns';
import type { EvalCase } from '../evalset/types';
import { checkModelName } from '../judge/source';
import { makeMetrics, type MadeMetric } from '../metrics/registry';
import { readDocument } from '../support/document';
import { JestAdkError, refusal, type Problem } from '../support/errors';
import { resolveFrom } from '../support/paths';
import { functionTarget } from '../target/function-target';
import { customMetricsOf } from './custom-metrics';
import { checkOptions } from './options';
import { defaultParts } from './parts';
import { planEvaluation } from './plan';
import { Problems } from './problems';
import type { EvaluateOptions, EvaluateRequest, Host, PlannedSet } from './types';

/** Everything found, with line and column. */
export interface Validation {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** How many eval sets and configs were read. */
  readonly checked: number;
}

/**
 * Checks eval sets with their configs, metrics and prompt files as an evaluation would, and configs by themselves.
 *
 * @param paths  files and folders; a file that holds `criteria` is a config
 * @throws {JestAdkError} `path_not_found` for paths that do not exist
 */
export async function validate(paths: readonly string[], options: EvaluateOptions, host: Host, check?: EvaluateRequest['check']): Promise<Validation> {
  if (paths.includes('')) throw refusal('usage', 'A PATH is empty: name a file or a folder.');
  const missing = paths.filter((path) => !existsSync(resolveFrom(host, path)) && !path.includes(':'));
  if (missing.length > 0) throw new JestAdkError('path_not_found', missing.map((path) => refusal('path_not_found', `There is no file or folder ${resolveFrom(host, path)} (given as ${JSON.stringify(path)}).`).problems).flat());
  const configs = paths.filter((path) => isConfig(resolveFrom(host, path)));
  const sets = paths.filter((path) => !configs.includes(path));
  const ofConfigs = await Promise.all(configs.map((path) => validateConfig(resolveFrom(host, path), options, host)));
  const ofSets = sets.length === 0 ? { problems: [], warnings: [], checked: 0 } : await validateSets(sets, options, host, check);
  const all = [...ofConfigs, ofSets];
  return { problems: all.flatMap((one) => one.problems), warnings: all.flatMap((one) => one.warnings), checked: all.reduce((sum, one) => sum + one.checked, 0) };
}

async function validateSets(paths: readonly string[], options: EvaluateOptions, host: Host, check: EvaluateRequest['check']): Promise<Validation> {
  const { resultsDir: _unused, ...world } = host;
  const parts = { ...defaultParts(), resolveModel: checkModelName, vertexService: () => ({ evaluate: () => Promise.resolve({}) }), resolveTarget: () => Promise.resolve({ ...functionTarget(() => undefined), capabilities: { appDetails: true, state: true, artifacts: true, plugins: true, cancel: true } }) };
  try {
    const plan = await planEvaluation({ target: undefined, evalSets: paths, options: { ...options, numRuns: 1 }, offline: true, ...(check === undefined ? {} : { check }) }, world, parts);
    const warnings = plan.sets.flatMap((set) => [...set.warnings.map((message) => ({ code: 'warning', message })), ...setWarnings(set, (place) => parts.positionOf(place))]);
    const refused = plan.sets.flatMap((set) => set.cases.flatMap(({ evalCase, error }): Problem[] => (error === undefined ? [] : [{ ...error, ...placeOf(set, evalCase, parts.positionOf) }])));
    return { problems: refused.filter(({ code }) => code !== 'needs_user_simulator'), warnings, checked: plan.sets.length };
  } catch (thrown) {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    return { problems: thrown.problems, warnings: [], checked: setsBelow(paths, options, host) };
  }
}

/** How many sets there are to look at; at least the one that is in the way. */
function setsBelow(paths: readonly string[], options: EvaluateOptions, host: Host): number {
  try {
    return findEvalSets(paths, host, checkOptions(options).checked.profile).sets.length;
  } catch {
    return 1;
  }
}

type Locate = ReturnType<typeof defaultParts>['positionOf'];

function placeOf(set: PlannedSet, evalCase: EvalCase, locate: Locate): Partial<Problem> {
  const place = set.loaded.placeOf(evalCase);
  return place === undefined ? {} : locate(place) ?? place;
}

async function validateConfig(file: string, options: EvaluateOptions, host: Host): Promise<Validation> {
  const problems = new Problems();
  const { checked } = checkOptions(options);
  const planning = { request: { target: undefined, evalSets: [] }, options, checked, host, parts: defaultParts(), problems };
  const loaded = problems.collect(() => planning.parts.readConfig(file, checked.profile));
  const warnings: Problem[] = [...(loaded?.warnings ?? [])];
  if (loaded !== undefined) {
    if (loaded.value.criteria.size === 0) problems.add({ code: 'empty_criteria', file, path: ['criteria'], message: 'The config names no criterion, so no case could pass or fail.' });
    const custom = await customMetricsOf(planning, { config: loaded.value, file, reason: 'explicit' });
    const made = makeMetrics(loaded.value.criteria, checked.profile, custom);
    problems.add(...made.problems.map((problem) => ({ file, ...problem })));
    warnings.push(...rangeWarnings(made.metrics, file));
  }
  try {
    problems.throwIfAny(planning.parts.withPositions);
    return { problems: [], warnings, checked: 1 };
  } catch (thrown) {
    return { problems: (thrown as JestAdkError).problems, warnings, checked: 1 };
  }
}

function isConfig(path: string): boolean {
  if (!/\.json$/i.test(path) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    const { value } = readDocument(path);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && 'criteria' in value;
  } catch {
    return /config/i.test(path); // what is wrong with it is told when it is read
  }
}

function setWarnings(set: PlannedSet, locate: Locate): readonly Problem[] {
  const cases = set.cases.map(({ evalCase }) => evalCase);
  const config = set.configChoice.file;
  return [...rangeWarnings(set.metrics, config), ...referenceWarnings(set, cases, locate)];
}

/** Thresholds that every score, or none, can meet. */
function rangeWarnings(metrics: readonly MadeMetric[], file: string | undefined): readonly Problem[] {
  return metrics.flatMap(({ metric, threshold }): Problem[] => {
    const interval = metric.info.metricValueInfo.interval;
    if (interval === undefined || threshold === null || (threshold >= interval.minValue && threshold <= interval.maxValue)) return [];
    const where = file === undefined ? {} : { file, path: ['criteria', metric.name] };
    return [{ ...where, code: 'threshold_range', severity: 'warning', message: `The threshold ${threshold} of ${metric.name} lies outside its scores, which go from ${interval.minValue} to ${interval.maxValue}.` }];
  });
}

/** Metrics that compare, where a case has nothing to compare with. */
function referenceWarnings(set: PlannedSet, cases: readonly EvalCase[], locate: Locate): readonly Problem[] {
  const lacks = (name: string, isThere: (turn: NonNullable<EvalCase['conversation']>[number]) => boolean, what: string): readonly Problem[] => {
    if (!set.metrics.some(({ metric, threshold }) => metric.name === name && threshold !== null)) return [];
    return cases.filter((one) => (writtenTurns(one)?.length ?? 0) > 0 && !(writtenTurns(one) ?? []).some(isThere)).map((evalCase) => ({
      ...placeOf(set, evalCase, locate), code: 'no_reference', severity: 'warning', message: `The case "${evalCase.evalId}" has no ${what}, which ${name} compares with.`,
    }));
  };
  return [...lacks('response_match_score', (turn) => turn.finalResponse !== undefined, 'final_response')];
}
