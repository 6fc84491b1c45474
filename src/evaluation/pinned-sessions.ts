/** Cases pinned to a session that the target has already. */
import type { EvalCase } from '../evalset/types';
import { sessionsOf } from '../evalset/turns';
import { userIdOf } from '../inference/held-sessions';
import type { Problem } from '../support/errors';
import type { Target } from '../target/types';
import type { EvaluateOptions, PlannedSet } from './types';

type SetDraft = Pick<PlannedSet, 'loaded' | 'cases'>;

/** Pinned sessions that a case would have to change, or share with another; over all sets, since the target is one. */
export function pinnedProblems(sets: readonly SetDraft[], target: Target, options: EvaluateOptions): readonly Problem[] {
  if (target.keepsSessions !== true) return [];
  const pinned = sets.flatMap((set) => set.cases.flatMap(({ evalCase }) => sessionsOf(evalCase).filter(({ resumes }) => resumes === undefined).map(({ input }) => ({ set, evalCase, input, sessionId: input?.sessionId ?? '' })))).filter(({ sessionId }) => sessionId !== '');
  const withState = pinned.filter(({ input }) => Object.keys(input?.state ?? {}).length > 0);
  const bySession = new Map<string, typeof pinned>();
  for (const one of pinned) {
    const key = JSON.stringify([userIdOf(one.input, options.userId), one.sessionId]);
    bySession.set(key, [...(bySession.get(key) ?? []), one]);
  }
  return [
    ...withState.map(({ set, evalCase, sessionId }) => at(set, evalCase, {
      code: 'pinned_session',
      message: `Case "${evalCase.evalId}" is pinned to the session "${sessionId}" and brings a state, which a session that exists already does not take.`,
      hint: 'Leave out the state or session_id.',
    })),
    ...[...bySession].flatMap(([key, sharing]) => {
      const [first] = sharing;
      if (first === undefined || sharing.length === 1) return [];
      const [user, session] = JSON.parse(key) as [string, string];
      const ids = sharing.map(({ evalCase }) => `"${evalCase.evalId}"`).join(', ');
      return [at(first.set, first.evalCase, { code: 'pinned_session', message: `The cases ${ids} are pinned to one session, "${session}" of the user "${user}", and would disturb each other.`, hint: 'Give each case a session of its own, or leave session_id out.' })];
    }),
  ];
}

function at({ loaded }: SetDraft, evalCase: EvalCase, problem: Problem): Problem {
  return { ...problem, ...(loaded.placeOf(evalCase) ?? (loaded.file === '' ? {} : { file: loaded.file })) };
}
