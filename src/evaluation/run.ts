/** Runs a plan: every trial on the pool, scored as it ends, rolled up per case; results saved before the evaluation settles. */
import { runTrials, type RunTrialsOptions, type TrialJob } from '../inference/run-trials';
import type { TrialRecord } from '../inference/types';
import { hasScored } from '../results/scored';
import { schemaVersion, type CaseResult, type EvalSetResult, type EvaluationResult, type TrialResult } from '../results/model';
import { saveEvalSetResult } from '../results/save';
import { refusal, toErrorInfo } from '../support/errors';
import { sharedController } from '../support/signals';
import { refreshSecrets } from '../support/secrets';
import { scoreTrial } from './rollup';
import { judgeStability, stabilityLines } from './stability';
import { openStream, type EventStream } from './stream';
import type { EvalPlan, Host, PlannedCase, PlannedSet, RunningEvaluation } from './types';
import { caseVerdict, erroredCase, overallOutcome } from './verdict';

/** What running touches beside the target; stand-ins in tests. */
export interface RunParts {
  readonly runTrials: typeof runTrials;
  readonly save: typeof saveEvalSetResult;
}

interface Run {
  readonly plan: EvalPlan;
  readonly host: Host;
  readonly parts: RunParts;
  readonly stream: EventStream;
  /** Ends all trials: the caller's signal, or a case that ends everything. */
  readonly stop: AbortController;
}

/**
 * Starts a plan. Trials are taken case by case in the order of the file, at most `plan.concurrency` under way.
 *
 * @returns promises per case and for the whole; they reject only when the profile lets one bad case end everything
 */
export function startEvaluation(plan: EvalPlan, host: Host, parts: RunParts = { runTrials, save: saveEvalSetResult }): RunningEvaluation {
  const stop = sharedController();
  const outer = plan.options.signal;
  const onAbort = (): void => stop.abort(outer?.reason);
  if (outer?.aborted === true) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  const run: Run = { plan, host, parts, stream: openStream(host.listeners), stop };
  refreshSecrets();
  announce(run);
  const sets = plan.sets.map((set) => startSet(run, set));
  const byCase = new Map(sets.flatMap(({ set, cases }) => cases.map(({ evalId, result }) => [caseKey(set.loaded.value.evalSetId, evalId), result])));
  const result = finish(run, sets).finally(() => outer?.removeEventListener('abort', onAbort));
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
  const { testFile, testName, testPerCase } = host;
  stream.emit({ type: 'run_started', sets, ...(testFile === undefined ? {} : { testFile }), ...(testName === undefined ? {} : { testName }), ...(testPerCase === undefined ? {} : { testPerCase }), ...plannedCalls(plan) });
}

function plannedCalls({ judgeCalls }: EvalPlan): { readonly plannedJudgeCalls?: number } {
  return judgeCalls === 0 ? {} : { plannedJudgeCalls: judgeCalls };
}

interface StartedSet {
  readonly set: PlannedSet;
  readonly startedAt: number;
  readonly warnings: Set<string>;
  readonly cases: readonly { readonly evalId: string; readonly result: Promise<CaseResult> }[];
  /** In the order in which they are to be run. */
  readonly jobs: readonly PendingTrial[];
}

/** A trial that is to be run, and who waits for it. */
interface PendingTrial extends TrialJob {
  readonly done: (record: TrialRecord) => void;
  readonly fail: (reason: unknown) => void;
}

function startSet(run: Run, set: PlannedSet): StartedSet {
  const warnings = new Set<string>();
  const jobs: PendingTrial[] = [];
  const cases = set.cases.map((planned) => {
    const result = runCase(run, set, planned, warnings, jobs);
    result.catch((thrown) => run.stop.abort(thrown));
    return { evalId: planned.evalCase.evalId, result };
  });
  return { set, startedAt: Date.now(), warnings, cases, jobs };
}

