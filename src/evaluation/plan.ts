/** Makes a plan: everything that can be refused is refused here, all of it at once, before any agent is contacted. */
import { dirname } from 'node:path';
import type { ConfigChoice } from '../config/types';
import { contentFileProblems, resolveContentFiles } from '../evalset/content-files';
import type { EvalCase, EvalSet, Loaded } from '../evalset/types';
import { sessionsOf } from '../evalset/turns';
import { selectCases } from '../evalset/selection';
import { openSessionOf } from '../inference/held-sessions';
import { checkMatchers } from '../metrics/check-matchers';
import { makeMetrics, type MadeMetric } from '../metrics/registry';
import { checkResultsWritable } from '../results/save';
import { formatProblem, type Problem } from '../support/errors';
import { didYouMean } from '../support/nearest';
import { resolveFrom } from '../support/paths';
import type { Target } from '../target/types';
import { appDetailsWarnings, readAppDetails } from './app-details';
import { caseError, setProblems, unmetNeeds } from './case-checks';
import { customMetricsOf } from './custom-metrics';
import { withEnvironments } from './environments';
import { Models, plannedJudgeCalls, tooManyJudgeCalls, withJudges } from './judges';
import { checkOptions } from './options';
import { defaultParts, type PlanParts, type Planning } from './parts';
import { pinnedProblems } from './pinned-sessions';
import { prepareTarget } from './prepare';
import { Problems } from './problems';
import { referenceWarnings, withUsers } from './simulators';
import { unusedRubrics } from './rubric-checks';
import { chooseSetConfig, loadSets, type SetSource } from './sources';
import type { EvalPlan, EvaluateOptions, EvaluateRequest, Host, PlannedCase, PlannedSet } from './types';

/** App name of results when neither the options nor the target say one; google-adk's. */
const defaultAppName = 'test_app';

/**
 * Resolves and checks a request.
 *
 * @throws {JestAdkError} with every problem found, in options, files, ids, configs, metrics, sessions and folders; `code` is that of the first
 */
export async function planEvaluation(request: EvaluateRequest, host: Host, parts: PlanParts = defaultParts()): Promise<EvalPlan> {
  const problems = new Problems();
  const options = request.options ?? {};
  const { checked, problems: wrong } = checkOptions(options);
  problems.add(...wrong);
  const planning: Planning = { request, options, checked, host, parts, problems };
  const target = await problems.collectAsync(() => parts.resolveTarget(request.target, host, options));
  const sources = loadSets(planning);
  const wanted = selectWanted(planning, sources);
  for (const source of sources) checkSet(planning, source, wanted.get(source) ?? []);
  const configured = chooseConfigs(planning, sources);
  problems.add(...(request.check?.(configured.map(({ source, choice }) => ({ loaded: source.loaded, configChoice: choice, ...(source.repeated === true && { repeated: true }) }))) ?? []));
  const models = new Models(options, host, parts);
  const metrics = await metricsByConfig(planning, models, configured, wanted);
  const sets: SetDraft[] = [];
  for (const one of configured) {
    const set = planSet(planning, one, wanted.get(one.source) ?? [], metrics.get(configKey(one.choice)) ?? []);
    if (set.cases.length > 0) sets.push({ ...set, cases: await withEnvironments(planning, models, target, { ...set, cases: await withUsers(planning, models, set) }) });
  }
  const given = options.appDetails;
  const appDetails = given === undefined ? undefined : problems.collect(() => readAppDetails(given, host));
  if (target !== undefined) problems.add(...sets.flatMap((set) => unmetNeeds(set.metrics, target, given !== undefined)), ...pinnedProblems(sets, target, options));
  if (target?.refusal !== undefined) sets.forEach((set, index) => { sets[index] = { ...set, cases: set.cases.map((planned) => refusedBy(planned, target, options)) }; });
  if (target !== undefined) sets.forEach((set, index) => { sets[index] = { ...set, warnings: [...set.warnings, ...appDetailsWarnings(set.metrics, target, appDetails)] }; });
  const judgeCalls = plannedJudgeCalls(sets, checked.numRuns);
  problems.add(...tooManyJudgeCalls(judgeCalls, options));
  const resultsDir = options.resultsDir === undefined ? host.resultsDir : resolveFrom(host, options.resultsDir);
  if (resultsDir !== undefined) problems.collect(() => checkResultsWritable(resultsDir));
  problems.throwIfAny(parts.withPositions);
  // Without a target there was a problem.
  const ready = request.offline === true ? (target as Target) : await prepareTarget(target as Target, options);
  const appName = options.appName ?? ready.appName ?? defaultAppName;
  return {
    ...checked,
    sets: sets.map((set) => ({ ...set, appName })),
    target: ready,
    options,
    ledger: models.ledger,
    judgeCalls,
    ...(appDetails === undefined ? {} : { appDetails }),
    ...(resultsDir === undefined ? {} : { resultsDir }),
  };
}

