/** Runs a plan: every trial on the pool, scored as it ends, rolled up per case; results saved before the evaluation settles. */
import type { TrialRecord } from '../inference/types';
import { runTrial, type TrialOptions } from '../inference/trial';
import { saveEvalSetResult } from '../results/save';
import { schemaVersion, type CaseResult, type EvalSetResult, type EvaluationResult, type TrialResult } from '../results/model';
import { toErrorInfo } from '../support/errors';
import { scheduler, type Lane } from '../support/scheduler';
import { scoreTrial } from './rollup';
import { openStream, type EventStream } from './stream';
import type { EvalPlan, Host, PlannedCase, PlannedSet, RunningEvaluation } from './types';
import { caseVerdict, erroredCase, overallOutcome } from './verdict';

/** What running touches beside the target; stand-ins in tests. */
export interface RunParts {
  readonly runTrial: typeof runTrial;
  readonly save: typeof saveEvalSetResult;
}

interface Run {
  readonly plan: EvalPlan;
  readonly host: Host;
  readonly parts: RunParts;
  readonly stream: EventStream;
  readonly lane: Lane;
  readonly stop: AbortController;
}

/**
 * Starts a plan. All trials are queued at once, case by case in the order of the file, at most `plan.concurrency` under way.
 *
 * @returns promises per case and for the whole; they reject only when the profile lets one bad case end everything
 */
export function startEvaluation(plan: EvalPlan, host: Host, parts: RunParts = { runTrial, save: saveEvalSetResult }): RunningEvaluation {
  const stream = openStream(host.listeners);
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(plan.options.signal?.reason);
  if (plan.options.signal?.aborted === true) onAbort();
  else plan.options.signal?.addEventListener('abort', onAbort, { once: true });
  const run: Run = { plan, host, parts, stream, lane: scheduler.lane('target', plan.concurrency), stop };
  announce(run);
  const started = plan.sets.map((set) => startSet(run, set));
  const byCase = new Map(started.flatMap(({ set, cases }) => cases.map(({ evalId, result }) => [caseKey(set.loaded.value.evalSetId, evalId), result])));
  const result = finish(run, started).finally(() => plan.options.signal?.removeEventListener('abort', onAbort));
  result.catch(() => undefined);
  return {
    caseResult(evalSetId, evalId) {
      return byCase.get(caseKey(evalSetId, evalId)) ?? Promise.reject(new RangeError(`No case "${evalId}" of the set "${evalSetId}" is part of this evaluation.`));
    },
    result,
  };
}

function caseKey(evalSetId: string, evalId: string): string {
  return JSON.stringify([evalSetId, evalId]);
}

function announce({ plan, host, stream }: Run): void {
  const sets = plan.sets.map(({ loaded, cases, appName }) => ({
    evalSetId: loaded.value.evalSetId,
    cases: cases.length,
    numRuns: plan.numRuns,
    evalIds: cases.map((one) => one.evalCase.evalId),
    appName,
    ...(loaded.file === '' ? {} : { evalSetFile: loaded.file }),
  }));
  const { testFile, testName } = host;
  stream.emit({ type: 'run_started', sets, ...(testFile === undefined ? {} : { testFile }), ...(testName === undefined ? {} : { testName }) });
}

interface StartedSet {
  readonly set: PlannedSet;
  readonly startedAt: number;
  readonly warnings: Set<string>;
  readonly cases: readonly { readonly evalId: string; readonly result: Promise<CaseResult> }[];
}

function startSet(run: Run, set: PlannedSet): StartedSet {
  const warnings = new Set<string>();
  const cases = set.cases.map((planned) => {
    const result = runCase(run, set, planned, warnings);
    result.catch((thrown) => run.stop.abort(thrown));
    return { evalId: planned.evalCase.evalId, result };
  });
  return { set, startedAt: Date.now(), warnings, cases };
}

async function runCase(run: Run, set: PlannedSet, planned: PlannedCase, warnings: Set<string>): Promise<CaseResult> {
  const { plan, stream } = run;
  const evalSetId = set.loaded.value.evalSetId;
  const { evalCase, error } = planned;
  const warn = (message: string): void => void warnings.add(`${evalCase.evalId}: ${message}`);
  let result: CaseResult;
  if (error !== undefined) result = erroredCase(evalSetId, evalCase, error);
  else {
    const trials = await Promise.all(Array.from({ length: plan.numRuns }, (_, trial) => runOne(run, set, planned, trial, warn)));
    const directions = new Map(set.metrics.flatMap(({ metric }) => (metric.info.direction === undefined ? [] : [[metric.name, metric.info.direction] as const])));
    result = caseVerdict({ evalSetId, evalCase, trials, passPolicy: plan.passPolicy, profile: plan.profile, directions });
  }
  if (result.outcome !== 'passed') result = withPlace(result, set, planned);
  stream.emit({ type: 'case_ended', result });
  return result;
}

