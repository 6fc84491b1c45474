/** The sessions of one trial: opened one after the other, gone on with, and closed together at the end. */
import type { PlannedSession } from '../evalset/turns';
import type { SessionInput } from '../evalset/types';
import { toErrorInfo } from '../support/errors';
import type { OpenSession, TargetSession } from '../target/types';
import { step, StepFailed, Talk, type Conversation, type Draft } from './conversation';
import type { TrialOptions } from './trial-options';

/** User of a case without `session_input`, as in google-adk. */
const defaultUserId = 'test_user_id';

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

/** What a trial holds open. */
export class HeldSessions {
  private readonly talks: Talk[] = [];
  /** Sessions of one trial belong together; a single one shares nothing. */
  private readonly group: object | undefined;

  constructor(
    private readonly trial: Conversation,
    private readonly planned: readonly PlannedSession[],
  ) {
    this.group = planned.length > 1 ? {} : undefined;
  }

  /** Opens a session, or goes on with an earlier one. */
  async enter(index: number): Promise<Talk> {
    const { trial, group } = this;
    const { record } = trial;
    const { resumes, input } = this.planned[index] as PlannedSession;
    const earlier = resumes === undefined ? undefined : this.talks[resumes];
    const session = earlier?.session ?? (await step(trial, 'opening the session', () => trial.target.openSession(this.opening(input), trial.limits.signal), 'session_failed'));
    const talk = new Talk(trial, session, group === undefined ? undefined : index, earlier);
    this.talks[index] = talk;
    if (index === 0) record.ids = session.ids;
    return talk;
  }

  /** Reads what a session came to, and has it remembered. */
  async leave(index: number): Promise<void> {
    const { trial, group } = this;
    const { record } = trial;
    const talk = this.talks[index] as Talk;
    const { name, addToMemory } = this.planned[index] as PlannedSession;
    talk.end();
    // A session may learn its id with its first turn.
    if (index === 0) record.ids = talk.session.ids;
    delete record.finalState;
    await readOutcome(trial, talk.session);
    if (group === undefined) return;
    const turns = record.invocations.filter(({ session }) => session === index).length;
    record.sessions = [...(record.sessions ?? []), { ...(name === undefined ? {} : { name }), ids: talk.session.ids, turns, ...(record.finalState === undefined ? {} : { finalState: record.finalState }) }];
    const { addToMemory: add } = talk.session;
    if (addToMemory && record.error === undefined && add !== undefined) {
      await step(trial, `adding session ${index + 1} to the memory (its "add_to_memory": false leaves that out)`, () => add.call(talk.session, trial.limits.signal), 'memory_failed');
    }
  }

  /** Closes them all, the last one first: the first may hold what the others use. */
  async close(): Promise<void> {
    for (const session of [...new Set(this.talks.map((talk) => talk.session))].reverse()) await closeSession(this.trial, session);
  }

  private opening(input: SessionInput | undefined): OpenSession {
    const { environment, limits, options } = this.trial;
    const opening = { ...openSessionOf(input, options), ...(this.group === undefined ? {} : { group: this.group }) };
    if (environment === undefined) return opening;
    return {
      ...opening,
      standIn: async ({ declarations, ...call }) => {
        const outcome = await environment.simulate({ ...call, declarations: declarations() }, limits.signal);
        return outcome.simulated ? outcome.result : undefined;
      },
    };
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
    if (artifacts !== undefined) record.artifacts = [...new Set([...(record.artifacts ?? []), ...artifacts])];
  } catch (thrown) {
    record.warnings = [...record.warnings, saidOf(thrown)];
  }
  dropKnownState(record);
}

async function closeSession(trial: Conversation, session: TargetSession): Promise<void> {
  const { record } = trial;
  try {
    await step(trial, 'closing the session', () => session.close(), 'close_failed', true);
  } catch (thrown) {
    if (record.endReason === 'completed' || record.endReason === 'error') record.warnings = [...record.warnings, saidOf(thrown)];
  }
}

function saidOf(thrown: unknown): string {
  return thrown instanceof StepFailed ? `${thrown.label} failed: ${thrown.info.message}` : toErrorInfo(thrown).message;
}

function dropKnownState(record: Draft): void {
  const { childState, finalState } = record;
  if (childState === undefined || finalState === undefined) return;
  const left = Object.entries(childState).filter(([key]) => !Object.hasOwn(finalState, key));
  if (left.length > 0) record.childState = Object.fromEntries(left);
  else delete record.childState;
}