/** Which cases of which set are wanted: by the selections behind paths, by the option `only`, by the host. */
export function selectWanted({ options, checked, problems, request, host }: Planning, sources: readonly SetSource[]): Map<SetSource, readonly EvalCase[]> {
  const { profile } = checked;
  const only = options.only === undefined || options.only.length === 0 || sources.length === 0 ? undefined : new Set(options.only);
  if (only !== undefined) {
    const names = sources.map(({ loaded }) => loaded.value.evalSetId).join('", "');
    const all: EvalSet = { evalSetId: names, evalCases: sources.flatMap(({ loaded }) => loaded.value.evalCases), creationTimestamp: 0 };
    problems.collect(() => selectCases(all, options.only, profile));
  }
  const { onlyCases } = host;
  const wanted = new Map(
    sources.map((source) => {
      const { evalSetId } = source.loaded.value;
      const selected = problems.collect(() => selectCases(source.loaded.value, source.caseIds, profile)) ?? [];
      const isWanted = (evalCase: EvalCase): boolean => {
        const { evalId } = evalCase;
        return (only?.has(evalId) ?? true) && (onlyCases?.ids.includes(evalId) ?? true) && (request.selected?.(evalSetId, evalId, evalCase) ?? true);
      };
      return [source, selected.filter(isWanted)];
    }),
  );
  if (onlyCases !== undefined && sources.length > 0) problems.add(...outsideSelection(onlyCases, sources, [...wanted.values()].flat()));
  return wanted;
}

/** What is asked for from outside the call, where a set without it is refused. */
function outsideSelection({ ids, by, among }: NonNullable<Host['onlyCases']>, sources: readonly SetSource[], wanted: readonly EvalCase[]): readonly Problem[] {
  const known = sources.flatMap(({ loaded }) => loaded.value.evalCases.map(({ evalId }) => evalId));
  among?.(known);
  if (wanted.length > 0) return [];
  const message = `${by} names none of the cases of "${sources.map(({ loaded }) => loaded.value.evalSetId).join('", "')}".`;
  const near = ids.flatMap((id) => didYouMean(id, known) ?? []);
  return [{ code: 'nothing_selected', message, hint: [...new Set(near), `There ${known.length === 1 ? 'is' : 'are'} ${known.slice(0, 20).map((id) => JSON.stringify(id)).join(', ')}${known.length > 20 ? `, … (${known.length} cases)` : ''}.`].join(' ') }];
}

/** What is planned of a set before the target is asked anything. */
type SetDraft = Omit<PlannedSet, 'appName'>;

/** A set with its config. */
interface Configured {
  readonly source: SetSource;
  readonly choice: ConfigChoice;
  readonly warnings: readonly Problem[];
}

function chooseConfigs(planning: Planning, sources: readonly SetSource[]): readonly Configured[] {
  return sources.flatMap((source) => {
    const config = planning.problems.collect(() => chooseSetConfig(planning, source.loaded));
    return config === undefined ? [] : [{ source, ...config }];
  });
}

function configKey({ file, reason }: ConfigChoice): string {
  return file ?? reason;
}

/** The metrics of each config, made once, however many sets it belongs to. */
async function metricsByConfig(planning: Planning, models: Models, configured: readonly Configured[], wanted: ReadonlyMap<SetSource, readonly EvalCase[]>): Promise<Map<string, readonly MadeMetric[]>> {
  const made = new Map<string, readonly MadeMetric[]>();
  for (const { choice } of configured) {
    const key = configKey(choice);
    if (made.has(key)) continue;
    const sources = configured.filter((other) => configKey(other.choice) === key).map(({ source }) => source);
    const plain = await metricsOf(planning, choice, sources.map(({ loaded }) => loaded.value.evalSetId));
    made.set(key, await withJudges(planning, models, choice, plain, sources.flatMap((source) => wanted.get(source) ?? [])));
  }
  return made;
}

