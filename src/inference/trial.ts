import type { EvalCase, SessionInput } from '../evalset/types';
import { toErrorInfo } from '../support/errors';
import { systemClock, type Clock } from '../support/clock';
import type { Environment } from '../simulation/environment/types';
import type { OpenSession, Target, TargetSession } from '../target/types';
import { playTurns, runTurns, step, StepFailed, type Conversation, type Draft } from './conversation';
import { Stopped, TrialLimits } from './limits';
import type { TrialInfo, TrialOptions } from './trial-options';
import { turnNotRun } from './turn';
import type { TrialRecord } from './types';

/** User of a case without `session_input`, as in google-adk. */
const defaultUserId = 'test_user_id';

/**
 * Runs one case once, in a session of its own. Never rejects: whatever goes wrong is in the record. The trial stops after a turn
 * that ended in an error; the turns after it are `not_run`.
 */
export async function runTrial(target: Target, evalCase: EvalCase, info: TrialInfo, options: TrialOptions, signal: AbortSignal): Promise<TrialRecord> {
  const clock = options.clock ?? systemClock;
  const begun = clock.elapsed();
  const input = openSessionOf(evalCase.sessionInput, options);
  const record: Draft = {
    evalId: evalCase.evalId,
    trial: info.trial,
    ids: { appName: input.appName ?? target.appName ?? '', userId: input.userId, sessionId: input.sessionId ?? '' },
    invocations: [],
    endReason: 'completed',
    warnings: Object.keys(input.state ?? {}).some((key) => key.startsWith('temp:')) ? ['session_input.state has `temp:` keys, which no session stores: they are not seen by the agent'] : [],
    startedAt: clock.now(),
    durationMs: 0,
  };
  const limits = new TrialLimits(clock, options.unlimited === true ? {} : options, signal);
  try {
    const environment = options.environmentFor?.(evalCase, info);
    await converse({ target, evalCase, info, options, input, clock, limits, record, environment });
    if (environment !== undefined) noteEnvironment(record, environment);
  } finally {
    limits.close();
  }
  record.durationMs = clock.elapsed() - begun;
  return afterTrial(record, info, options, clock);
}

async function converse(trial: Conversation): Promise<void> {
  const { record, evalCase, options, info } = trial;
  const turns = (evalCase.conversation ?? []).map((turn) => turn.userContent);
  const user = evalCase.conversationScenario === undefined ? undefined : options.userFor?.(evalCase, info);
  let session: TargetSession | undefined;
  try {
    if (options.beforeTrial !== undefined) await step(trial, 'the beforeTrial hook', async () => options.beforeTrial?.(info), 'before_trial_failed');
    session = await step(trial, 'opening the session', () => trial.target.openSession(withStandIn(trial), trial.limits.signal), 'session_failed');
    record.ids = session.ids;
    if (user === undefined) await runTurns(trial, session, turns);
    else await playTurns(trial, session, user);
    record.ids = session.ids;
    await readOutcome(trial, session);
  } catch (thrown) {
    endWith(record, thrown);
    record.invocations = [...record.invocations, ...turns.slice(record.invocations.length).map(turnNotRun)];
  } finally {
    if (session !== undefined) await closeSession(trial, session);
  }
}

function withStandIn({ input, environment, limits }: Conversation): OpenSession {
  if (environment === undefined) return input;
  return {
    ...input,
    standIn: async ({ declarations, ...call }) => {
      const outcome = await environment.simulate({ ...call, declarations: declarations() }, limits.signal);
      return outcome.simulated ? outcome.result : undefined;
    },
  };
}

/** A call that nothing was set up to answer makes the trial an error: what the agent did after it is worth nothing. */
function noteEnvironment(record: Draft, environment: Environment): void {
  const silent = environment.unused();
  if (silent.length > 0) record.warnings = [...record.warnings, `tool mocks that were not used: ${silent.join(', ')}`];
  if (environment.unmocked.length === 0 || record.error !== undefined) return;
  record.endReason = 'error';
  record.error = { code: 'unmocked_call', message: `nothing is set up to answer ${[...new Set(environment.unmocked)].join(', ')}, and no real tool may run` };
}