async function runOne(run: Run, set: PlannedSet, planned: PlannedCase, trial: number, warn: (message: string) => void): Promise<TrialResult> {
  const { plan, stream, lane, stop, parts } = run;
  const id = { evalSetId: set.loaded.value.evalSetId, evalId: planned.evalCase.evalId, trial };
  const record = await lane.run((): Promise<TrialRecord> => {
    stream.emit({ type: 'trial_started', ...id });
    return parts.runTrial(plan.target, planned.evalCase, id, trialOptions(run, set), stop.signal);
  });
  for (const warning of record.warnings) warn(warning);
  const result = await scoreTrial({
    evalCase: planned.scoredAs ?? planned.evalCase,
    trial: record,
    metrics: set.metrics,
    profile: plan.profile,
    signal: stop.signal,
    selection: plan.options,
    warn,
    onMetric: ({ metricName, score, status }) => stream.emit({ type: 'metric_scored', ...id, metricName, score, status }),
  });
  stream.emit({ type: 'trial_ended', ...id, status: result.status, ...(result.error === undefined ? {} : { error: result.error }) });
  return result;
}

function trialOptions({ plan, host, stream }: Run, set: PlannedSet): TrialOptions {
  const { options } = plan;
  return {
    appName: set.appName,
    userId: options.userId,
    turnTimeoutMs: plan.turnTimeoutMs,
    caseTimeoutMs: plan.caseTimeoutMs,
    unlimited: host.unlimited,
    finalResponseFrom: options.finalResponseFrom,
    beforeTrial: options.beforeTrial,
    afterTrial: options.afterTrial,
    onTurn: (id, turn, { outcome, latencyMs }) => stream.emit({ type: 'turn_ended', ...id, turn, outcome, latencyMs }),
  };
}

/** Where the case stands: found only for cases that are shown, since it means reading the file again. */
function withPlace(result: CaseResult, set: PlannedSet, planned: PlannedCase): CaseResult {
  const place = set.locate?.(planned.evalCase);
  return place === undefined ? result : { ...result, place };
}

async function finish(run: Run, started: readonly StartedSet[]): Promise<EvaluationResult> {
  const { plan, stream } = run;
  try {
    // When one bad case may end everything, nothing is saved before the last case has ended.
    if (plan.profile.badCaseAbortsAll) await Promise.all(started.flatMap(({ cases }) => cases.map(({ result }) => result)));
    const sets = plan.profile.badCaseAbortsAll ? await inTurn(started, (set) => endSet(run, set)) : await Promise.all(started.map((set) => endSet(run, set)));
    const result: EvaluationResult = { schemaVersion, outcome: overallOutcome(sets), sets };
    stream.emit({ type: 'run_ended', outcome: result.outcome });
    return result;
  } catch (thrown) {
    stream.emit({ type: 'run_ended', outcome: 'error' });
    throw thrown;
  } finally {
    await close(run, started);
  }
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The target is closed once, after the last trial has ended, also when the evaluation was broken off. */
async function close(run: Run, started: readonly StartedSet[]): Promise<void> {
  await Promise.allSettled(started.flatMap(({ cases }) => cases.map(({ result }) => result)));
  run.lane.close();
  await run.plan.target.close().catch(() => undefined);
}

async function endSet(run: Run, { set, startedAt, warnings, cases: pending }: StartedSet): Promise<EvalSetResult> {
  const { plan, stream } = run;
  const cases = await Promise.all(pending.map(({ result }) => result));
  const { file, reason } = set.configChoice;
  const result: EvalSetResult = {
    schemaVersion,
    evalSetId: set.loaded.value.evalSetId,
    ...(set.loaded.file === '' ? {} : { evalSetFile: set.loaded.file }),
    appName: set.appName,
    outcome: overallOutcome(cases),
    cases,
    numRuns: plan.numRuns,
    passPolicy: plan.passPolicy,
    compatibility: plan.profile.name,
    config: file === undefined ? { reason } : { file, reason },
    warnings: [...set.warnings, ...warnings, ...stream.problems],
    startedAt,
    durationMs: Date.now() - startedAt,
  };
  const saved = save(run, result);
  stream.emit({ type: 'set_ended', result: saved });
  return saved;
}

/** A result that cannot be saved makes the set an error; where the reference stops at it, so do we. */
function save({ plan, parts }: Run, result: EvalSetResult): EvalSetResult {
  if (plan.resultsDir === undefined) return result;
  try {
    return { ...result, resultFile: parts.save(result, { resultsDir: plan.resultsDir }) };
  } catch (thrown) {
    if (plan.profile.badCaseAbortsAll) throw thrown;
    return { ...result, outcome: 'error', error: toErrorInfo(thrown) };
  }
}
