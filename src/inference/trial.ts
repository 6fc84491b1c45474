import type { Content, EvalCase, SessionInput } from '../evalset/types';
import { type ErrorInfo, toErrorInfo } from '../support/errors';
import { redact } from '../support/secrets';
import type { AgentEvent, OpenSession, Target, TargetSession } from '../target/types';
import { type Clock, systemClock } from '../support/clock';
import { isErrorEvent } from './fold';
import { TrialLimits, Stopped, type LimitOptions, type Step } from './limits';
import { pendingCallIds } from './tool-calls';
import { answerPending } from './pending';
import { foldTurn, turnNotRun } from './turn';
import type { ActualInvocation, EndReason, TrialRecord } from './types';

/** User of a case without `session_input`, as in google-adk. */
const defaultUserId = 'test_user_id';

/** Which trial a hook is called for. */
export interface TrialInfo {
  readonly evalSetId: string;
  readonly evalId: string;
  /** Counts from 0. */
  readonly trial: number;
}

/** How trials are run; the same for all of an evaluation. */
export interface TrialOptions extends LimitOptions {
  /** App name of cases that do not say one; without it the target's own. */
  readonly appName?: string | undefined;
  /** User id of cases that do not say one; `test_user_id` without it. */
  readonly userId?: string | undefined;
  /** No time limits: a debugger is attached. */
  readonly unlimited?: boolean | undefined;
  /** The answer of a turn is the last final response of this author. */
  readonly finalResponseFrom?: string | undefined;
  /** Makes what is sent of what the case says, e.g. reads the files it names; the record keeps what the case says. What it throws is the turn's error. */
  readonly prepareContent?: ((content: Content, trial: TrialInfo) => Content) | undefined;
  readonly beforeTrial?: ((trial: TrialInfo) => void | Promise<void>) | undefined;
  readonly afterTrial?: ((trial: TrialInfo, record: TrialRecord) => void | Promise<void>) | undefined;
  readonly onTurn?: ((trial: TrialInfo, turn: number, invocation: ActualInvocation) => void) | undefined;
  readonly clock?: Clock;
}

type Draft = { -readonly [K in keyof TrialRecord]: TrialRecord[K] };

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
    await converse({ target, evalCase, info, options, input, clock, limits, record });
  } finally {
    limits.close();
  }
  record.durationMs = clock.elapsed() - begun;
  return afterTrial(record, info, options, clock);
}

interface Conversation {
  readonly target: Target;
  readonly evalCase: EvalCase;
  readonly info: TrialInfo;
  readonly options: TrialOptions;
  readonly input: OpenSession;
  readonly clock: Clock;
  readonly limits: TrialLimits;
  readonly record: Draft;
}

async function converse(trial: Conversation): Promise<void> {
  const { record, evalCase, options, info } = trial;
  const turns = (evalCase.conversation ?? []).map((turn) => turn.userContent);
  let session: TargetSession | undefined;
  try {
    if (options.beforeTrial !== undefined) await step(trial, 'the beforeTrial hook', async () => options.beforeTrial?.(info), 'before_trial_failed');
    session = await step(trial, 'opening the session', () => trial.target.openSession(trial.input, trial.limits.signal), 'session_failed');
    record.ids = session.ids;
    record.invocations = await runTurns(trial, session, turns);
    record.ids = session.ids;
    await readOutcome(trial, session);
  } catch (thrown) {
    endWith(record, thrown);
    record.invocations = [...record.invocations, ...turns.slice(record.invocations.length).map(turnNotRun)];
  } finally {
    if (session !== undefined) await closeSession(trial, session);
  }
}

/** Runs one thing under the trial's limits; unless it has to be done `always`, only if there is time left. */
async function step<T>(trial: Conversation, label: string, work: () => Promise<T>, code: string, always = false): Promise<T> {
  const limit = trial.limits.start(label);
  try {
    if (!always) limit.check();
    return await limit.race(work());
  } catch (thrown) {
    throw thrown instanceof Stopped ? thrown : new StepFailed(toErrorInfo(thrown, code), label);
  } finally {
    limit.end();
  }
}

