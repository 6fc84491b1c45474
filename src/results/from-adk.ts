import type { Content, Invocation } from '../evalset/types';
import type { ActualInvocation, TrialRecord } from '../inference/types';
import type { InvocationScore, MetricStatus } from '../metrics/types';
import { withKeptKeys } from '../schema/origin';
import type { AdkCaseResult, AdkMetricResult, AdkSetResult, AdkStatus } from './adk-model';
import { expectedOf } from './entries';
import type { CaseExtras, CaseSummary, MetricExtras, TurnExtras } from './extras';
import { foreignCase, foreignSet } from './foreign';
import { schemaVersion, type CaseResult, type EvalSetResult, type MetricResult, type TrialResult } from './model';
import { observedTurn } from './observed';

/**
 * A result file as our model. Of a file that we wrote everything comes back; of one that google-adk wrote, what its fields say,
 * with outcomes by its rule (a case passes when every run of it passed).
 */
export function fromAdkResult(adk: AdkSetResult): EvalSetResult {
  const { jestAdk } = adk;
  const entries = new Map<string, AdkCaseResult[]>();
  for (const entry of adk.evalCaseResults) entries.set(entry.evalId, [...(entries.get(entry.evalId) ?? []), entry]);
  if (jestAdk === undefined) {
    return foreignSet(adk, [...entries].map(([evalId, group]) => foreignCase(adk.evalSetId, evalId, group, group.map(trialOf))));
  }
  const { cases, ...set } = jestAdk;
  return {
    ...set,
    schemaVersion,
    evalSetId: adk.evalSetId,
    cases: cases.map((summary) => caseOf(adk.evalSetId, summary, takeEntries(entries, summary))),
  };
}

/** The entries of one case; an id that occurs twice is used up in turn. A case that never ran has one entry without a trial. */
function takeEntries(entries: ReadonlyMap<string, AdkCaseResult[]>, summary: CaseSummary): AdkCaseResult[] {
  const count = summary.unscored === undefined ? Math.max(1, summary.trials) : summary.trials - summary.unscored.length;
  return (entries.get(summary.evalId) ?? []).splice(0, count).filter((entry) => entry.jestAdk?.trial !== null);
}

function caseOf(evalSetId: string, summary: CaseSummary, entries: readonly AdkCaseResult[]): CaseResult {
  const { trials: _count, expected, unscored = [], ...rest } = summary;
  return {
    ...rest,
    evalSetId,
    trials: [...entries.map(trialOf), ...unscored].sort((a, b) => a.trial.trial - b.trial.trial),
    expected: expected === undefined ? expectedOf(entries) : expected,
  };
}

function trialOf(entry: AdkCaseResult, index: number): TrialResult {
  const extras = entry.jestAdk;
  const trial: TrialRecord = {
    ...(extras?.record ?? foreignRecord(entry)),
    evalId: entry.evalId,
    trial: extras?.trial ?? index,
    ids: { appName: entry.sessionDetails?.appName ?? '', userId: entry.userId ?? '', sessionId: entry.sessionId },
    invocations: entry.evalMetricResultPerInvocation.map((each, turn) => turnOf(each.actualInvocation, extras?.turns?.[turn])),
    ...(entry.sessionDetails === undefined || extras?.stateKnown === false ? {} : { finalState: entry.sessionDetails.state }),
  };
  return {
    trial,
    status: extras?.status ?? trialStatusOf(entry.finalEvalStatus),
    ...(extras?.error === undefined ? {} : { error: extras.error }),
    metrics: entry.overallEvalMetricResults.map((metric, position) => metricOf(metric, entry, extras?.metrics?.[position])),
  };
}

function foreignRecord(entry: AdkCaseResult): NonNullable<CaseExtras['record']> {
  const turns = entry.evalMetricResultPerInvocation.map((each) => each.actualInvocation);
  const durationMs = turns.reduce((sum, turn) => sum + (turn.duration ?? 0), 0) * 1000;
  const startedAt = (turns[0]?.creationTimestamp ?? entry.sessionDetails?.lastUpdateTime ?? 0) * 1000;
  return { endReason: 'completed', warnings: [], startedAt, durationMs };
}

function turnOf(plain: Invocation, extras: TurnExtras | undefined): ActualInvocation {
  if (extras === undefined) return observedTurn(plain);
  const { responseAuthor, responses, ...rest } = extras;
  return { ...plain, ...rest, responses: responses ?? onlyResponse(plain.finalResponse, responseAuthor) };
}

function onlyResponse(content: Content | undefined, author: string | undefined): ActualInvocation['responses'] {
  return content === undefined || author === undefined ? [] : [{ author, content }];
}

function metricOf(overall: AdkMetricResult, entry: AdkCaseResult, more: MetricExtras | undefined): MetricResult {
  const { criterion, bareCriterion, turns, perInvocation: whole, ...rest } = more ?? { status: metricStatusOf(overall.evalStatus) };
  const perInvocation = whole ?? entry.evalMetricResultPerInvocation.flatMap((each, turn) => {
    const found = each.evalMetricResults.find((result) => result.metricName === overall.metricName);
    return found === undefined ? [] : [scoreOf(found, turns?.[turn])];
  });
  return {
    metricName: overall.metricName,
    threshold: overall.threshold ?? null,
    criterion: criterion ?? criterionOf(overall, bareCriterion === true),
    score: overall.score ?? null,
    ...rest,
    perInvocation,
    ...detailsOf(overall),
  };
}

function criterionOf({ criterion }: AdkMetricResult, bare: boolean): MetricResult['criterion'] {
  if (criterion === undefined) return null;
  const whole = withKeptKeys(criterion);
  if (!bare) return whole;
  const { includeIntermediateResponsesInFinal: _filledIn, ...plain } = whole;
  return plain;
}

function scoreOf(result: AdkMetricResult, extras: NonNullable<MetricExtras['turns']>[number] | undefined): InvocationScore {
  return { score: result.score ?? null, status: metricStatusOf(result.evalStatus), ...detailsOf(result), ...extras };
}

function detailsOf({ details }: AdkMetricResult): Pick<MetricResult, 'details'> {
  return Object.keys(details).length === 0 ? {} : { details };
}

const metricStatuses: Readonly<Record<AdkStatus, MetricStatus>> = { 1: 'passed', 2: 'failed', 3: 'not_evaluated', 4: 'informational' };

function metricStatusOf(status: AdkStatus): MetricStatus {
  return metricStatuses[status];
}

/** google-adk never gives a case the status of a metric that is only recorded; should one have it, nothing was judged. */
function trialStatusOf(status: AdkStatus): TrialResult['status'] {
  const name = metricStatuses[status];
  return name === 'informational' ? 'not_evaluated' : name;
}
