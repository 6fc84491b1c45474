/** How far a judge's verdicts can be relied on: whether its samples agreed, and whether trials did. */
import type { CaseResult, JudgeStability, MetricSummary, TrialResult } from '../results/model';
import { fleissKappa } from '../support/agreement';
import type { Votes } from '../metrics/types';

/** One verdict, and what it is about: the same in every trial. */
interface Verdict {
  readonly about: string;
  readonly votes: Votes;
}

function verdictsOf(trial: TrialResult, metricName: string): readonly Verdict[] {
  const metric = trial.metrics.find((one) => one.metricName === metricName);
  return (metric?.perInvocation ?? []).flatMap(({ judgment }, turn) => (judgment?.votes ?? []).filter(({ agreement }) => agreement !== null).map((votes) => ({ about: `${turn} ${votes.id ?? ''}`, votes })));
}

function isSplit({ votes }: Verdict): boolean {
  return votes.agreement !== null && votes.agreement < 1;
}

function isYes({ votes }: Verdict): boolean {
  return votes.yes > votes.no;
}

/** Marks metrics whose verdict would be another one if the votes that were not unanimous had gone the other way. */
export function withStability(metrics: readonly MetricSummary[], trials: readonly TrialResult[]): readonly MetricSummary[] {
  return metrics.map((metric) => {
    const { metricName, score, threshold, direction } = metric;
    if (score === null || threshold === null) return metric;
    const verdicts = trials.flatMap((trial) => verdictsOf(trial, metricName));
    const split = verdicts.filter(isSplit);
    if (split.length === 0) return metric;
    const lost = split.filter(isYes).length / verdicts.length;
    const won = (split.length - split.filter(isYes).length) / verdicts.length;
    const passes = (figure: number): boolean => (direction === 'max' ? figure >= threshold : figure <= threshold);
    return passes(score - lost) === passes(score + won) ? metric : { ...metric, unstable: true as const };
  });
}

/** The judges of a set: verdicts on which samples disagreed, and, of several trials, how far these agree. Metrics whose judge was asked once each time are left out. */
export function judgeStability(cases: readonly CaseResult[]): readonly JudgeStability[] {
  const names = [...new Set(cases.flatMap(({ metrics }) => metrics.map(({ metricName }) => metricName)))];
  return names.flatMap((metricName): readonly JudgeStability[] => {
    const all = cases.flatMap(({ trials }) => trials.flatMap((trial) => verdictsOf(trial, metricName)));
    const sampled = all.filter(({ votes }) => votes.yes + votes.no > 1);
    const between = betweenTrials(cases, metricName);
    if (sampled.length === 0 && between === undefined) return [];
    return [{ metricName, verdicts: sampled.length, split: sampled.filter(isSplit).length, ...(between === undefined ? {} : { between }) }];
  });
}

/** Each verdict is rated by every trial: only those that all trials gave are compared. */
function betweenTrials(cases: readonly CaseResult[], metricName: string): JudgeStability['between'] {
  const table = cases.flatMap(({ trials }) => {
    const byTrial = trials.map((trial) => new Map(verdictsOf(trial, metricName).map((verdict) => [verdict.about, isYes(verdict)])));
    const [first, ...others] = byTrial;
    if (first === undefined || others.length === 0) return [];
    return [...first.keys()].filter((about) => others.every((one) => one.has(about))).map((about) => {
      const yes = byTrial.filter((one) => one.get(about) === true).length;
      return [yes, byTrial.length - yes];
    });
  });
  if (table.length === 0) return undefined;
  const unanimous = table.filter((row) => row.includes(0)).length;
  return { verdicts: table.length, agreement: unanimous / table.length, kappa: fleissKappa(table) };
}

/** What people are told of it: a line for each metric whose judge was not of one mind. */
export function stabilityLines(stability: readonly JudgeStability[], cases: readonly CaseResult[]): readonly string[] {
  return stability.flatMap(({ metricName, verdicts, split, between }) => {
    const hanging = cases.filter(({ metrics }) => metrics.some((metric) => metric.metricName === metricName && metric.unstable === true)).map(({ evalId }) => evalId);
    const shown = hanging.length > 3 ? `${hanging.slice(0, 3).join(', ')}, …` : hanging.join(', ');
    if (split === 0 && (between === undefined || between.agreement === 1)) return [];
    const parts = [
      ...(split === 0 ? [] : [`the judge's samples disagreed on ${split} of ${verdicts} verdicts${hanging.length === 0 ? '' : `, and ${hanging.length === 1 ? 'the case' : 'cases'} ${shown} might have come out otherwise`}`]),
      ...(between === undefined || between.agreement === 1 ? [] : [`trials agree on ${Math.round(between.agreement * 100)} % of ${between.verdicts} verdicts${between.kappa === null ? '' : ` (Fleiss' kappa ${between.kappa.toFixed(2)})`}`]),
    ];
    return [`${metricName}: ${parts.join('; ')}`];
  });
}