/** Something beside the turns failed. */
class StepFailed extends Error {
  constructor(
    readonly info: ErrorInfo,
    readonly label: string,
  ) {
    super(info.message);
  }
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

async function runTurns(trial: Conversation, session: TargetSession, turns: readonly Content[]): Promise<readonly ActualInvocation[]> {
  const { record } = trial;
  const done: ActualInvocation[] = [];
  const childState = new Map<string, string>();
  let waiting: readonly { readonly name: string; readonly id: string }[] = [];
  for (const [index, content] of turns.entries()) {
    if (record.endReason !== 'completed') {
      done.push(turnNotRun(content));
      continue;
    }
    const { invocation, events, reason } = await runTurn(trial, session, answerPending(content, waiting), content, index);
    waiting = [...waiting, ...pendingCallIds(events)];
    for (const event of events) noteChildState(event, childState);
    if (invocation.error === undefined) record.warnings = [...record.warnings, ...errorsBeside(events, index)];
    done.push(invocation);
    trial.options.onTurn?.(trial.info, index, invocation);
    if (invocation.error === undefined) continue;
    record.endReason = reason;
    record.error = reason === 'error' ? { code: invocation.error.code, message: `turn ${index + 1}: ${invocation.error.message}` } : invocation.error;
  }
  if (childState.size > 0) record.childState = Object.fromEntries(childState);
  return done.slice();
}

interface TurnEnd {
  readonly invocation: ActualInvocation;
  readonly events: readonly AgentEvent[];
  readonly reason: EndReason;
}

async function runTurn(trial: Conversation, session: TargetSession, sent: Content, planned: Content, index: number): Promise<TurnEnd> {
  const { clock } = trial;
  const startedAt = clock.now();
  const begun = clock.elapsed();
  const events: AgentEvent[] = [];
  const limit = trial.limits.start(`turn ${index + 1}`);
  let error: ErrorInfo | undefined;
  let reason: EndReason = 'error';
  try {
    await collect(session, trial.limits.signal, trial.options.prepareContent?.(sent, trial.info) ?? sent, limit, events);
  } catch (thrown) {
    if (thrown instanceof Stopped) reason = thrown.why.reason;
    error = thrown instanceof Stopped ? thrown.why.error : toErrorInfo(thrown, 'inference_error');
  } finally {
    limit.end();
  }
  const invocation = foldTurn({
    content: planned,
    events,
    startedAt,
    latencyMs: clock.elapsed() - begun,
    ...(error === undefined ? {} : { error }),
    observations: session.observations?.(),
    finalResponseFrom: trial.options.finalResponseFrom,
  });
  return { invocation, events, reason };
}

/** Events that are taken before timers have their turn: an agent that never leaves the microtask queue must not outrun its limits. */
const eventsInARow = 256;

/** Takes the events one by one; a generator that does not end after a limit is left to itself. */
async function collect(session: TargetSession, signal: AbortSignal, content: Content, limit: Step, events: AgentEvent[]): Promise<void> {
  limit.check();
  const iterator = session.send(content, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await limit.race(iterator.next());
      if (next.done === true) return;
      events.push(next.value);
      if (events.length % eventsInARow === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (thrown) {
    if (thrown instanceof Stopped) iterator.return?.()?.then(undefined, () => undefined);
    throw thrown;
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

/** Errors that the agent reported in a turn that it answered all the same. */
function errorsBeside(events: readonly AgentEvent[], index: number): readonly string[] {
  return events.filter(isErrorEvent).map(({ errorCode, errorMessage }) => `turn ${index + 1}: the agent reported ${redact([errorCode, errorMessage].filter(Boolean).join(': '))}, and answered`);
}

/** Remembers which state was written inside an AgentTool. */
function noteChildState(event: AgentEvent, childState: Map<string, string>): void {
  if (event.nestedIn === undefined) return;
  for (const key of Object.keys(event.actions?.stateDelta ?? {})) childState.set(key, event.nestedIn);
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
