import { sessionsOf } from '../evalset/turns';
import type { EvalCase } from '../evalset/types';
import { toErrorInfo } from '../support/errors';
import { systemClock, type Clock } from '../support/clock';
import type { Environment } from '../simulation/environment/types';
import type { Target } from '../target/types';
import { playTurns, runTurns, step, StepFailed, type Conversation, type Draft } from './conversation';
import { HeldSessions, openSessionOf } from './held-sessions';
import { Stopped, TrialLimits } from './limits';
import type { TrialInfo, TrialOptions } from './trial-options';
import { turnNotRun } from './turn';
import type { TrialRecord } from './types';

/**
 * Runs one case once, in a session of its own. Never rejects: whatever goes wrong is in the record. The trial stops after a turn
 * that ended in an error; the turns after it are `not_run`.
 */
export async function runTrial(target: Target, evalCase: EvalCase, info: TrialInfo, options: TrialOptions, signal: AbortSignal): Promise<TrialRecord> {
  const clock = options.clock ?? systemClock;
  const begun = clock.elapsed();
  const inputs = sessionsOf(evalCase).map(({ input }) => openSessionOf(input, options));
  const input = inputs[0] ?? openSessionOf(undefined, options);
  const record: Draft = {
    evalId: evalCase.evalId,
    trial: info.trial,
    ids: { appName: input.appName ?? target.appName ?? '', userId: input.userId, sessionId: input.sessionId ?? '' },
    invocations: [],
    endReason: 'completed',
    warnings: inputs.some(({ state }) => Object.keys(state ?? {}).some((key) => key.startsWith('temp:'))) ? ['session_input.state has `temp:` keys, which no session stores: they are not seen by the agent'] : [],
    startedAt: clock.now(),
    durationMs: 0,
  };
  const limits = new TrialLimits(clock, options.unlimited === true ? {} : options, signal);
  try {
    const environment = options.environmentFor?.(evalCase, info);
    await converse({ target, evalCase, info, options, clock, limits, record, environment });
    if (environment !== undefined) noteEnvironment(record, environment);
  } finally {
    limits.close();
  }
  record.durationMs = clock.elapsed() - begun;
  return afterTrial(record, info, options, clock);
}

async function converse(trial: Conversation): Promise<void> {
  const { record, evalCase, options, info } = trial;
  const sessions = sessionsOf(evalCase);
  const user = evalCase.conversationScenario === undefined ? undefined : options.userFor?.(evalCase, info);
  const held = new HeldSessions(trial, sessions);
  try {
    if (options.beforeTrial !== undefined) await step(trial, 'the beforeTrial hook', async () => options.beforeTrial?.(info), 'before_trial_failed');
    for (const [index, { turns }] of sessions.entries()) {
      const talk = await held.enter(index);
      if (user === undefined) await runTurns(trial, talk, turns.map((turn) => turn.userContent));
      else await playTurns(trial, talk, user);
      await held.leave(index);
      if (record.error !== undefined) break;
    }
  } catch (thrown) {
    endWith(record, thrown);
  } finally {
    if (record.error !== undefined) record.invocations = [...record.invocations, ...sessions.flatMap(({ turns }) => turns).slice(record.invocations.length).map((turn) => turnNotRun(turn.userContent))];
    await held.close();
  }
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

/** Says why a state key that was expected is not there, when the trial knows. */
export function explainMissingState(record: Pick<TrialRecord, 'childState'>, key: string): string | undefined {
  const tool = record.childState !== undefined && Object.hasOwn(record.childState, key) ? record.childState[key] : undefined;
  return tool === undefined ? undefined : `written only in child session of AgentTool ${tool}`;
}
