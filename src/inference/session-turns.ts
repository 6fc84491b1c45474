import type { Invocation } from '../evalset/types';
import { isUserEvent, invocationsFromEvents } from './fold';
import type { AgentEvent } from '../target/types';

/** The turns of a session, and what was left out. */
export interface SessionTurns {
  readonly turns: readonly Invocation[];
  /** One line for each invocation that is no turn. */
  readonly notes: readonly string[];
}

/**
 * The turns of a session, for an eval case. An invocation in which the user said nothing (a scheduled run, a greeting) is no turn:
 * as a case it would send an empty message.
 */
export function turnsFromSession(events: readonly AgentEvent[]): SessionTurns {
  const spoken = new Set(events.filter((event) => isUserEvent(event) && (event.content?.parts?.length ?? 0) > 0).map((event) => event.invocationId));
  const all = invocationsFromEvents(events.filter((event) => event.partial !== true));
  return {
    turns: all.filter((invocation) => spoken.has(invocation.invocationId)),
    notes: all
      .filter((invocation) => !spoken.has(invocation.invocationId))
      .map((invocation) => `invocation ${JSON.stringify(invocation.invocationId)} was skipped: it has no message of the user`),
  };
}
