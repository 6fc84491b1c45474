import { renderEvaluation } from '../../src/report/render-evaluation';
import { caseResult, setResult } from '../fixtures/results/samples';

const trajectory = { metricName: 'tool_trajectory_avg_score', threshold: 1, direction: 'max', score: 0.5, status: 'failed', rows: 2 } as const;

test('every case with its scores and where the results were saved', () => {
  const sets = [
    setResult({
      evalSetFile: '/p/evals/home.test.json',
      outcome: 'failed',
      numRuns: 2,
      resultFile: '/p/out/home/.adk/eval_history/x.evalset_result.json',
      cases: [
        caseResult({ evalId: 'lamp_on', metrics: [{ ...trajectory, score: 1, status: 'passed' }, { metricName: 'latency_ms', threshold: null, direction: 'min', score: 12, status: 'informational', rows: 1 }] }),
        caseResult({ outcome: 'failed', metrics: [trajectory], failures: [{ kind: 'below_threshold', metricName: trajectory.metricName, message: 'x' }] }),
        caseResult({ evalId: 'an_id_that_is_longer_than_thirty_columns', outcome: 'error', metrics: [], failures: [{ kind: 'inference_error', message: 'turn 1: no key' }] }),
      ],
    }),
    setResult({ evalSetId: '日本', passPolicy: 'all' }),
  ];
  expect(renderEvaluation({ schemaVersion: 1, outcome: 'failed', sets }, { cwd: '/p' })).toMatchInlineSnapshot(`
"✗ home (evals/home.test.json): 1 of 3 cases passed; 2 trials each, pass
    policy mean
  ✓ lamp_on                         tool_trajectory_avg_score 1.00 (needs 1.00)
                                    recorded: latency_ms 12
  ✗ dim_bedroom                     tool_trajectory_avg_score 0.50 (needs 1.00)
  ! an_id_that_is_longer_than_thirty_columns
                                    turn 1: no key
  saved: out/home/.adk/eval_history/x.evalset_result.json

✓ 日本: 1 of 1 case passed; 1 trial each, pass policy all
  ✓ dim_bedroom  tool_trajectory_avg_score 1.00 (needs 1.00)"
`);
});
