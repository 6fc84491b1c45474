import type { Criterion } from '../../src/config/types';
import type { EvalCase, JsonObject } from '../../src/evalset/types';
import type { ActualInvocation, TrialRecord } from '../../src/inference/types';
import { match } from '../../src/metrics/matchers';
import { observed, score, turn, type Scored } from './support';

const trialOf = (more: Partial<TrialRecord>): TrialRecord => ({
  evalId: 'c',
  trial: 0,
  ids: { appName: 'a', userId: 'u', sessionId: 's' },
  invocations: [],
  endReason: 'completed',
  warnings: [],
  startedAt: 0,
  durationMs: 0,
  ...more,
});

const caseOf = (finalSessionState?: JsonObject): EvalCase => ({ evalId: 'c', creationTimestamp: 0, ...(finalSessionState === undefined ? {} : { finalSessionState }) });

describe('final_session_state_match', () => {
  const name = 'final_session_state_match';
  const run = (expected: JsonObject | undefined, trial: Partial<TrialRecord>, criterion: Partial<Criterion> = {}): Promise<Scored> =>
    score(name, { threshold: 1, ...criterion }, { actual: [observed('x')], expected: [turn('x')], evalCase: caseOf(expected), trial: trialOf(trial) });

  test.each([
    ['other keys may be there', { cart: [1] }, { cart: [1], other: true }, {}, 1],
    ['exact refuses other keys', { cart: [1] }, { cart: [1], other: true }, { mode: 'exact' }, 0],
    ['matchers stand for values', { id: match.regex('^o-\\d+$') }, { id: 'o-17' }, {}, 1],
    ['the criterion wins over the case', { cart: [1] }, { cart: [2] }, { state: { cart: [2] } }, 1],
  ])('%s', async (_name, expected, finalState, criterion, wanted) => {
    expect((await run(expected as JsonObject, { finalState: finalState as JsonObject }, criterion)).score).toBe(wanted);
  });

  test('a difference names the key, and the AgentTool whose session alone has it', async () => {
    const result = await run({ total: 30, ds: 'x' }, { finalState: { total: 3 }, childState: { ds: 'analyst' } });
    expect(result.explanation).toEqual(['state total: expected 30, got 3', 'state ds: missing, expected "x"; written only in child session of AgentTool "analyst"']);
  });

  test('a case without a final state is not evaluated; a target without one is an error', async () => {
    expect(await run(undefined, { finalState: {} })).toMatchObject({ status: 'not_evaluated', reason: expect.stringContaining('final_session_state') });
    await expect(run({ a: 1 }, {})).rejects.toMatchObject({ code: 'no_final_state' });
  });
});

describe('artifact_match', () => {
  const run = (artifacts: readonly string[] | undefined, criterion: Partial<Criterion>): Promise<Scored> =>
    score('artifact_match', { threshold: 1, ...criterion }, { actual: [observed('x')], expected: null, trial: trialOf(artifacts === undefined ? {} : { artifacts }) });

  test.each([
    [['report.pdf', 'log.txt'], { artifacts: ['report.pdf'] }, 1],
    [['report.pdf', 'log.txt'], { artifacts: ['report.pdf'], mode: 'exact' }, 0],
    [['report-7.pdf'], { artifacts: [{ $regex: '^report-' }] }, 1],
    [[], { artifacts: ['report.pdf'] }, 0],
  ])('%j with %j', async (artifacts, criterion, wanted) => {
    expect((await run(artifacts, criterion)).score).toBe(wanted);
  });

  test('says what is missing and what is too much', async () => {
    expect((await run(['b'], { artifacts: ['a'], mode: 'exact' })).explanation).toEqual(['missing   "a"', 'extra     "b"']);
  });

  test('asks for names, and for a target that has artifacts', async () => {
    await expect(run([], {})).rejects.toMatchObject({ code: 'bad_criterion' });
    await expect(run(undefined, { artifacts: ['a'] })).rejects.toMatchObject({ code: 'no_artifacts' });
  });
});

describe('budgets', () => {
  const usage = (tokens: number): Partial<ActualInvocation> => ({ usageByModel: [{ model: 'm', calls: 2, usage: { promptTokenCount: tokens, candidatesTokenCount: 5 } }] });
  const actual = [observed('a', [{ name: 'f' }, { name: 'g' }], { ...usage(95), latencyMs: 100 }), observed('b', [], { ...usage(15), latencyMs: 300 })];
  const run = (name: string, threshold: number | null): Promise<Scored> => score(name, { threshold }, { actual, expected: null });

  test.each([
    ['turn_latency_ms', 200],
    ['total_latency_ms', 400],
    ['turn_tokens', 60],
    ['total_tokens', 120],
    ['turn_tool_calls', 1],
    ['total_tool_calls', 2],
    ['turn_model_calls', 2],
    ['total_model_calls', 4],
  ])('%s is %d', async (name, value) => {
    expect(await run(name, value)).toMatchObject({ score: value, status: 'passed' });
    expect(await run(name, value - 0.5)).toMatchObject({ score: value, status: 'failed' });
    expect(await run(name, null)).toMatchObject({ score: value, status: 'informational' });
  });

  test('the turn over the budget is named; so is the total', async () => {
    expect((await run('turn_latency_ms', 150)).perInvocation.map((one) => one.explanation)).toEqual([undefined, ['300 ms, budget 150']]);
    expect((await run('total_tokens', 100)).explanation).toEqual(['120 tokens, budget 100']);
  });

  test('what a target does not report is not evaluated', async () => {
    const silent = { actual: [turn('a')], expected: null };
    expect(await score('turn_tokens', { threshold: 1 }, silent)).toMatchObject({ score: null, status: 'not_evaluated', reason: 'The target does not report its tokens.' });
    expect(await score('total_latency_ms', { threshold: 1 }, silent)).toMatchObject({ score: null, status: 'not_evaluated', reason: 'The target does not report its latency.' });
  });
});
