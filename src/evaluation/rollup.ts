/**
 * One trial of one case, scored: its metrics in order, and what they say together.
 * Source of the rules: google-adk 2.13 `local_eval_service.py`; where the profiles part, a named choice of the profile decides.
 */
import { writtenTurns } from '../evalset/turns';
import type { EvalCase } from '../evalset/types';
import type { ActualInvocation, TrialRecord } from '../inference/types';
import { evaluateMetric } from '../metrics/registry';
import type { InvocationScore, MetricContext, MetricScore, MetricStatus, ReasonCode, Selection } from '../metrics/types';
import type { MetricResult, TrialResult } from '../results/model';
import { refusal, toErrorInfo, type ErrorInfo } from '../support/errors';
import { merge } from '../support/merge';
import type { Profile } from '../support/profile';
import { limitMetric, type MetricLimit } from './metric-limit';
import { withRubrics } from './rubrics';
import type { PlannedMetric } from './types';

/** What scoring one trial needs. */
export interface ScoreTrialInput {
  readonly evalCase: EvalCase;
  readonly trial: TrialRecord;
  readonly metrics: readonly PlannedMetric[];
  readonly profile: Profile;
  readonly signal: AbortSignal;
  /** Milliseconds that a metric may take; no limit when left out. */
  readonly metricTimeoutMs?: number | undefined;
  /** What the evaluation's options say about calls and responses. */
  readonly selection?: Selection;
  /** Lines that change no verdict. */
  readonly warn: (message: string) => void;
  /** Called as each metric is done. */
  readonly onMetric?: (result: MetricResult) => void;
}

/**
 * Status of a trial from the overall statuses of its metrics.
 *
 * Under google-adk: a failed one decides, else a passed one, else nothing was evaluated. Otherwise an error outweighs every verdict.
 */
export function trialStatus(statuses: readonly MetricStatus[], profile: Profile): TrialResult['status'] {
  if (!profile.unevaluatedPasses && statuses.includes('error')) return 'error';
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('passed') ? 'passed' : 'not_evaluated';
}

/**
 * Scores one trial.
 *
 * @throws {JestAdkError} `turn_count`, `short_metric_result`, `duplicate_rubric`: only under a profile in which these end the whole
 *   evaluation; otherwise they make this trial an error
 */
export async function scoreTrial(input: ScoreTrialInput): Promise<TrialResult> {
  const { evalCase, trial, profile } = input;
  if (trial.error !== undefined && (profile.agentErrorIsFailed || trial.invocations.length === 0)) {
    return profile.agentErrorIsFailed
      ? { trial: { ...trial, invocations: [] }, status: 'failed', error: trial.error, metrics: [] }
      : { trial, status: 'error', error: trial.error, metrics: [] };
  }
  const metrics: MetricResult[] = [];
  let scored = trial;
  try {
    scored = merge(trial, { invocations: withRubrics(evalCase, countedTurns(evalCase, trial, profile)) });
    const turns = scored;
    // Judges are asked all at once; what calculates goes one after the other.
    const judged = new Map(input.metrics.filter(isJudged).map((planned) => [planned, scoreMetric(planned, turns, input)]));
    for (const promise of judged.values()) promise.catch(() => undefined);
    for (const planned of input.metrics) {
      const result = await (judged.get(planned) ?? scoreMetric(planned, turns, input));
      metrics.push(result);
      input.onMetric?.(result);
    }
  } catch (thrown) {
    if (profile.badCaseAbortsAll) throw thrown;
    return { trial: scored, status: 'error', error: toErrorInfo(thrown), metrics };
  }
  const status = trial.error === undefined ? trialStatus(metrics.map((metric) => metric.status), profile) : 'error';
  const error = trial.error ?? metrics.find((metric) => metric.status === 'error')?.error;
  return error === undefined || status !== 'error' ? { trial: scored, status, metrics } : { trial: scored, status, error, metrics };
}

/** The turns that count, checked against the case. google-adk knows no turn in which the agent stayed silent. */
function countedTurns(evalCase: EvalCase, trial: TrialRecord, profile: Profile): readonly ActualInvocation[] {
  const turns = profile.turnCountAbortsAll
    ? trial.invocations.filter((turn) => turn.outcome !== 'unanswered' && turn.outcome !== 'not_run')
    : trial.invocations;
  const expected = writtenTurns(evalCase)?.length;
  if (expected !== undefined && turns.length !== expected && evalCase.conversationScenario === undefined) {
    throw refusal('turn_count', `Case "${evalCase.evalId}" expects ${expected} turns and the agent took ${turns.length}.`);
  }
  return turns;
}

async function scoreMetric(planned: PlannedMetric, trial: TrialRecord, input: ScoreTrialInput): Promise<MetricResult> {
  const { evalCase } = input;
  let score: MetricScore;
  // A judge has a time limit for each request.
  const limit = limitMetric(planned.metric.name, input.signal, isJudged(planned) ? undefined : input.metricTimeoutMs);
  try {
    score = await evaluateMetric(
      planned,
      { actual: trial.invocations, expected: writtenTurns(evalCase) ?? null, scenario: evalCase.conversationScenario ?? null, evalCase, trial },
      contextOf(input, limit),
    );
  } catch (thrown) {
    score = failedScore(toErrorInfo(thrown, 'metric_error'));
  } finally {
    limit.end();
  }
  score = input.profile.unevaluatedPasses ? withoutErrors(score) : withReasons(planned.metric.name, score, trial);
  const aligned = perTurn(planned.metric.name, score, trial.invocations.length, input);
  return compact(planned, score, trial.error === undefined ? aligned : markUnasked(aligned, trial));
}

