import { isDeepStrictEqual } from 'node:util';
import { isInvocationEvents } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import type { MetricDetails, MetricStatus } from '../metrics/types';
import { adkStatus, type AdkCaseResult, type AdkEvent, type AdkMetricResult, type AdkSession, type AdkSetResult, type AdkStatus } from './adk-model';
import { caseExtras, setExtras, splitInvocation, turnlessCaseExtras } from './extras';
import type { CaseResult, EvalSetResult, MetricResult, TrialResult } from './model';
import { isScored } from './scored';

/**
 * Our result as google-adk's `EvalSetResult`: one entry per trial, in the order of the eval set. What google-adk has no field for
 * is in one `jestAdk` object of the set and of each entry.
 *
 * @param result   what was evaluated
 * @param id       name of the result file without its ending
 * @param seconds  time of saving, seconds since the epoch
 */
export function toAdkResult(result: EvalSetResult, id: string, seconds: number): AdkSetResult {
  return {
    evalSetResultId: id,
    evalSetResultName: id,
    evalSetId: result.evalSetId,
    evalCaseResults: result.cases.flatMap((each) => caseEntries(each, result)),
    creationTimestamp: seconds,
    jestAdk: setExtras(result),
  };
}

function caseEntries(result: CaseResult, set: EvalSetResult): AdkCaseResult[] {
  const common = { evalSetFile: set.evalSetId, evalSetId: set.evalSetId, evalId: result.evalId };
  // What was not scored is kept in our own object: google-adk's viewers would show it as a verdict.
  const shown = set.compatibility === 'google-adk' ? result.trials : result.trials.filter(isScored);
  if (shown.length > 0 || set.compatibility !== 'google-adk') return shown.map((trial) => ({ ...common, ...trialEntry(trial, result, set) }));
  // A case that never ran is listed all the same, as google-adk does.
  const empty = { overallEvalMetricResults: [], evalMetricResultPerInvocation: [], sessionId: '' };
  return [{ ...common, finalEvalStatus: entryStatus('error', set), ...empty, jestAdk: turnlessCaseExtras() }];
}

function trialEntry(result: TrialResult, owner: CaseResult, set: EvalSetResult): Omit<AdkCaseResult, 'evalSetFile' | 'evalSetId' | 'evalId'> {
  const { trial } = result;
  return {
    finalEvalStatus: entryStatus(result.status, set),
    overallEvalMetricResults: result.metrics.map((metric) => metricEntry(metric, metric)),
    evalMetricResultPerInvocation: trial.invocations.map((actual, turn) => {
      const expected = owner.expected?.[turn];
      return {
        actualInvocation: splitInvocation(actual).plain,
        ...(expected === undefined ? {} : { expectedInvocation: expected }),
        evalMetricResults: result.metrics.flatMap((metric) => {
          const score = metric.perInvocation[turn];
          return score === undefined ? [] : [metricEntry(metric, score)];
        }),
      };
    }),
    sessionId: trial.ids.sessionId,
    sessionDetails: session(result),
    userId: trial.ids.userId,
    jestAdk: caseExtras(result),
  };
}

/** google-adk files a case whose agent could not be asked as failed; we never call that a verdict. */
function entryStatus(status: TrialResult['status'], set: EvalSetResult): AdkStatus {
  if (status !== 'error') return adkStatus[status];
  return set.compatibility === 'google-adk' ? adkStatus.failed : adkStatus.not_evaluated;
}

/** google-adk's criterion needs a threshold: one that only records is left out here, and is in our own object. */
function metricEntry(metric: MetricResult, scored: { readonly score: number | null; readonly status: MetricStatus; readonly details?: MetricDetails }): AdkMetricResult {
  return {
    metricName: metric.metricName,
    ...(metric.threshold === null ? {} : { threshold: metric.threshold }),
    ...(metric.criterion === null || metric.criterion.threshold === null ? {} : { criterion: metric.criterion }),
    ...(scored.score === null ? {} : { score: scored.score }),
    evalStatus: adkStatus[scored.status],
    details: scored.details ?? {},
  };
}

/** The session as its viewers need it, put together from the turns: we do not keep every event of a run. */
function session({ trial }: TrialResult): AdkSession {
  return {
    id: trial.ids.sessionId,
    appName: trial.ids.appName,
    userId: trial.ids.userId,
    state: trial.finalState ?? {},
    events: trial.invocations.flatMap((actual, turn) => turnEvents(actual, turn)),
    lastUpdateTime: (trial.startedAt + trial.durationMs) / 1000,
  };
}

function turnEvents(actual: ActualInvocation, turn: number): AdkEvent[] {
  const { invocationId, creationTimestamp: timestamp } = actual;
  const common = { invocationId, timestamp };
  const recorded = actual.intermediateData !== undefined && isInvocationEvents(actual.intermediateData) ? actual.intermediateData.invocationEvents : [];
  const events: Omit<AdkEvent, 'id'>[] = [{ ...common, author: 'user', content: actual.userContent }];
  for (const event of recorded) events.push({ ...common, ...event });
  for (const { author, content } of actual.responses) {
    if (recorded.some((event) => event.content === content || isDeepStrictEqual(event.content, content))) continue;
    // The recorded event that supplied the final response stands there without its content.
    const hollow = events.findLast((event) => event.author === author && event.content === undefined);
    if (hollow === undefined) events.push({ ...common, author, content });
    else Object.assign(hollow, { content });
  }
  return events.map((event, index) => ({ ...event, id: `${turn + 1}.${index + 1}` }));
}
