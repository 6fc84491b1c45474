import type { EvalCase, Invocation, JsonObject, SessionInput } from './types';

/** One session of a case, in the order in which they are held. */
export interface PlannedSession {
  readonly name?: string;
  /** Index of the earlier session that goes on. */
  readonly resumes?: number;
  readonly input: SessionInput | undefined;
  /** Empty for a scenario. */
  readonly turns: readonly Invocation[];
  readonly expectedState?: JsonObject;
  /** Whether the session goes to the memory service at its end; only among several. */
  readonly addToMemory: boolean;
}

/** The sessions of a case; one, unless it has `sessions`. Only the first starts in the state that the case itself gives. */
export function sessionsOf({ sessions, conversation = [], sessionInput, finalSessionState }: EvalCase): readonly PlannedSession[] {
  const own = (expectedState: JsonObject | undefined): Pick<PlannedSession, 'expectedState'> => (expectedState === undefined ? {} : { expectedState });
  if (sessions === undefined) return [{ input: sessionInput, turns: conversation, addToMemory: false, ...own(finalSessionState) }];
  const later: SessionInput | undefined = sessionInput === undefined ? undefined : { appName: sessionInput.appName, userId: sessionInput.userId, state: {} };
  return sessions.map((session, index) => {
    const resumes = session.resumes === undefined ? -1 : sessions.findIndex(({ name }, at) => at < index && name === session.resumes);
    const isLast = index === sessions.length - 1;
    return {
      ...(session.name === undefined ? {} : { name: session.name }),
      ...(resumes === -1 ? {} : { resumes }),
      input: session.sessionInput ?? (index === 0 ? sessionInput : later),
      turns: session.conversation,
      addToMemory: session.addToMemory && !isLast,
      ...own(session.finalSessionState ?? (isLast ? finalSessionState : undefined)),
    };
  });
}

/** The written turns of a case in the order in which they are sent, those of all its sessions; undefined for a scenario. */
export function writtenTurns({ conversation, sessions }: Pick<EvalCase, 'conversation' | 'sessions'>): readonly Invocation[] | undefined {
  return conversation ?? sessions?.flatMap((session) => session.conversation);
}

/** The written turns with their pointers, from the case. */
export function placedTurns({ conversation = [], sessions = [] }: EvalCase): readonly { readonly turn: Invocation; readonly path: readonly (string | number)[] }[] {
  return [
    ...conversation.map((turn, index) => ({ turn, path: ['conversation', index] })),
    ...sessions.flatMap((session, at) => session.conversation.map((turn, index) => ({ turn, path: ['sessions', at, 'conversation', index] }))),
  ];
}
