import { answersOnly, evalSet } from '../support/eval-sets';
import { $any, match, type CaseResult, type EvaluationResult } from '../../src/index';
import { failureOf, installMatchers } from './world';
import { configureToPassEvalSet } from '../../matchers';
import '../../matchers/globals';

beforeAll(installMatchers);

const text = (value: string): object => ({ role: 'model', parts: [{ text: value }] });
const call = (name: string, args: object = {}): object => ({ name, args, author: 'root', group: 0 });

/** One trial: its answers and calls, turn by turn. */
function trial(turns: readonly { readonly says?: string; readonly calls?: readonly object[] }[], more: object = {}): object {
  return {
    trial: {
      evalId: 'lamp', trial: 0, ids: {}, endReason: 'completed', warnings: [], startedAt: 0, durationMs: 0, finalState: { lamp: 'on', log: ['turned on'] },
      invocations: turns.map(({ says, calls = [] }, index) => ({
        invocationId: `${index}`, userContent: { role: 'user', parts: [{ text: 'hi' }] }, creationTimestamp: 0, outcome: 'answered',
        ...(says !== undefined && { finalResponse: text(says) }), responses: [], toolCalls: calls, usageByModel: [], latencyMs: 1, pendingTools: [],
        intermediateData: { invocationEvents: [] },
      })),
      ...more,
    },
    status: 'passed',
    metrics: [],
  };
}

function caseResult(trials: readonly object[], metrics: readonly object[] = []): CaseResult {
  return { evalSetId: 'home', evalId: 'lamp', outcome: 'passed', flaky: false, trials, metrics, failures: [], expected: null } as unknown as CaseResult;
}

const lampOn = caseResult([trial([{ says: 'The lamp is on.', calls: [call('find', { room: 'hall' }), call('turn_on', { device: 'lamp', level: 30 })] }])]);
const twoTrials = caseResult([trial([{ says: 'The lamp is on.', calls: [call('turn_on', { device: 'lamp' })] }]), trial([{ says: 'Done.', calls: [] }])]);
const inError = caseResult([trial([{ says: 'x' }], { error: { code: 'error', message: 'quota exceeded' } })]);
const scored = caseResult([], [{ metricName: 'response_match_score', score: 0.75, status: 'failed', threshold: 0.8, direction: 'max', rows: 2 }, { metricName: 'unscored', score: null, status: 'not_evaluated', reason: 'nothing expected', rows: 0 }]);

describe('toHaveToolCall', () => {
  it('passes', () => {
    expect(lampOn).toHaveToolCall('turn_on');
    expect(lampOn).toHaveToolCall('turn_on', { args: { device: 'lamp' } });
    expect(lampOn).toHaveToolCall('turn_on', { args: { device: match.regex(/^la/), level: expect.any(Number) }, exactArgs: true, times: 1, author: 'root', turn: 1 });
    expect({ sets: [{ cases: [lampOn] }] } as unknown as EvaluationResult).toHaveToolCall('find');
  });
  it('fails', async () => {
    expect(await failureOf(() => expect(lampOn).toHaveToolCall('turn_off'))).toMatchSnapshot('not called');
    expect(await failureOf(() => expect(lampOn).toHaveToolCall('turn_on', { args: { level: 40 } }))).toMatchSnapshot('other arguments');
    expect(await failureOf(() => expect(twoTrials).toHaveToolCall('turn_on'))).toMatchSnapshot('in one of two trials');
    expect(await failureOf(() => expect(lampOn).toHaveToolCall('find', { atLeast: 2 }))).toMatchSnapshot('too few');
  });
  it('fails under .not when one trial made the call', async () => {
    expect(await failureOf(() => expect(twoTrials).not.toHaveToolCall('turn_on'))).toMatchSnapshot();
  });
  it('passes under .not', () => {
    expect(twoTrials).not.toHaveToolCall('delete_all');
  });
});