/** What is wrong with a set by itself, whatever its config. */
function checkSet(planning: Planning, { loaded }: SetSource, cases: readonly EvalCase[]): void {
  const { checked, problems } = planning;
  if (loaded.value.evalCases.length === 0 && !checked.profile.emptySetAccepted) {
    problems.add({ code: 'empty_set', message: `The eval set "${loaded.value.evalSetId}" has 0 eval cases.`, hint: 'There is nothing to pass or fail.', ...fileOf(loaded) });
  }
  problems.add(...setProblems(loaded, cases, checked), ...contentFileProblems(loaded, contentFiles(planning, loaded)));
  problems.add(...matcherProblems(planning, loaded).filter((problem) => problem.severity !== 'warning'));
}

function matcherProblems({ checked }: Planning, loaded: Loaded<EvalSet>): readonly Problem[] {
  return checked.profile.name === 'default' ? checkMatchers(loaded) : [];
}

/** Where files that a content names are looked up. */
function contentFiles({ host }: Planning, loaded: Loaded<EvalSet>): { readonly baseDir: string; readonly projectRoot: string } {
  return { baseDir: loaded.file === '' ? host.callerDir : dirname(loaded.file), projectRoot: host.rootDir };
}

function planSet(planning: Planning, { source, choice: configChoice, warnings }: Configured, cases: readonly EvalCase[], metrics: readonly MadeMetric[]): SetDraft {
  const { parts } = planning;
  const { loaded } = source;
  const files = contentFiles(planning, loaded);
  return {
    loaded,
    configChoice,
    cases: cases.map((evalCase) => plannedCase(evalCase, planning)),
    metrics,
    prepareContent: (content) => resolveContentFiles(content, files),
    warnings: [...new Set([...source.warnings, ...loaded.warnings, ...warnings, ...matcherProblems(planning, loaded).filter((problem) => problem.severity === 'warning'), ...unusedMetrics(planning.options, configChoice), ...(planning.checked.profile.name === 'google-adk' ? [] : [...referenceWarnings(metrics, cases), ...parts.withPositions(unusedRubrics(metrics, cases, loaded), loaded.file)])].map(oneLine))],
    locate: (evalCase) => {
      const place = loaded.placeOf(evalCase);
      return place === undefined ? undefined : parts.positionOf(place);
    },
  };
}

function unusedMetrics({ customMetrics }: EvaluateOptions, { config }: ConfigChoice): readonly Problem[] {
  const names = Object.keys(customMetrics ?? {}).filter((name) => !config.criteria.has(name));
  return names.map((name) => ({ code: 'unused_metric', message: `The custom metric "${name}" is not run: no criterion names it.` }));
}

function oneLine(problem: Problem): string {
  return formatProblem(problem).replace(/\n\s*/g, '  ');
}

function plannedCase(evalCase: EvalCase, { checked }: Planning): PlannedCase {
  const error = caseError(evalCase, checked.profile);
  return error === undefined ? { evalCase } : { evalCase, error };
}

function refusedBy(planned: PlannedCase, target: Target, options: EvaluateOptions): PlannedCase {
  const error = planned.error ?? sessionsOf(planned.evalCase).map(({ input }) => target.refusal?.(openSessionOf(input, options))).find((one) => one !== undefined);
  return error === undefined ? planned : { ...planned, error };
}

/** The metrics of a config, with those that the user brings; what cannot be made is among the problems. */
export async function metricsOf(planning: Planning, choice: ConfigChoice, setIds: readonly string[]): Promise<readonly MadeMetric[]> {
  const { checked, problems } = planning;
  const { config, file } = choice;
  const where = file === undefined ? {} : { file };
  const belongsTo = `Config of ${setIds.map((id) => JSON.stringify(id)).join(', ')}.`;
  if (config.criteria.size === 0 && !checked.profile.emptyCriteriaAccepted) {
    problems.add({ ...where, code: 'empty_criteria', path: ['criteria'], message: 'The config names no criterion, so no case could pass or fail.', hint: `Leave the config out to use the defaults. ${belongsTo}` });
  }
  if (config.liveModelConfig !== undefined) {
    problems.add({ ...where, code: 'live_mode', path: ['live_model_config'], message: 'The config asks for live mode, which this version does not have.' });
  }
  const custom = await customMetricsOf(planning, choice);
  const made = makeMetrics(config.criteria, checked.profile, custom);
  problems.add(...made.problems.map((problem) => ({ ...where, ...problem, hint: [problem.hint, belongsTo].filter(Boolean).join(' ') })));
  return made.metrics;
}

function fileOf(loaded: Loaded<EvalSet>): { readonly file?: string } {
  return loaded.file === '' ? {} : { file: loaded.file };
}
