import { isDeepStrictEqual } from 'node:util';
import type { Criterion } from '../config/types';
import type { Invocation } from '../evalset/types';
import type { ActualInvocation, TrialRecord } from '../inference/types';
import type { InvocationScore } from '../metrics/types';
import type { CaseResult, EvalSetResult, MetricResult, TrialResult } from './model';
import { isScored } from './scored';

/**
 * What google-adk has no field for, kept in one `jest_adk` object of a result file and of each of its entries. Inside it the names are
 * those of our own model. google-adk ignores the object.
 */
export interface SetExtras extends Omit<EvalSetResult, 'evalSetId' | 'cases' | 'resultFile'> {
  readonly cases: readonly CaseSummary[];
}

/** A case over all its trials. `expected` only where the entries of the file do not show all of it. */
export interface CaseSummary extends Omit<CaseResult, 'evalSetId' | 'trials' | 'expected'> {
  readonly trials: number;
  readonly expected?: readonly Invocation[] | null;
  /** Trials whose agent did not answer to the end. They have no entries; absent in files that list them as entries. */
  readonly unscored?: readonly TrialResult[];
}

/** One trial. `trial` is null in the entry of a case that never ran. */
export interface CaseExtras {
  readonly trial: number | null;
  readonly status?: TrialResult['status'];
  readonly error?: TrialResult['error'];
  readonly record?: Omit<TrialRecord, 'evalId' | 'trial' | 'ids' | 'invocations' | 'finalState'>;
  readonly stateKnown?: boolean;
  readonly metrics?: readonly MetricExtras[];
  readonly turns?: readonly TurnExtras[];
}

/** One metric of a trial; a criterion without threshold, and scores that fit no turn, are whole here. */
export interface MetricExtras extends Omit<MetricResult, 'metricName' | 'threshold' | 'score' | 'details' | 'criterion' | 'perInvocation'> {
  readonly criterion?: Criterion;
  /** The criterion was configured without a field that google-adk always has. */
  readonly bareCriterion?: true;
  readonly perInvocation?: readonly InvocationScore[];
  /** By turn, where google-adk has no field for it. */
  readonly turns?: readonly TurnScoreExtras[];
}

/** What is said of one turn's score. */
type TurnScoreExtras = Omit<InvocationScore, 'score' | 'details'>;

/** Observations of one turn. `responseAuthor` stands for a list of responses that holds just the final response. */
export interface TurnExtras extends Omit<ActualInvocation, keyof Invocation | 'responses'> {
  readonly responses?: ActualInvocation['responses'];
  readonly responseAuthor?: string;
}

/** The set's object. */
export function setExtras(result: EvalSetResult): SetExtras {
  const { evalSetId: _id, cases, resultFile: _file, ...rest } = result;
  return { ...rest, cases: cases.map((each) => caseSummary(each, result.compatibility === 'google-adk')) };
}

function caseSummary(result: CaseResult, allListed: boolean): CaseSummary {
  const { evalSetId: _id, trials, expected, ...rest } = result;
  const unscored = allListed ? [] : trials.filter((trial) => !isScored(trial));
  const shown = trials.some(({ trial }) => (allListed || trial.error === undefined) && trial.invocations.length >= (expected?.length ?? 0) && trial.invocations.length > 0);
  return { ...rest, trials: trials.length, ...(shown && expected !== null ? {} : { expected }), ...(allListed ? {} : { unscored }) };
}

/** The object of one trial's entry. */
export function caseExtras(result: TrialResult): CaseExtras {
  const { evalId: _id, trial, ids: _ids, invocations, finalState, ...record } = result.trial;
  return {
    trial,
    status: result.status,
    ...(result.error === undefined ? {} : { error: result.error }),
    record,
    stateKnown: finalState !== undefined,
    metrics: result.metrics.map((metric) => metricExtras(metric, invocations.length)),
    turns: invocations.map(turnExtras),
  };
}

/** The object of the entry that stands for a case without trials. */
export function turnlessCaseExtras(): CaseExtras {
  return { trial: null };
}

function metricExtras(metric: MetricResult, turns: number): MetricExtras {
  const { metricName: _name, threshold: _threshold, score: _score, details: _details, criterion, perInvocation, ...rest } = metric;
  const fits = perInvocation.length === turns || perInvocation.length === 0;
  return {
    ...rest,
    ...(criterion === null ? {} : criterion.threshold === null ? { criterion } : criterion.includeIntermediateResponsesInFinal === undefined ? { bareCriterion: true } : {}),
    ...(fits ? {} : { perInvocation }),
    ...(fits && perInvocation.length > 0 ? { turns: perInvocation.map(turnScoreExtras) } : {}),
  };
}

function turnScoreExtras({ score: _score, details: _details, ...rest }: InvocationScore): TurnScoreExtras {
  return rest;
}

function turnExtras(actual: ActualInvocation): TurnExtras {
  const { responses, ...rest } = splitInvocation(actual).observed;
  const [only] = responses;
  const plain = responses.length === 1 && only !== undefined && (only.content === actual.finalResponse || isDeepStrictEqual(only.content, actual.finalResponse));
  return { ...rest, ...(plain ? { responseAuthor: only.author } : { responses }) };
}

/** Complete by its type: a field that is added to one side lands on the right one. */
const plainFields: Readonly<Record<keyof Invocation, true>> = {
  invocationId: true, userContent: true, finalResponse: true, intermediateData: true, creationTimestamp: true,
  duration: true, modelDuration: true, toolDuration: true, rubrics: true, appDetails: true,
};

/** The fields of google-adk's `Invocation`, and what we observed beside them. */
export function splitInvocation(actual: ActualInvocation): { readonly plain: Invocation; readonly observed: Omit<ActualInvocation, keyof Invocation> } {
  const fields = Object.entries(actual);
  const side = (isPlain: boolean): unknown => Object.fromEntries(fields.filter(([name]) => Object.hasOwn(plainFields, name) === isPlain));
  return { plain: side(true) as Invocation, observed: side(false) as Omit<ActualInvocation, keyof Invocation> };
}
