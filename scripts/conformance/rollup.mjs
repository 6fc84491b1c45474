// One inference result of one case, scored and exported: the entry that stands for it in a result file.
const statuses = [undefined, 'PASSED', 'FAILED', 'NOT_EVALUATED', 'INFORMATIONAL'];

/** A metric that answers what the golden file says. */
function scripted(name, script) {
  return {
    name,
    info: { metricName: name, metricValueInfo: {} },
    needs: [],
    readCriterion: (criterion) => ({ criterion, problems: [] }),
    evaluate() {
      if (script.raise) throw new Error('scripted');
      const one = ({ score, status }) => ({ score: score ?? null, status: status.toLowerCase() });
      return { ...one(script), perInvocation: (script.per_invocation ?? []).map(one) };
    },
  };
}

export async function run(input, { core }) {
  const { scoreTrial } = core('evaluation/rollup');
  const { caseVerdict } = core('evaluation/verdict');
  const { evalMetricFromJson } = core('metrics/eval-metric');
  const { makeMetricLate } = core('metrics/registry');
  const { evalCaseFromJson, invocationFromJson } = core('evalset/parts');
  const { userIdOf } = core('inference/held-sessions');
  const { toAdkResult } = core('results/to-adk');
  const { googleAdkProfile: profile } = core('support/profile');
  const evalCase = evalCaseFromJson(input.eval_case, profile);
  const custom = new Map(Object.entries(input.scripted ?? {}).map(([name, script]) => [name, scripted(name, script)]));
  const { inferences, status = 'SUCCESS', session_id: sessionId } = input.inference;
  const failed = status === 'FAILURE' || (inferences ?? null) === null ? { error: { code: 'inference_error', message: 'failed' } } : {};
  const trial = {
    evalId: evalCase.evalId,
    trial: 0,
    ids: { appName: 'app', userId: userIdOf(evalCase.sessionInput), sessionId: sessionId ?? '' },
    invocations: (inferences ?? []).map((turn) => ({ ...invocationFromJson(turn, profile), outcome: 'answered', responses: [], usageByModel: [], latencyMs: 0, pendingTools: [] })),
    endReason: 'completed',
    warnings: [],
    startedAt: 0,
    durationMs: 0,
    ...failed,
  };
  const specs = input.metrics.map((metric) => evalMetricFromJson(metric, profile));
  const metrics = specs.map((spec) => makeMetricLate(spec, profile, custom));
  let result;
  try {
    result = await scoreTrial({ evalCase, trial, metrics, profile, signal: new AbortController().signal, warn() {} });
  } catch (error) {
    if (error.name !== 'JestAdkError') throw error;
    return { raises: 'ValueError' };
  }
  const verdict = caseVerdict({ evalSetId: 'set', evalCase, trials: [result], passPolicy: 'mean', profile });
  const set = { evalSetId: 'set', appName: 'app', cases: [verdict], numRuns: 1, passPolicy: 'mean', compatibility: profile.name, config: { reason: 'default' }, warnings: [], startedAt: 0, durationMs: 0 };
  const [entry] = toAdkResult(set, 'id', 0).evalCaseResults;
  const row = ({ metricName, score, evalStatus }, index) => ({ metric_name: metricName, score: score ?? null, status: statuses[evalStatus], threshold: specs[index].threshold ?? null });
  const turns = entry.evalMetricResultPerInvocation;
  return {
    final_eval_status: statuses[entry.finalEvalStatus],
    user_id: entry.userId,
    session_id: entry.sessionId,
    overall: entry.overallEvalMetricResults.map(row),
    per_invocation: turns.map((turn) => turn.evalMetricResults.map(row)),
    has_expected: turns.map((turn) => turn.expectedInvocation !== undefined),
    rubric_ids_on_actual: turns.map((turn) => (turn.actualInvocation.rubrics ?? []).map((rubric) => rubric.rubricId)),
  };
}