describe('toHaveToolTrajectory', () => {
  it('passes', () => {
    expect(lampOn).toHaveToolTrajectory([{ name: 'find', args: { room: 'hall' } }, { name: 'turn_on', args: { device: $any, level: 30 } }]);
    expect(lampOn).toHaveToolTrajectory([{ name: 'turn_on' }], { matchType: 'IN_ORDER', ignoreArgs: true });
    expect(lampOn).toHaveToolTrajectory([{ name: 'turn_on', args: { level: 30, device: 'lamp' } }], { ignoreTools: ['find'] });
  });
  it('fails', async () => {
    expect(await failureOf(() => expect(lampOn).toHaveToolTrajectory([{ name: 'find', args: { room: 'hall' } }, { name: 'turn_on', args: { device: 'lamp', level: 3 } }]))).toMatchSnapshot();
  });
  it('fails under .not', async () => {
    expect(await failureOf(() => expect(lampOn).not.toHaveToolTrajectory([{ name: 'find' }, { name: 'turn_on' }], { ignoreArgs: true }))).toMatchSnapshot();
  });
  it('passes under .not', () => {
    expect(lampOn).not.toHaveToolTrajectory([]);
  });
});

describe('toMatchResponse', () => {
  it('passes', () => {
    expect(lampOn).toMatchResponse('The lamp is on.');
    expect(lampOn).toMatchResponse(/lamp is on/i);
    expect(lampOn).toMatchResponse(expect.stringContaining('lamp'));
    expect(lampOn).toMatchResponse('a lamp is on', { mode: 'rouge', atLeast: 0.7 });
  });
  it('fails', async () => {
    expect(await failureOf(() => expect(lampOn).toMatchResponse('The lamp is off.'))).toMatchSnapshot('text');
    expect(await failureOf(() => expect(twoTrials).toMatchResponse(/lamp/))).toMatchSnapshot('pattern, one of two trials');
  });
  it('fails under .not', async () => {
    expect(await failureOf(() => expect(twoTrials).not.toMatchResponse(/Done/))).toMatchSnapshot();
  });
  it('passes under .not', () => {
    expect(lampOn).not.toMatchResponse('nothing');
  });
});

describe('toHaveMetricScore', () => {
  it('passes', () => {
    expect(scored).toHaveMetricScore('response_match_score', { atLeast: 0.75, atMost: 0.8 });
  });
  it('fails', async () => {
    expect(await failureOf(() => expect(scored).toHaveMetricScore('response_match_score', { atLeast: 0.8 }))).toMatchSnapshot('too low');
    expect(await failureOf(() => expect(scored).toHaveMetricScore('other', { atLeast: 0.8 }))).toMatchSnapshot('never scored');
    expect(await failureOf(() => expect(scored).not.toHaveMetricScore('unscored', { atLeast: 0.8 }))).toMatchSnapshot('without a score, under .not');
    expect(await failureOf(() => expect(scored).toHaveMetricScore('response_match_score', undefined as never))).toMatchSnapshot('without bounds');
  });
  it('fails under .not', async () => {
    expect(await failureOf(() => expect(scored).not.toHaveMetricScore('response_match_score', { atLeast: 0.5 }))).toMatchSnapshot();
  });
  it('passes under .not', () => {
    expect(scored).not.toHaveMetricScore('response_match_score', { atLeast: 0.9 });
  });
});

describe('toHaveSessionState', () => {
  it('passes', () => {
    expect(lampOn).toHaveSessionState({ lamp: 'on', log: expect.arrayContaining(['turned on']) });
  });
  it('fails', async () => {
    expect(await failureOf(() => expect(lampOn).toHaveSessionState({ lamp: 'off', level: 3 }))).toMatchSnapshot();
  });
  it('A12 says that a value was written only in a child session', async () => {
    const child = caseResult([trial([{ says: 'x' }], { childState: { ds: 'analyst' } })]);
    expect(await failureOf(() => expect(child).toHaveSessionState({ ds: 'rows' }))).toContain('written only in child session of AgentTool analyst');
  });
  it('fails under .not', async () => {
    expect(await failureOf(() => expect(lampOn).not.toHaveSessionState({ lamp: 'on' }))).toMatchSnapshot();
  });
  it('passes under .not', () => {
    expect(lampOn).not.toHaveSessionState({ lamp: 'off' });
  });
});

