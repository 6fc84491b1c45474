import { turnsFromSession } from '../inference/session-turns';
import type { EvalCase } from '../evalset/types';
import { refusal } from '../support/errors';
import { stateBefore, type ExportedSession } from './load';

/** A case made of a session, and what was left out of it. */
export interface CapturedCase {
  readonly evalCase: EvalCase;
  readonly notes: readonly string[];
}

/**
 * A session as an eval case: what the user said, the tools that were called and the answers become expectations, the state from before the events the case's state.
 *
 * @throws {JestAdkError} `nothing_captured` for a session in which the user said nothing
 */
export function caseFromSession(session: ExportedSession, evalId: string): CapturedCase {
  const { turns, notes } = turnsFromSession(session.events);
  if (turns.length === 0) throw refusal('nothing_captured', `The session ${JSON.stringify(session.id)} has no message of the user, so there is nothing to ask.`);
  const evalCase: EvalCase = {
    evalId,
    conversation: turns,
    sessionInput: { appName: session.appName, userId: session.userId, state: stateBefore(session) },
    creationTimestamp: session.lastUpdateTime,
    finalSessionState: {},
  };
  return { evalCase, notes };
}