function endWith(record: Draft, thrown: unknown): void {
  if (thrown instanceof Stopped) {
    record.endReason = thrown.why.reason;
    record.error = thrown.why.error;
  } else {
    record.endReason = 'error';
    record.error = thrown instanceof StepFailed ? { code: thrown.info.code, message: `${thrown.label} failed: ${thrown.info.message}` } : toErrorInfo(thrown, 'inference_error');
  }
}

/** What is left after the last turn. It must not fail the trial: the turns are there to be scored. */
async function readOutcome(trial: Conversation, session: TargetSession): Promise<void> {
  const { record } = trial;
  if (record.endReason === 'turn_limit' || record.endReason === 'case_limit' || record.endReason === 'aborted') return;
  try {
    const state = session.state === undefined ? undefined : await step(trial, 'reading the final state', () => session.state?.() ?? Promise.resolve({}), 'state_failed');
    if (state !== undefined) record.finalState = state;
    const artifacts = session.artifacts === undefined ? undefined : await step(trial, 'listing the artifacts', () => session.artifacts?.() ?? Promise.resolve([]), 'artifacts_failed');
    if (artifacts !== undefined) record.artifacts = artifacts;
  } catch (thrown) {
    record.warnings = [...record.warnings, thrown instanceof StepFailed ? `${thrown.label} failed: ${thrown.info.message}` : toErrorInfo(thrown).message];
  }
  dropKnownState(record);
}

async function closeSession(trial: Conversation, session: TargetSession): Promise<void> {
  const { record } = trial;
  try {
    await step(trial, 'closing the session', () => session.close(), 'close_failed', true);
  } catch (thrown) {
    if (record.endReason === 'completed' || record.endReason === 'error')
      record.warnings = [...record.warnings, thrown instanceof StepFailed ? `${thrown.label} failed: ${thrown.info.message}` : toErrorInfo(thrown).message];
  }
}

/** The hook runs in any case and has a time limit of its own, also when the trial's is over. */
async function afterTrial(record: TrialRecord, info: TrialInfo, options: TrialOptions, clock: Clock): Promise<TrialRecord> {
  const hook = options.afterTrial;
  if (hook === undefined) return record;
  const limits = new TrialLimits(clock, options.unlimited === true ? {} : { turnTimeoutMs: options.turnTimeoutMs }, new AbortController().signal);
  const limit = limits.start('the afterTrial hook');
  try {
    await limit.race((async () => hook(info, record))());
    return record;
  } catch (thrown) {
    const { code, message } = toErrorInfo(thrown, 'after_trial_failed');
    const said = `the afterTrial hook failed: ${message}`;
    if (record.error !== undefined) return { ...record, warnings: [...record.warnings, said] };
    return { ...record, endReason: 'error', error: { code, message: said } };
  } finally {
    limit.end();
    limits.close();
  }
}

function dropKnownState(record: Draft): void {
  const { childState, finalState } = record;
  if (childState === undefined || finalState === undefined) return;
  const left = Object.entries(childState).filter(([key]) => !Object.hasOwn(finalState, key));
  if (left.length > 0) record.childState = Object.fromEntries(left);
  else delete record.childState;
}

/** User of a case: its own, else the one of the options, else `test_user_id`. An empty id is none. */
export function userIdOf(input: SessionInput | undefined, given?: string): string {
  return input?.userId || given || defaultUserId;
}

/** What the target is asked to open for a case. */
export function openSessionOf(input: SessionInput | undefined, options: Pick<TrialOptions, 'appName' | 'userId'>): OpenSession {
  const appName = input?.appName || options.appName;
  const sessionId = input?.sessionId;
  return {
    ...(appName === undefined || appName === '' ? {} : { appName }),
    userId: userIdOf(input, options.userId),
    ...(sessionId === undefined || sessionId === '' ? {} : { sessionId }),
    ...(input === undefined ? {} : { state: input.state ?? {} }),
  };
}

/** Says why a state key that was expected is not there, when the trial knows. */
export function explainMissingState(record: Pick<TrialRecord, 'childState'>, key: string): string | undefined {
  const tool = record.childState !== undefined && Object.hasOwn(record.childState, key) ? record.childState[key] : undefined;
  return tool === undefined ? undefined : `written only in child session of AgentTool ${tool}`;
}