describe('what is no result', () => {
  it.each([['a text', 'x'], ['nothing', undefined], ['an empty result', { sets: [] }], ['an object', { a: 1 }]])('is refused, under .not as well: %s', async (_name, received) => {
    expect(await failureOf(() => expect(received as never).not.toHaveToolCall('x'))).toMatch(/received (value must be a result|result has no trial)/);
  });
  it('a trial that ended in an error is refused, under .not as well', async () => {
    expect(await failureOf(() => expect(inError).not.toHaveToolCall('x'))).toMatchSnapshot();
  });
});

describe('toPassEvalSet', () => {
  const home = evalSet('home', { hello: 'hello to you', bye: 'goodbye to you' });
  const options = { config: answersOnly, numRuns: 1 };
  const polite = (turn: { text: string }, _session: unknown): string => (turn.text === 'hello' ? 'hello to you' : 'goodbye to you');
  const rude = (_turn: unknown, _session: unknown): string => 'no';
  const broken = (_turn: unknown, _session: unknown): string => {
    throw new Error('quota exceeded');
  };

  it('passes', async () => {
    await expect(polite).toPassEvalSet(home, options);
  });
  it('C37 C38 fails with every failure at once', async () => {
    const twice = { criteria: { response_match_score: 0.8, response_exact_match: 1 } };
    const message = await failureOf(() => expect(rude).toPassEvalSet(home, { ...options, config: twice }));
    expect(message).toMatchSnapshot();
    expect(message.match(/✗ (hello|bye) › response_(match_score|exact_match)/g)).toHaveLength(4);
  });
  it('C38 shows prompt, expected and actual when asked for details', async () => {
    expect(await failureOf(() => expect(rude).toPassEvalSet(home, { ...options, only: ['hello'], detailed: true }))).toMatchSnapshot();
  });
  it('C42 names metric, score, threshold and case in plain text', async () => {
    expect(await failureOf(() => expect(rude).toPassEvalSet(home, options))).toMatch(/✗ hello › response_match_score {2}0\.00, needs 0\.80/);
  });
  it('fails under .not', async () => {
    expect(await failureOf(() => expect(polite).not.toPassEvalSet(home, options))).toMatchSnapshot();
  });
  it('passes under .not', async () => {
    await expect(rude).not.toPassEvalSet(home, options);
  });
  it('fails for an error, under .not as well', async () => {
    const message = await failureOf(() => expect(broken).not.toPassEvalSet(home, options));
    expect(message).toContain('quota exceeded');
    expect(message).toMatch(/! hello/);
  });
  it('fails for an agent that threw under .not, also where google-adk calls that a failed case', async () => {
    expect(await failureOf(() => expect(broken).not.toPassEvalSet(home, { ...options, compatibility: 'google-adk' }))).toMatch(/quota\s+exceeded/);
  });
  it('takes defaults', async () => {
    expect.extend({ toPassWithDefaults: configureToPassEvalSet({ ...options, only: ['hello'] }) } as never);
    await (expect(polite) as unknown as { toPassWithDefaults(set: object): Promise<void> }).toPassWithDefaults(home);
  });
});

