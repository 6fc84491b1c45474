/** What stops a single case, or a whole set, before any agent is contacted. */
import { sessionsOf, writtenTurns } from '../evalset/turns';
import type { EvalCase, EvalSet, Loaded } from '../evalset/types';
import type { MadeMetric } from '../metrics/registry';
import type { ErrorInfo, Problem } from '../support/errors';
import { didYouMean } from '../support/nearest';
import type { Profile } from '../support/profile';
import type { Target } from '../target/types';
import type { CheckedOptions } from './options';
import { duplicateRubrics } from './rubric-checks';

/** Problems that refuse the run: repeated case ids, and sessions that two trials would have to share. */
export function setProblems(loaded: Loaded<EvalSet>, cases: readonly EvalCase[], options: CheckedOptions): readonly Problem[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { evalId } of loaded.value.evalCases) (seen.has(evalId) ? repeated : seen).add(evalId);
  return [
    ...[...repeated].map((evalId) => at(loaded, loaded.value.evalCases.findLast((one) => one.evalId === evalId), {
      code: 'duplicate_case_id',
      message: `The case id "${evalId}" occurs more than once in the eval set "${loaded.value.evalSetId}".`,
      hint: 'Give every case an id of its own.',
    })),
    ...cases.flatMap((one) => sessionProblems(loaded, one)),
    ...(options.profile.badCaseAbortsAll ? [] : duplicateRubrics(cases, loaded)),
    ...(options.profile.pinnedSessionsRerun || options.numRuns === 1 ? [] : cases.filter((one) => pinnedTo(one) !== undefined).map((one) => at(loaded, one, {
      code: 'pinned_session',
      message: `Case "${one.evalId}" is pinned to the session "${pinnedTo(one)}" and would run ${options.numRuns} times in it.`,
      hint: 'Run it once (--num-runs 1 on the command line, numRuns: 1 in code), or leave session_id out.',
    }))),
  ];
}

/** The first session that a case does not make for itself. */
function pinnedTo(evalCase: EvalCase): string | undefined {
  return sessionsOf(evalCase).map(({ input }) => input?.sessionId).find((id) => id !== undefined && id !== '');
}

/** What is wrong with the sessions of a case that has several. */
function sessionProblems(loaded: Loaded<EvalSet>, { evalId, sessions }: EvalCase): readonly Problem[] {
  if (sessions === undefined) return [];
  const names = sessions.flatMap(({ name }) => name ?? []);
  return sessions.flatMap((session, index) => {
    const problem = (message: string, hint: string): readonly Problem[] => [at(loaded, session, { code: 'bad_session', message: `Session ${index + 1} of case "${evalId}" ${message}`, hint })];
    const { name, resumes } = session;
    return [
      ...(session.conversation.length === 0 ? problem('has no turns.', 'Give it a conversation, or leave the session out.') : []),
      ...(name !== undefined && names.indexOf(name) !== names.lastIndexOf(name) && sessions.findIndex((one) => one.name === name) !== index ? problem(`has the name "${name}" of another one.`, 'To go on with a session, name it in "resumes".') : []),
      ...(resumes !== undefined && !sessions.slice(0, index).some((one) => one.name === resumes) ? problem(`resumes "${resumes}", and no session before it has that name.`, didYouMean(resumes, names) ?? 'Give the earlier session a "name".') : []),
      ...(resumes !== undefined && session.sessionInput !== undefined ? problem('goes on with an earlier one and brings a session_input.', 'Leave session_input out: the session has its state already.') : []),
    ];
  });
}

function at(loaded: Loaded<EvalSet>, node: object | undefined, problem: Problem): Problem {
  const place = node === undefined ? undefined : loaded.placeOf(node);
  return { ...problem, ...(place ?? (loaded.file === '' ? {} : { file: loaded.file })) };
}

/** Why a case cannot be run or judged; it becomes an error and the others run. Undefined when nothing is in the way. */
export function caseError(evalCase: EvalCase, profile: Profile): ErrorInfo | undefined {
  if (writtenTurns(evalCase)?.length === 0 && !profile.unjudgedPasses) {
    return { code: 'no_turns', message: 'This case has no turns, so there is nothing to ask and nothing to judge.' };
  }
  if (profile.emptyAppNameFails && evalCase.sessionInput?.appName === '') {
    return { code: 'empty_app_name', message: 'The session input of this case has an empty app_name, with which google-adk cannot run an agent.' };
  }
  return undefined;
}

/** What metrics need of a target, in words. */
const needed = { appDetails: 'the details of the agent', state: 'the session state', artifacts: 'the artifacts of the session' } as const;

/** Metrics whose needs the target cannot meet, whatever the case. What is not known yet shows while running. */
export function unmetNeeds(metrics: readonly MadeMetric[], target: Target, detailsGiven: boolean): readonly Problem[] {
  return metrics.flatMap(({ metric }) =>
    (Object.keys(needed) as (keyof typeof needed)[])
      .filter((need) => metric.needs.includes(need) && target.capabilities[need] === false && !(need === 'appDetails' && detailsGiven))
      .map((need) => ({ code: 'metric_needs', message: `${metric.name} needs ${needed[need]}, which a target of the kind "${target.kind}" does not give.` })),
  );
}