function contextOf({ profile, warn, selection }: ScoreTrialInput, limit: MetricLimit): MetricContext {
  return {
    profile,
    warn,
    get signal() {
      return limit.signal;
    },
    ...(selection === undefined ? {} : { selection }),
  };
}

function isJudged({ judge, vertex }: PlannedMetric): boolean {
  return judge !== undefined || vertex !== undefined;
}

/** Results of thousands of cases are kept until the end: no field too many, and turns that say nothing of their own share one object. */
function compact({ metric, threshold, criterion }: PlannedMetric, score: MetricScore, turns: readonly InvocationScore[]): MetricResult {
  const { score: figure, status, perInvocation: _turns, ...more } = score;
  const result = { metricName: metric.name, threshold, criterion, score: figure, status, perInvocation: turns.map(shared) };
  return Object.keys(more).length === 0 ? result : merge(result, more);
}

const plainScores = new Map<string, InvocationScore>();

function shared(turn: InvocationScore): InvocationScore {
  if (Object.keys(turn).length > 2 || (turn.score !== null && turn.score !== 0 && turn.score !== 1)) return turn;
  const key = `${turn.status} ${turn.score}`;
  const known = plainScores.get(key) ?? turn;
  plainScores.set(key, known);
  return known;
}

function failedScore(error: ErrorInfo): MetricScore {
  const reasonCode = codesOfErrors.get(error.code);
  return { score: null, status: 'error', ...(reasonCode === undefined ? {} : { reasonCode }), error, reason: error.message, perInvocation: [] };
}

/** What metrics and models throw, in the words of results. */
const codesOfErrors: ReadonlyMap<string, ReasonCode> = new Map([
  ['needs_expected', 'unsupported_case'],
  ['needs_scenario', 'unsupported_case'],
  ['no_response', 'no_response'],
  ['rubrics_required', 'rubrics_required'],
  ['duplicate_rubric_id', 'config'],
  ['unknown_model', 'config'],
  ['model_refused', 'config'],
  ['no_model', 'config'],
  ['no_vertex', 'config'],
  ['no_judge', 'config'],
  ['model_failed', 'judge_error'],
  ['model_silent', 'judge_error'],
]);

/** google-adk has one word for everything that gave no verdict. */
function withoutErrors(score: MetricScore): MetricScore {
  const turn = (one: InvocationScore): InvocationScore => (one.status === 'error' ? { ...one, score: null, status: 'not_evaluated' } : one);
  const perInvocation = score.perInvocation.map(turn);
  return score.status === 'error' ? { ...score, score: null, status: 'not_evaluated', perInvocation } : { ...score, perInvocation };
}

/** "Not evaluated" without a reason is no answer; and a verdict over a trial that broke off would be one over fewer turns. */
function withReasons(name: string, score: MetricScore, trial: TrialRecord): MetricScore {
  const judged = score.status === 'passed' || score.status === 'failed';
  if (trial.error !== undefined && judged) {
    return { ...score, score: null, status: 'error', error: trial.error, reason: 'the agent failed before all turns were answered' };
  }
  if (score.status === 'not_evaluated' && score.reason === undefined) {
    const message = `Metric "${name}" was not evaluated and gives no reason.`;
    return { ...score, status: 'error', reason: message, error: { code: 'not_evaluated', message } };
  }
  return score;
}

/** One entry per turn. A verdict must say something about each turn or about none; see `badCaseAbortsAll`. */
function perTurn(name: string, score: MetricScore, turns: number, input: ScoreTrialInput): readonly InvocationScore[] {
  const given = score.perInvocation;
  if (given.length === turns) return given;
  if (score.status === 'passed' || score.status === 'failed') {
    if (given.length === 0 && !input.profile.badCaseAbortsAll) return given;
    throw refusal(
      'short_metric_result',
      `Metric "${name}" gave ${given.length} turn results for ${turns} turns of case "${input.evalCase.evalId}".`,
      'A metric answers with one result per turn, or with an overall score alone.',
    );
  }
  if (given.length > 0) input.warn(`Metric "${name}" gave ${given.length} turn results for ${turns} turns; they are left out.`);
  if (score.status === 'error') return Array.from({ length: turns }, () => ({ score: null, status: 'error' as const }));
  return Array.from({ length: turns }, () => ({ score: null, status: 'not_evaluated' as const }));
}

/** Turns that the agent could not be asked about carry no score of their own. */
function markUnasked(scores: readonly InvocationScore[], trial: TrialRecord): readonly InvocationScore[] {
  return scores.map((score, index) => {
    const turn = trial.invocations[index];
    if (score.status === 'informational' || (turn?.outcome !== 'error' && turn?.outcome !== 'not_run')) return score;
    return { score: null, status: 'error', reason: turn.outcome === 'not_run' ? 'not run' : (turn.error?.message ?? 'the agent failed') };
  });
}
