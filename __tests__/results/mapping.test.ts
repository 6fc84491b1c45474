import { fromAdkResult } from '../../src/results/from-adk';
import type { AdkSetResult } from '../../src/results/adk-model';
import { toAdkResult } from '../../src/results/to-adk';
import type { EvalSetResult } from '../../src/results/model';
import { caseResult, everything, invocation, metric, setResult, trial, trialResult } from '../fixtures/results/samples';

const there = (result: EvalSetResult): AdkSetResult => toAdkResult(result, 'id', 5);

describe('our result and google-adk\'s', () => {
  const turns = [invocation(), invocation({ invocationId: 'e-2' })];
  test.each<[string, EvalSetResult]>([
    ['a small one', setResult()],
    ['everything', everything],
    ['no case', setResult({ cases: [] })],
    ['a scenario: nothing is expected', setResult({ cases: [caseResult({ expected: null })] })],
    ['fewer turns than expected', setResult({ cases: [caseResult({ expected: [...(caseResult().expected ?? []), ...(caseResult().expected ?? [])] })] })],
    ['several final responses of a turn', setResult({ cases: [caseResult({ trials: [trialResult({ trial: trial({ invocations: [invocation({ responses: [{ author: 'sub', content: { parts: [{ text: 'draft' }] } }, { author: 'home', content: { parts: [{ text: 'Dimmed.' }] } }] })] }) })] })] })],
    ['scores that fit no turn', setResult({ cases: [caseResult({ trials: [trialResult({ trial: trial({ invocations: turns }), metrics: [metric({ perInvocation: [{ score: 0, status: 'failed', reason: 'one for all' }] })] })] })] })],
    ['ids that occur twice', setResult({ cases: [caseResult({ evalId: 'a' }), caseResult({ evalId: 'a', outcome: 'failed', trials: [trialResult({ status: 'failed' }), trialResult({ trial: trial({ trial: 1 }) })] }), caseResult({ evalId: 'a', trials: [] })] })],
    ['a state that nobody knows', setResult({ cases: [caseResult({ trials: [trialResult({ trial: { ...trial(), finalState: undefined } as never })] })] })],
  ])('there and back: %s', (_title, result) => expect(fromAdkResult(there(result))).toEqual(result));

  test('D57 the ids that were used are in the file', () => {
    const [entry] = there(setResult()).evalCaseResults;
    expect(entry).toMatchObject({ userId: 'test_user_id', sessionId: 's-1', sessionDetails: { appName: 'home', userId: 'test_user_id', id: 's-1' } });
  });

  test('an error of ours is never filed as a verdict: what was not scored stands in our own object only', () => {
    expect(there(everything).evalCaseResults.map((entry) => entry.finalEvalStatus)).toEqual([2, 3]);
    expect(there({ ...everything, compatibility: 'google-adk' }).evalCaseResults.map((entry) => entry.finalEvalStatus)).toEqual([2, 3, 2, 2]);
  });

  test('a file of google-adk itself: outcomes by its rule, observations from its fields', () => {
    const { jestAdk: _ours, ...foreign } = there(setResult({
      evalSetId: 'my_set', appName: 'my_app',
      cases: [
        caseResult({ evalId: 'a', trials: [trialResult(), trialResult({ status: 'failed', metrics: [metric({ score: 0.5, status: 'failed' })] })] }),
        caseResult({ evalId: 'b' }),
      ],
    }));
    const read = fromAdkResult({ ...foreign, evalSetResultId: 'my_app_my_set_1.5', evalCaseResults: foreign.evalCaseResults.map(({ jestAdk: _own, ...entry }) => entry) });
    expect(read).toMatchObject({
      evalSetId: 'my_set', outcome: 'failed', numRuns: 2, compatibility: 'google-adk',
      cases: [
        { evalId: 'a', outcome: 'failed', flaky: true, metrics: [{ metricName: 'tool_trajectory_avg_score', score: 0.75, status: 'failed', threshold: 1 }], failures: [{ kind: 'below_threshold' }] },
        { evalId: 'b', outcome: 'passed', flaky: false, failures: [], expected: [{ userContent: { role: 'user' } }] },
      ],
    });
    const [observed] = read.cases[0]?.trials[0]?.trial.invocations ?? [];
    expect(observed).toMatchObject({
      outcome: 'answered',
      responses: [{ author: 'home', content: { parts: [{ text: 'Dimmed.' }] } }],
      toolCalls: [{ name: 'set_brightness', args: { room: 'bedroom', level: 30 }, author: 'home', response: { response: { ok: true } } }],
      usageByModel: [{ model: 'gemini-x', calls: 1, usage: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 } }],
    });
  });
});
