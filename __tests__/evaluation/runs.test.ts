import core from '../fixtures/golden/core/runs.json';
import own from '../fixtures/golden/own/runs.json';
import { meanFailures, poolMetrics, type PooledTrial } from '../../src/evaluation/runs';
import { googleAdkProfile } from '../../src/support/profile';

interface GoldenRow {
  readonly metric_name: string;
  readonly score: number | null;
  readonly eval_status: string;
  readonly threshold?: number;
  readonly criterion?: { readonly threshold: number };
}

interface GoldenCase {
  readonly name: string;
  readonly input: { readonly runs: readonly { readonly final: string; readonly turns: readonly (readonly GoldenRow[])[] }[] };
  readonly expected: { readonly passed: boolean; readonly summaries: readonly object[] };
}

function trialsOf({ runs }: GoldenCase['input']): readonly PooledTrial[] {
  return runs.map((run) => ({
    status: run.final.toLowerCase() as PooledTrial['status'],
    rows: run.turns.flat().map((row) => ({
      metricName: row.metric_name,
      threshold: row.criterion?.threshold ?? row.threshold ?? null,
      score: row.score,
      status: row.eval_status.toLowerCase() as PooledTrial['rows'][number]['status'],
    })),
  }));
}

describe('pooling agrees with google-adk', () => {
  test.each(([...core.cases, ...own.cases] as unknown as GoldenCase[]).map((item) => [item.name, item] as const))('%s', (_name, { input, expected }) => {
    const trials = trialsOf(input);
    const summaries = poolMetrics(trials, googleAdkProfile);
    expect(summaries.map(({ metricName, status, score, threshold, rows }) => ({ metric_name: metricName, status: status.toUpperCase(), score, threshold, rows }))).toEqual(expected.summaries);
    expect(meanFailures(trials, summaries, googleAdkProfile).length === 0).toBe(expected.passed);
  });
});