async function runCase(run: Run, set: PlannedSet, planned: PlannedCase, warnings: Set<string>, jobs: PendingTrial[]): Promise<CaseResult> {
  const { plan, stream } = run;
  const evalSetId = set.loaded.value.evalSetId;
  const { evalCase, error } = planned;
  const warn = (message: string): void => void warnings.add(`${evalCase.evalId}: ${message}`);
  let result: CaseResult;
  if (error !== undefined) result = erroredCase(evalSetId, evalCase, error);
  else {
    const trials = await Promise.all(Array.from({ length: plan.numRuns }, (_, trial) => scoreWhenRun(run, set, planned, trial, warn, jobs)));
    const directions = new Map(set.metrics.flatMap(({ metric }) => (metric.info.direction === undefined ? [] : [[metric.name, metric.info.direction] as const])));
    result = caseVerdict({ evalSetId, evalCase, trials, passPolicy: plan.passPolicy, profile: plan.profile, directions, onNotEvaluated: plan.options.onNotEvaluated, judged: new Set(set.metrics.flatMap(({ metric }) => (metric.needs.includes('judge') ? [metric.name] : []))) });
  }
  if (result.outcome !== 'passed') result = withPlace(result, set, planned);
  stream.emit({ type: 'case_ended', result });
  return result;
}

/** Enlists a trial and scores it as soon as it has ended. */
async function scoreWhenRun(run: Run, set: PlannedSet, planned: PlannedCase, trial: number, warn: (message: string) => void, jobs: PendingTrial[]): Promise<TrialResult> {
  const { plan, host, stream, stop } = run;
  const info = { evalSetId: set.loaded.value.evalSetId, evalId: planned.evalCase.evalId, trial };
  const record = await new Promise<TrialRecord>((done, fail) => jobs.push({ evalCase: planned.evalCase, info, done, fail }));
  // The next trial is sent off first: an agent then works while this one is scored.
  if (host.stopsAtCases !== true) await loopTurn();
  for (const warning of record.warnings) warn(warning);
  for (const { usageByModel } of record.invocations) for (const { model, usage, calls } of usageByModel) plan.ledger.add('agent', model, usage, calls);
  const result = await scoreTrial({
    evalCase: planned.scoredAs ?? planned.evalCase,
    trial: record,
    metrics: set.metrics,
    profile: plan.profile,
    signal: stop.signal,
    metricTimeoutMs: host.unlimited === true ? undefined : plan.turnTimeoutMs,
    selection: plan.options,
    warn,
    onMetric: ({ metricName, score, status }) => stream.emit({ type: 'metric_scored', ...info, metricName, score, status }),
  });
  stream.emit({ type: 'trial_ended', ...info, status: result.status, ...(result.error === undefined ? {} : { error: result.error }) });
  return result;
}

/** Until everything that is due now has been done. */
function loopTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function trialOptions({ plan, host, stream, stop }: Run): RunTrialsOptions {
  const { options } = plan;
  const environments = new Map(plan.sets.flatMap(({ cases }) => cases.flatMap(({ evalCase, environment }) => (environment === undefined ? [] : [[evalCase, environment] as const]))));
  const users = new Map(plan.sets.flatMap(({ cases }) => cases.flatMap(({ evalCase, user }) => (user === undefined ? [] : [[evalCase, user] as const]))));
  const prepare = new Map(plan.sets.map(({ loaded, prepareContent }) => [loaded.value.evalSetId, prepareContent]));
  return {
    concurrency: plan.concurrency,
    exclusive: options.exclusive,
    appName: options.appName,
    userId: options.userId,
    turnTimeoutMs: plan.turnTimeoutMs,
    caseTimeoutMs: plan.caseTimeoutMs,
    unlimited: host.unlimited,
    finalResponseFrom: options.finalResponseFrom,
    appDetails: plan.appDetails,
    prepareContent: (content, { evalSetId }) => prepare.get(evalSetId)?.(content) ?? content,
    environmentFor: (evalCase, trial) => environments.get(evalCase)?.(trial),
    userFor: (evalCase, trial) => {
      const user = users.get(evalCase)?.(trial);
      if (user === undefined) throw refusal('needs_user_simulator', 'This case has a conversation scenario and needs a user simulator.');
      return user;
    },
    beforeTrial: options.beforeTrial,
    afterTrial: options.afterTrial,
    signal: stop.signal,
    onTrialStart: ({ info }) => stream.emit({ type: 'trial_started', ...info }),
    onTurn: (info, turn, { outcome, latencyMs }) => stream.emit({ type: 'turn_ended', ...info, turn, outcome, latencyMs }),
  };
}

