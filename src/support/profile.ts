/**
 * Compatibility is data, not branches: every place where jest-adk differs from google-adk reads one named choice from here,
 * and docs/compatibility.md is generated from this file.
 *
 * `figures` change a score or a status; `refusals` say whether something that google-adk accepts silently is refused.
 */
export interface Profile {
  readonly name: 'default' | 'google-adk';

  // figures
  /** Thought parts are part of the answer's text. Otherwise they are left out on both sides. */
  readonly thoughtsAreText: boolean;
  /** In tool arguments `true` equals 1 and `false` equals 0, as in Python. Otherwise they differ; a warning says so where it decides a match. */
  readonly booleansEqualNumbers: boolean;
  /** The argument of `transfer_to_agent` is compared by its spelling: `agent_name`, as Python's SDK calls it, differs from `agentName`, as TypeScript's does. Otherwise the two are one argument of that tool. */
  readonly transferSpellingsDiffer: boolean;
  /** A turn without a reference response (legacy: without `reference`) expects the empty text and scores 0. Otherwise it expects no particular answer, and the response is not judged. */
  readonly missingReferenceIsEmptyText: boolean;
  /** How far below its threshold a score still passes. */
  readonly thresholdTolerance: number;
  /** A case passes beside a metric that could not be evaluated. Otherwise that is an error of the case. */
  readonly unevaluatedPasses: boolean;
  /** A metric result with too few turns, or a repeated rubric id, ends the whole evaluation and nothing is saved. Otherwise it is an error of its case. */
  readonly badCaseAbortsAll: boolean;
  /** A trial whose agent failed counts as failed and has no metric results. Otherwise it is an error, and the turns before it are scored. */
  readonly agentErrorIsFailed: boolean;
  /** A metric without any score fails the case under the pass policy `mean`, also when there was nothing to judge. Otherwise one with nothing to judge leaves the verdict to the others. */
  readonly nothingToJudgeFails: boolean;
  /** A case in which every metric is informational passes under the pass policy `mean`. Otherwise a case in which nothing was judged is an error. */
  readonly unjudgedPasses: boolean;
  /** An empty `app_name` in a case's session input fails the case. Otherwise it means the default. */
  readonly emptyAppNameFails: boolean;
  /** An agent that stays silent in a turn ends the whole evaluation and nothing is saved. Otherwise the turn is kept as unanswered and scored as no response and no calls. */
  readonly turnCountAbortsAll: boolean;

  // refusals
  /** An explicit config file that is missing means the default criteria. Otherwise it is an error. */
  readonly missingConfigIsDefault: boolean;
  /** `criteria: {}` is accepted, and only informational metrics run. Otherwise it is an error. */
  readonly emptyCriteriaAccepted: boolean;
  /** Unknown metric names and bad criterion fields surface as "not evaluated" while running. Otherwise they are errors when the config is read. */
  readonly criteriaCheckedLate: boolean;
  /** Unknown case ids in a selection are ignored. Otherwise they are errors that name the nearest id. */
  readonly unknownCaseIdsIgnored: boolean;
  /** A case that is pinned to a session may run several times in it. Otherwise it is refused with more than one run. */
  readonly pinnedSessionsRerun: boolean;
  /** An eval set without cases runs. Otherwise it is an error. */
  readonly emptySetAccepted: boolean;
  /** A key of a config, or of an event in a turn, that is nearly a known one is treated like any other unknown key. Otherwise it is an error that names the known one. */
  readonly misspeltKeysPass: boolean;
  /** Only `test_config.json` beside the eval set is looked up. Otherwise `<stem>.config.json`, `eval_config.json` and the folder above `evalsets` are looked at as well. */
  readonly onlyTestConfig: boolean;
  /** A file that is no eval set for any reason is tried as legacy, and the top level knows no camelCase. Otherwise its shape decides, and its own errors are told. */
  readonly legacyByFailure: boolean;
}

/** What jest-adk does unless told otherwise. */
export const defaultProfile: Profile = {
  name: 'default',
  thoughtsAreText: false,
  booleansEqualNumbers: false,
  transferSpellingsDiffer: false,
  missingReferenceIsEmptyText: false,
  thresholdTolerance: 1e-9,
  unevaluatedPasses: false,
  badCaseAbortsAll: false,
  agentErrorIsFailed: false,
  nothingToJudgeFails: false,
  unjudgedPasses: false,
  emptyAppNameFails: false,
  turnCountAbortsAll: false,
  missingConfigIsDefault: false,
  emptyCriteriaAccepted: false,
  criteriaCheckedLate: false,
  unknownCaseIdsIgnored: false,
  pinnedSessionsRerun: false,
  emptySetAccepted: false,
  misspeltKeysPass: false,
  onlyTestConfig: false,
  legacyByFailure: false,
};

/** `compatibility: 'google-adk'`: every figure and every silence of google-adk 2.13. */
export const googleAdkProfile: Profile = {
  name: 'google-adk',
  thoughtsAreText: true,
  booleansEqualNumbers: true,
  transferSpellingsDiffer: true,
  missingReferenceIsEmptyText: true,
  thresholdTolerance: 0,
  unevaluatedPasses: true,
  badCaseAbortsAll: true,
  agentErrorIsFailed: true,
  nothingToJudgeFails: true,
  unjudgedPasses: true,
  emptyAppNameFails: true,
  turnCountAbortsAll: true,
  missingConfigIsDefault: true,
  emptyCriteriaAccepted: true,
  criteriaCheckedLate: true,
  unknownCaseIdsIgnored: true,
  pinnedSessionsRerun: true,
  emptySetAccepted: false,
  misspeltKeysPass: true,
  onlyTestConfig: true,
  legacyByFailure: true,
};

/** The profile that the option `compatibility` names; the default one without it. */
export function profileFor(compatibility: 'google-adk' | undefined): Profile {
  return compatibility === 'google-adk' ? googleAdkProfile : defaultProfile;
}
