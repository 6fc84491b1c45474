export function run(input, { core }) {
  const { poolMetrics, meanFailures } = core('evaluation/runs');
  const { googleAdkProfile } = core('support/profile');
  const trials = input.runs.map((one) => ({
    status: one.final.toLowerCase(),
    rows: one.turns.flat().map((row) => ({
      metricName: row.metric_name,
      threshold: row.criterion?.threshold ?? row.threshold ?? null,
      score: row.score ?? null,
      status: row.eval_status.toLowerCase(),
    })),
  }));
  const summaries = poolMetrics(trials, googleAdkProfile);
  const failures = meanFailures(trials, summaries, googleAdkProfile);
  return {
    passed: failures.length === 0,
    failures: failures.map((failure) => failureToJson(failure, input.eval_id)),
    summaries: summaries.map(({ metricName, status, score, threshold, rows }) => ({ metric_name: metricName, status: status.toUpperCase(), score, threshold, rows })),
  };
}

function failureToJson({ kind, metricName, threshold, score, failed, total }, evalId) {
  if (kind === 'trials_without_results') return { kind: 'runs_without_results', eval_id: evalId, failed, total };
  return score === undefined ? { kind, metric_name: metricName, threshold } : { kind, metric_name: metricName, threshold, score };
}
