/** Votes on rubrics, and what turns and a case score by them. Source of the figures: google-adk 2.13. */
import type { Rubric } from '../../evalset/types';
import type { Sample } from '../../judge/sampling';
import { quorum, tally, winner } from '../../judge/votes';
import { exactMean } from '../../support/exact-mean';
import type { Profile } from '../../support/profile';
import type { InvocationScore, Judgment, MetricDetails, MetricScore } from '../types';
import { failureOf, overall, problemsOf, scored, unjudged } from './judged-metric';
import type { RubricCriterion } from './options';
import type { RubricVerdict } from './rubric-parse';

/** One sample: its verdicts on rubrics. */
export type RubricSample = Sample<readonly RubricVerdict[]>;

/** What a vote depends on beside the samples. */
export interface VoteOptions {
  readonly criterion: Pick<RubricCriterion, 'judgeModelOptions' | 'minCoverage'>;
  readonly threshold: number | null;
  readonly profile: Profile;
}

type RubricScores = NonNullable<MetricDetails['rubricScores']>;

/**
 * The winning verdict on each rubric, in the order of first mention, or of the list where the samples must mention all.
 *
 * @param verdicts  those of one sample each
 */
function voteOnRubrics(verdicts: readonly (readonly RubricVerdict[])[]): readonly RubricVerdict[] {
  const ids = [...new Set(verdicts.flat().map(({ rubricId }) => rubricId))];
  return ids.flatMap((id) => winner(verdicts.flat().filter(({ rubricId }) => rubricId === id)) ?? []);
}

/** Scores one turn by the samples on it. */
export function voteOnTurn(samples: readonly RubricSample[], scope: readonly Rubric[], { criterion, threshold, profile }: VoteOptions): InvocationScore {
  const answers = samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
  const won = voteOnRubrics(answers);
  const { judgment, coverage, open } = judgmentOf(samples, scope, won);
  const reference = profile.name === 'google-adk';
  if (reference && samples.some(({ kind }) => kind === 'error')) return unjudged('judge_error', judgment.problems?.[0] ?? 'the judge failed', judgment);
  if (!reference && answers.length < quorum(criterion.judgeModelOptions.numSamples)) return unjudged(failureOf(samples), `${answers.length} of ${criterion.judgeModelOptions.numSamples} samples were answered, fewer than half: ${judgment.problems?.[0] ?? ''}`, judgment);
  const rubricScores: RubricScores = won.map(({ rubricId, score, rationale }) => ({ rubricId, score, ...(rationale === undefined ? {} : { rationale }) }));
  const details = { rubricScores };
  const score = exactMean(won.flatMap((one) => (one.score === null ? [] : [one.score])));
  if (score === null) return { ...unjudged('no_verdict', `the judge could not tell: ${open.join(', ')}`, judgment), details };
  if (!reference && coverage < criterion.minCoverage) return { ...unjudged('coverage', `no verdict on ${open.join(', ')} (${Math.round(coverage * 100)} % of the rubrics have one)`, judgment), details };
  const texts = new Map(scope.map(({ rubricId, rubricContent }) => [rubricId, rubricContent.textProperty ?? '']));
  const explanation = won.filter((one) => one.score !== 1 && one.score !== null).map(({ rubricId, rationale }) => `${rubricId}: no — ${texts.get(rubricId) ?? ''}${rationale === undefined || rationale === '' ? '' : ` (judge: ${rationale})`}`);
  return scored(score, threshold, profile, { details, judgment, ...(explanation.length === 0 ? {} : { explanation }) });
}

function judgmentOf(samples: readonly RubricSample[], scope: readonly Rubric[], won: readonly RubricVerdict[]): { readonly judgment: Judgment; readonly coverage: number; readonly open: readonly string[] } {
  const answers = samples.flatMap((sample) => (sample.kind === 'answer' ? [sample.value] : []));
  const problems = problemsOf(samples);
  const open = scope.map(({ rubricId }) => rubricId).filter((id) => (won.find(({ rubricId }) => rubricId === id)?.score ?? null) === null);
  const coverage = scope.length === 0 ? 1 : 1 - open.length / scope.length;
  const votes = scope.map(({ rubricId }) => ({ id: rubricId, ...tally(answers.flat().filter((one) => one.rubricId === rubricId).map(({ score }) => score)) }));
  const judgment: Judgment = { samples: samples.length, answered: answers.length, votes, coverage, ...(open.length === 0 ? {} : { unanswered: open }), ...(problems.length === 0 ? {} : { problems }) };
  return { judgment, coverage, open };
}

/** Scores the case: the mean of all rubric scores of all turns, so that a turn with more rubrics weighs more; and by rubric the mean over the turns. */
export function caseScore(perInvocation: readonly InvocationScore[], threshold: number | null, profile: Profile): Omit<MetricScore, 'judge'> {
  const all = perInvocation.flatMap((turn) => (turn.status === 'error' && turn.score === null && turn.details === undefined ? [] : [...(turn.details?.rubricScores ?? [])]));
  const figures = (scores: RubricScores): readonly number[] => scores.flatMap(({ score }) => (score === null || score === undefined ? [] : [score]));
  const ids = [...new Set(all.map(({ rubricId }) => rubricId))];
  const rubricScores = ids.map((rubricId) => ({ rubricId, score: exactMean(figures(all.filter((one) => one.rubricId === rubricId))) }));
  return {
    ...overall(exactMean(figures(all)), perInvocation, threshold, profile),
    ...(perInvocation.length === 0 ? {} : { details: { rubricScores } }),
    perInvocation,
  };
}