describe('toRespondTo', () => {
  const agent = (turn: { text: string }, session: { state: Record<string, unknown> }): string => {
    session.state['said'] = turn.text;
    return `You said ${turn.text}.`;
  };
  it('passes', async () => {
    await expect(agent).toRespondTo('hello');
    await expect(agent).toRespondTo('hello', { withResponse: /said hello/, withState: { said: 'hello', kept: 1 }, state: { kept: 1 }, usingTools: [] });
  });
  it('fails', async () => {
    expect(await failureOf(() => expect(agent).toRespondTo('hello', { withResponse: 'You said bye.', usingTools: [{ name: 'look', args: {} }], withState: { said: 'bye' } }))).toMatchSnapshot();
  });
  it('fails for an error, under .not as well', async () => {
    expect(await failureOf(() => expect((_turn: unknown, _session: unknown) => Promise.reject(new Error('quota'))).not.toRespondTo('hello'))).toMatchSnapshot();
  });
  it('fails under .not', async () => {
    expect(await failureOf(() => expect(agent).not.toRespondTo('hello', { withResponse: /hello/ }))).toMatchSnapshot();
  });
  it('passes under .not', async () => {
    await expect(agent).not.toRespondTo('hello', { withResponse: 'nothing' });
  });
});

describe('what would look at less than was meant is refused, under .not as well', () => {
  const loose = (value: unknown): never => value as never;
  it.each<[string, (is: (value: unknown) => jest.JestMatchers<unknown>) => unknown, RegExp]>([
    ['an unknown option of toHaveToolCall', (is) => is(lampOn).toHaveToolCall('turn_on', loose({ arg: { device: 'lamp' } })), /Unknown option "arg"\. Options: args,/],
    ['no tool name', (is) => is(lampOn).toHaveToolCall(loose(undefined)), /must be the name of a tool/],
    ['a count that is none', (is) => is(lampOn).toHaveToolCall('turn_on', { atLeast: NaN }), /atLeast must be a whole number of at least 0, got NaN/],
    ['an unknown option of toHaveToolTrajectory', (is) => is(lampOn).toHaveToolTrajectory([], loose({ ignoreArg: true })), /Unknown option "ignoreArg"\. Did you mean "ignoreArgs"/],
    ['an unknown way to match', (is) => is(lampOn).toHaveToolTrajectory([], { matchType: loose('in_order') }), /"matchType" must be one of "EXACT".*; got "in_order"/],
    ['an unknown option of toMatchResponse', (is) => is(lampOn).toMatchResponse('x', loose({ ignorecase: true })), /Unknown option "ignorecase"\. Did you mean "ignoreCase"/],
    ['an undefined response', (is) => is(lampOn).toMatchResponse(undefined), /The expected response is undefined/],
    ['an unknown bound', (is) => is(scored).toHaveMetricScore('response_match_score', loose({ atLeast: 0.1, atmost: 0.2 })), /Unknown option "atmost"/],
    ['a bound that is no number', (is) => is(scored).toHaveMetricScore('response_match_score', { atLeast: NaN }), /must be \{ atLeast: number \}/],
    ['no key of the state', (is) => is(lampOn).toHaveSessionState({}), /Name at least one key/],
    ['no state', (is) => is(lampOn).toHaveSessionState(loose(undefined)), /Name at least one key/],
    ['an undefined response of a turn', (is) => is(() => 'hi').toRespondTo('hello', { withResponse: undefined }), /withResponse is undefined/],
    ['a misspelt expectation of a turn', (is) => is(() => 'hi').toRespondTo('hello', loose({ usingTool: [], withRespons: 'x' })), /Unknown option "usingTool"\. Did you mean "usingTools"\?\nUnknown option "withRespons"\. Did you mean "withResponse"\?$/],
    ['an option of evaluations that a turn does not have', (is) => is(() => 'hi').toRespondTo('hello', loose({ numRuns: 3 })), /Unknown option "numRuns"\. Options: usingTools, trajectory, withResponse, response, withState, state, agentName, /],
    ['a value that is none', (is) => is(() => 'hi').toRespondTo('hello', loose({ withState: 5, turnTimeoutMs: 0 })), /The option "withState" must be an object; got 5\.\nThe option "turnTimeoutMs" must be a number of milliseconds above 0; got 0\.$/],
  ])('%s', async (_name, look, message) => {
    expect(await failureOf(() => look(expect))).toMatch(message);
    expect(await failureOf(() => look((value) => expect(value).not as never))).toMatch(message);
  });
});