/** Where the case stands: found only for cases that are shown, since it means reading the file again. */
function withPlace(result: CaseResult, set: PlannedSet, planned: PlannedCase): CaseResult {
  const place = set.locate?.(planned.evalCase);
  return place === undefined ? result : { ...result, place };
}

async function finish(run: Run, started: readonly StartedSet[]): Promise<EvaluationResult> {
  const { plan, host, stream, parts } = run;
  try {
    const jobs = started.flatMap((set) => set.jobs);
    const closing = await parts.runTrials(plan.target, jobs, trialOptions(run), (record, job) => {
      (job as PendingTrial).done(record);
      return host.stopsAtCases === true ? loopTurn() : undefined;
    });
    await Promise.all(started.flatMap(({ cases }) => cases.map(({ result }) => result)));
    const sets: EvalSetResult[] = [];
    for (const set of started) sets.push(await endSet(run, set, closing));
    const usage = plan.ledger.report();
    const models = { ...(usage === undefined ? {} : { usage }), ...plannedCalls(plan) };
    const result: EvaluationResult = { schemaVersion, outcome: overallOutcome(sets), sets, ...models };
    stream.emit({ type: 'run_ended', outcome: result.outcome, ...models });
    return result;
  } catch (thrown) {
    for (const { jobs } of started) for (const job of jobs) job.fail(thrown);
    stream.emit({ type: 'run_ended', outcome: 'error' });
    throw thrown;
  }
}

async function endSet(run: Run, { set, startedAt, warnings, cases: pending }: StartedSet, closing: readonly string[]): Promise<EvalSetResult> {
  const { plan, stream } = run;
  const cases = await Promise.all(pending.map(({ result }) => result));
  const { file, reason } = set.configChoice;
  const judges = judgeStability(cases);
  const result: EvalSetResult = {
    schemaVersion,
    evalSetId: set.loaded.value.evalSetId,
    ...(set.loaded.file === '' ? {} : { evalSetFile: set.loaded.file }),
    // A factory names its app only once it has made an agent.
    appName: plan.options.appName ?? plan.target.appName ?? set.appName,
    outcome: overallOutcome(cases),
    cases,
    numRuns: plan.numRuns,
    passPolicy: plan.passPolicy,
    compatibility: plan.profile.name,
    config: file === undefined ? { reason } : { file, reason },
    ...(judges.length === 0 ? {} : { judges }),
    warnings: [...set.warnings, ...stabilityLines(judges, cases), ...(plan.options.onNotEvaluated === 'ignore' ? [] : nothingJudged(cases)), ...warnings, ...closing, ...stream.problems],
    startedAt,
    durationMs: Date.now() - startedAt,
  };
  const saved = save(run, result);
  stream.emit({ type: 'set_ended', result: saved });
  return saved;
}

/** A metric with nothing to judge leaves the verdict to the others; that must not go unseen. */
function nothingJudged(cases: readonly CaseResult[]): readonly string[] {
  const byMetric = new Map<string, { reason: string; ids: string[] }>();
  for (const { evalId, outcome, metrics } of cases) {
    for (const { metricName, status, reason = 'no reason given' } of metrics) {
      if (status !== 'not_evaluated' || outcome !== 'passed') continue;
      const known = byMetric.get(metricName) ?? { reason, ids: [] };
      byMetric.set(metricName, known);
      known.ids.push(evalId);
    }
  }
  return [...byMetric].map(([name, { reason, ids }]) => {
    const shown = ids.length > 3 ? `${ids.slice(0, 3).join(', ')}, …` : ids.join(', ');
    return `${name} had nothing to judge in ${ids.length} of ${cases.length} cases (${shown}): ${reason}`;
  });
}

/** A result that cannot be saved makes the set an error; where the reference stops at it, so do we. */
function save({ plan, host, parts }: Run, result: EvalSetResult): EvalSetResult {
  if (plan.resultsDir === undefined || (host.skipUnscored === true && !hasScored(result))) return result;
  try {
    return { ...result, resultFile: parts.save(result, { resultsDir: plan.resultsDir }) };
  } catch (thrown) {
    if (plan.profile.badCaseAbortsAll) throw thrown;
    return { ...result, outcome: 'error', error: toErrorInfo(thrown) };
  }
}
