/** Scripted stand-ins: metrics that answer what a test says, and trials without an agent. */
import type { EvalCase, Invocation } from '../../src/evalset/types';
import type { PlannedMetric } from '../../src/evaluation/types';
import type { ActualInvocation, TrialRecord } from '../../src/inference/types';
import type { MetricInput, MetricScore } from '../../src/metrics/types';
import { defaultProfile, type Profile } from '../../src/support/profile';
import { scoreTrial } from '../../src/evaluation/rollup';
import type { TrialResult } from '../../src/results/model';

export function turn(text = 'q', extra: Partial<Invocation> = {}): Invocation {
  return { invocationId: '', userContent: { role: 'user', parts: [{ text }] }, creationTimestamp: 0, ...extra };
}

export function caseOf(turns = 1, extra: Partial<EvalCase> = {}): EvalCase {
  return { evalId: 'e1', conversation: Array.from({ length: turns }, () => turn()), creationTimestamp: 0, ...extra };
}

export function actualTurn(outcome: ActualInvocation['outcome'] = 'answered', extra: Partial<ActualInvocation> = {}): ActualInvocation {
  return { ...turn(), outcome, responses: [], toolCalls: [], usageByModel: [], latencyMs: 1, pendingTools: [], ...extra };
}

export function trialOf(invocations: readonly ActualInvocation[] = [actualTurn()], extra: Partial<TrialRecord> = {}): TrialRecord {
  return {
    evalId: 'e1',
    trial: 0,
    ids: { appName: 'app', userId: 'test_user_id', sessionId: 's' },
    invocations,
    endReason: extra.error === undefined ? 'completed' : 'error',
    warnings: [],
    startedAt: 0,
    durationMs: 1,
    ...extra,
  };
}

type Answer = MetricScore | Error | ((input: MetricInput) => MetricScore);

export function metricOf(name: string, answer: Answer, threshold: number | null = 0.5): PlannedMetric {
  return {
    metric: {
      name,
      info: { metricName: name, metricValueInfo: {} },
      needs: [],
      readCriterion: (criterion) => ({ criterion, problems: [] }),
      evaluate: (input) => {
        if (answer instanceof Error) throw answer;
        return typeof answer === 'function' ? answer(input) : answer;
      },
    },
    criterion: { threshold },
    threshold,
  };
}

export function scoreOf(score: number | null, status: MetricScore['status'], extra: Partial<MetricScore> = {}): MetricScore {
  return { score, status, perInvocation: [{ score, status }], ...extra };
}

export function scored(input: { evalCase?: EvalCase; trial?: TrialRecord; metrics: readonly PlannedMetric[]; profile?: Profile; warn?: (message: string) => void }): Promise<TrialResult> {
  return scoreTrial({
    evalCase: input.evalCase ?? caseOf(),
    trial: input.trial ?? trialOf(),
    metrics: input.metrics,
    profile: input.profile ?? defaultProfile,
    signal: new AbortController().signal,
    warn: input.warn ?? (() => undefined),
  });
}
