/**
 * Compatibility is data, not branches: every place where jest-adk differs from google-adk reads one named choice from here,
 * and docs/compatibility.md is generated from this file.
 *
 * `figures` change a score or a status; `refusals` say whether something that google-adk accepts silently is refused.
 */
export interface Profile {
  readonly name: 'default' | 'google-adk';

  // figures
  /** Thought parts are part of the answer's text. */
  readonly thoughtsAreText: boolean;
  /** In tool arguments `true` equals 1 and `false` equals 0, as in Python. */
  readonly booleansEqualNumbers: boolean;
  /** A legacy turn without `reference` expects the empty text (and scores 0) instead of expecting nothing. */
  readonly missingReferenceIsEmptyText: boolean;
  /** A score this far below its threshold still passes. */
  readonly thresholdTolerance: number;
  /** A case passes beside a metric that could not be evaluated. */
  readonly unevaluatedPasses: boolean;
  /** A metric result with too few turns, or a repeated rubric id, ends the whole evaluation instead of making its case an error. */
  readonly badCaseAbortsAll: boolean;
  /** A trial whose agent failed counts as failed and has no metric results, instead of being an error with the turns before it scored. */
  readonly agentErrorIsFailed: boolean;
  /** A metric that never gave a score fails the case even when there was nothing to judge, e.g. no expected answer. */
  readonly nothingToJudgeFails: boolean;
  /** A case in which no metric judged anything passes under the pass policy `mean`. */
  readonly unjudgedPasses: boolean;
  /** Number of turns that differs from the case (a silent agent) ends the whole evaluation. */
  readonly turnCountAbortsAll: boolean;

  // refusals
  /** An explicit config file that is missing means the default criteria. */
  readonly missingConfigIsDefault: boolean;
  /** `criteria: {}` is accepted, and only informational metrics run. */
  readonly emptyCriteriaAccepted: boolean;
  /** Unknown metric names and bad criterion fields surface as "not evaluated" while running instead of when the config is read. */
  readonly criteriaCheckedLate: boolean;
  /** Unknown case ids in a selection are ignored. */
  readonly unknownCaseIdsIgnored: boolean;
  /** A case that is pinned to a session may run several times in it. */
  readonly pinnedSessionsRerun: boolean;
  /** An eval set without cases runs. */
  readonly emptySetAccepted: boolean;
  /** Only `test_config.json` beside the eval set is looked up. */
  readonly onlyTestConfig: boolean;
  /** A file that is no EvalSet for any reason is tried as legacy; set-level camelCase is unknown. */
  readonly legacyByFailure: boolean;
}

/** What jest-adk does unless told otherwise. */
export const defaultProfile: Profile = {
  name: 'default',
  thoughtsAreText: false,
  booleansEqualNumbers: false,
  missingReferenceIsEmptyText: false,
  thresholdTolerance: 1e-9,
  unevaluatedPasses: false,
  badCaseAbortsAll: false,
  agentErrorIsFailed: false,
  nothingToJudgeFails: false,
  unjudgedPasses: false,
  turnCountAbortsAll: false,
  missingConfigIsDefault: false,
  emptyCriteriaAccepted: false,
  criteriaCheckedLate: false,
  unknownCaseIdsIgnored: false,
  pinnedSessionsRerun: false,
  emptySetAccepted: false,
  onlyTestConfig: false,
  legacyByFailure: false,
};

/** `compatibility: 'google-adk'`: every figure and every silence of google-adk 2.13. */
export const googleAdkProfile: Profile = {
  name: 'google-adk',
  thoughtsAreText: true,
  booleansEqualNumbers: true,
  missingReferenceIsEmptyText: true,
  thresholdTolerance: 0,
  unevaluatedPasses: true,
  badCaseAbortsAll: true,
  agentErrorIsFailed: true,
  nothingToJudgeFails: true,
  unjudgedPasses: true,
  turnCountAbortsAll: true,
  missingConfigIsDefault: true,
  emptyCriteriaAccepted: true,
  criteriaCheckedLate: true,
  unknownCaseIdsIgnored: true,
  pinnedSessionsRerun: true,
  emptySetAccepted: false,
  onlyTestConfig: true,
  legacyByFailure: true,
};

export function profileFor(compatibility: 'google-adk' | undefined): Profile {
  return compatibility === 'google-adk' ? googleAdkProfile : defaultProfile;
}
