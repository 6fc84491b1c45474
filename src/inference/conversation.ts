/** The turns of one trial, written or played, under its limits. */
import type { Content, EvalCase } from '../evalset/types';
import { type ErrorInfo, toErrorInfo } from '../support/errors';
import { redact } from '../support/secrets';
import type { Clock } from '../support/clock';
import type { Environment } from '../simulation/environment/types';
import type { HistoryEvent, NextMessage, UserSimulator } from '../simulation/user/types';
import type { AgentEvent, Target, TargetSession } from '../target/types';
import { isErrorEvent } from './fold';
import { Stopped, type Step, type TrialLimits } from './limits';
import { answerPending } from './pending';
import { pendingCallIds } from './tool-calls';
import type { TrialInfo, TrialOptions } from './trial-options';
import { foldTurn, turnNotRun } from './turn';
import type { ActualInvocation, EndReason, TrialRecord } from './types';

/** A record that is being written. */
export type Draft = { -readonly [K in keyof TrialRecord]: TrialRecord[K] };

/** One trial under way. */
export interface Conversation {
  readonly target: Target;
  readonly evalCase: EvalCase;
  readonly info: TrialInfo;
  readonly options: TrialOptions;
  readonly clock: Clock;
  readonly limits: TrialLimits;
  readonly record: Draft;
  /** Answers for tools. */
  readonly environment?: Environment | undefined;
}

/** Runs one thing under the trial's limits; unless it has to be done `always`, only if there is time left. */
export async function step<T>(trial: Conversation, label: string, work: () => Promise<T>, code: string, always = false): Promise<T> {
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
export class StepFailed extends Error {
  constructor(
    readonly info: ErrorInfo,
    readonly label: string,
  ) {
    super(info.message);
  }
}

/** The conversation of one session as it goes: what later turns need of earlier ones. */
export class Talk {
  private readonly childState = new Map<string, string>();
  readonly history: HistoryEvent[] = [];
  private waiting: readonly { readonly name: string; readonly id: string }[];

  constructor(
    private readonly trial: Conversation,
    readonly session: TargetSession,
    /** Among several sessions: which one, from 0. */
    private readonly index?: number,
    /** The same session, earlier: what it waits for is waited for still. */
    earlier?: Talk,
  ) {
    this.waiting = earlier?.waiting ?? [];
  }

  /** Runs one turn and keeps what came of it in the record. */
  async turn(content: Content): Promise<void> {
    const { record, options, info } = this.trial;
    const index = record.invocations.length;
    const { invocation, events, reason } = await runTurn(this.trial, this.session, answerPending(content, this.waiting), content, index);
    this.waiting = [...this.waiting, ...pendingCallIds(events)];
    for (const event of events) noteChildState(event, this.childState);
    this.history.push({ author: 'user', content }, ...events.filter((event) => event.partial !== true && event.nestedIn === undefined && event.author !== 'user'));
    if (invocation.error === undefined) record.warnings = [...record.warnings, ...errorsBeside(events, index)];
    record.invocations = [...record.invocations, { ...withSimulated(invocation, this.trial.environment), ...(this.index === undefined ? {} : { session: this.index }) }];
    options.onTurn?.(info, index, invocation);
    if (invocation.error === undefined) return;
    record.endReason = reason;
    record.error = reason === 'error' ? { code: invocation.error.code, message: `turn ${index + 1}: ${invocation.error.message}` } : invocation.error;
  }

  /** Notes what can only be known at the end. */
  end(): void {
    const { record } = this.trial;
    if (this.childState.size > 0) record.childState = { ...record.childState, ...Object.fromEntries(this.childState) };
  }
}

/** Marks the calls that were answered for. */
function withSimulated(invocation: ActualInvocation, environment: Environment | undefined): ActualInvocation {
  if (environment === undefined || environment.simulatedIds.size === 0) return invocation;
  return { ...invocation, toolCalls: invocation.toolCalls.map((call) => (call.id !== undefined && environment.simulatedIds.has(call.id) ? { ...call, simulated: true } : call)) };
}

/** Sends the written turns, one after the other; after an error the others are `not_run`. */
export async function runTurns({ record }: Conversation, talk: Talk, turns: readonly Content[]): Promise<void> {
  for (const content of turns) {
    if (record.endReason === 'completed') await talk.turn(content);
    else record.invocations = [...record.invocations, turnNotRun(content)];
  }
  talk.end();
}

/** A conversation with a simulated user. What was said stays in the record when the user's model fails: that is no failure of the agent. */
export async function playTurns(trial: Conversation, talk: Talk, user: UserSimulator): Promise<void> {
  const { record } = trial;
  while (record.endReason === 'completed') {
    let next: NextMessage;
    try {
      next = await step(trial, 'asking the simulated user', () => user.next(talk.history, trial.limits.signal), 'simulator_error');
    } catch (thrown) {
      if (!(thrown instanceof StepFailed)) throw thrown;
      record.endReason = 'simulator_error';
      record.error = { code: 'simulator_error', message: `the simulated user failed after ${record.invocations.length} turns: ${thrown.info.message}` };
      break;
    }
    if (next.status === 'success') {
      await talk.turn(next.content);
      continue;
    }
    record.endReason = next.status === 'turn_limit_reached' ? 'max_turns' : 'stop_signal';
    if (next.dropped !== undefined) record.droppedMessage = next.dropped;
  }
  talk.end();
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
    appDetails: trial.options.appDetails,
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

/** Remembers which state was written inside an AgentTool. */
function noteChildState(event: AgentEvent, childState: Map<string, string>): void {
  if (event.nestedIn === undefined) return;
  for (const key of Object.keys(event.actions?.stateDelta ?? {})) childState.set(key, event.nestedIn);
}

/** Errors that the agent reported in a turn that it answered all the same. */
function errorsBeside(events: readonly AgentEvent[], index: number): readonly string[] {
  return events.filter(isErrorEvent).map(({ errorCode, errorMessage }) => `turn ${index + 1}: the agent reported ${redact([errorCode, errorMessage].filter(Boolean).join(': '))}, and answered`);
}
