import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase, EvalSet } from '../../src/evalset/types';
import { planEvaluation } from '../../src/evaluation/plan';
import { startEvaluation } from '../../src/evaluation/run';
import type { EvaluateOptions, Host } from '../../src/evaluation/types';
import { runTrials } from '../../src/inference/run-trials';
import type { Metric } from '../../src/metrics/types';
import type { EvaluationEvent, EvaluationResult } from '../../src/results/model';
import { functionTarget, type AgentFunction } from '../../src/target/function-target';
import { configOf, hostOf, partsOf, setOf, temporaryFolder } from './planned';
import { caseOf, metricOf, scoreOf, turn } from './scripted';

function answering(evalId: string, prompt: string, answer?: string): EvalCase {
  const extra = answer === undefined ? {} : { finalResponse: { role: 'model', parts: [{ text: answer }] } };
  return caseOf(0, { evalId, conversation: [turn(prompt, extra)] });
}

const echo: AgentFunction = ({ text }) => text;
const right = answering('right', 'hello there', 'hello there');
const wrong = answering('wrong', 'hello there', 'something else');
const config = configOf({ response_match_score: 0.8 });

interface Started {
  readonly agent?: AgentFunction;
  readonly evalSets?: EvalSet | readonly EvalSet[];
  readonly options?: EvaluateOptions;
  readonly host?: Host;
}

async function start({ agent = echo, evalSets = setOf([right, wrong]), options = {}, host = hostOf() }: Started) {
  const parts = partsOf({}, { resolveTarget: () => Promise.resolve(functionTarget(agent)) });
  return startEvaluation(await planEvaluation({ target: agent, evalSets, options: { config, numRuns: 1, ...options } }, host, parts), host);
}

async function evaluate(started: Started): Promise<EvaluationResult> {
  return (await start(started)).result;
}

function outcomes(result: EvaluationResult): unknown {
  return result.sets.map((set) => set.cases.map((one) => [one.evalId, one.outcome]));
}

test('C38 every case has its result, passed or not, and nothing is thrown for a verdict', async () => {
  const result = await evaluate({});
  expect(result.outcome).toBe('failed');
  expect(outcomes(result)).toEqual([[['right', 'passed'], ['wrong', 'failed']]]);
  expect(result.sets[0]).toMatchObject({ evalSetId: 'home', appName: 'test_app', numRuns: 1, passPolicy: 'mean', compatibility: 'default', config: { reason: 'inline' } });
});

test('C44 a changed expectation changes the score', async () => {
  const result = await evaluate({ evalSets: setOf([answering('a', 'hello there', 'zzz')]) });
  expect(result.sets[0]?.cases[0]?.metrics[0]).toMatchObject({ metricName: 'response_match_score', score: 0, status: 'failed' });
});

test('cases are run in the order of the file, at most so many at once, and told in that order whatever ends first', async () => {
  const gates = new Map<string, () => void>();
  let running = 0;
  let peak = 0;
  const begun: string[] = [];
  const agent: AgentFunction = async ({ text }) => {
    begun.push(text);
    peak = Math.max(peak, ++running);
    await new Promise<void>((resolve) => gates.set(text, resolve));
    running -= 1;
    return text;
  };
  const cases = ['a', 'b', 'c', 'd'].map((id) => answering(id, id, id));
  const started = await start({ agent, evalSets: setOf(cases), options: { concurrency: 2 } });
  const release = async (text: string): Promise<void> => {
    while (!gates.has(text)) await new Promise((resolve) => setImmediate(resolve));
    gates.get(text)?.();
  };
  for (const text of ['b', 'c', 'a', 'd']) await release(text);
  expect(outcomes(await started.result)).toEqual([cases.map(({ evalId }) => [evalId, 'passed'])]);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  expect(peak).toBe(2);
});

test('a case can be awaited by itself while others still run', async () => {
  let finish = (): void => undefined;
  const agent: AgentFunction = ({ text }) => (text === 'slow' ? new Promise((resolve) => (finish = () => resolve('slow'))) : text);
  const started = await start({ agent, evalSets: setOf([answering('slow', 'slow', 'slow'), answering('fast', 'fast', 'fast')]) });
  expect((await started.caseResult('home', 'fast')).outcome).toBe('passed');
  finish();
  expect((await started.caseResult('home', 'slow')).outcome).toBe('passed');
  await expect(started.caseResult('home', 'none')).rejects.toThrow('No case "none"');
  await started.result;
});

test('D46 an agent that throws in one case makes that one an error with its text; the others are scored', async () => {
  const agent: AgentFunction = ({ text }) => {
    if (text === 'bad') throw Object.assign(new Error('reauth'), { name: 'RefreshError' });
    return text;
  };
  const result = await evaluate({ agent, evalSets: setOf([answering('bad', 'bad', 'x'), right, wrong]) });
  expect(outcomes(result)).toEqual([[['bad', 'error'], ['right', 'passed'], ['wrong', 'failed']]]);
  expect(result.sets[0]?.cases[0]?.failures[0]?.message).toContain('RefreshError: reauth');
  expect(result.outcome).toBe('error');
});

test('F80 an error in turn 2 of 3: turn 1 scored, turn 2 an error, turn 3 not run, no mean', async () => {
  const evalCase = caseOf(0, { evalId: 'long', conversation: ['one', 'two', 'three'].map((text) => turn(text, { finalResponse: { parts: [{ text }] } })) });
  const agent: AgentFunction = ({ text }) => {
    if (text === 'two') throw new Error('quota');
    return text;
  };
  const [one] = (await evaluate({ agent, evalSets: setOf([evalCase]) })).sets[0]?.cases ?? [];
  expect(one?.trials[0]?.trial.invocations.map((each) => each.outcome)).toEqual(['answered', 'error', 'not_run']);
  expect(one?.trials[0]?.metrics[0]).toMatchObject({ score: null, status: 'error', perInvocation: [{ score: 1 }, { score: null, status: 'error' }, { score: null, status: 'error', reason: 'not run' }] });
  expect(one?.outcome).toBe('error');
});

test('H101 a case that passes in some trials is flaky; the policy decides', async () => {
  let calls = 0;
  const agent: AgentFunction = ({ text }) => (++calls === 2 ? 'nonsense' : text);
  const run = (passPolicy: 'all' | 'majority') => {
    calls = 0;
    return evaluate({ agent, evalSets: setOf([right]), options: { numRuns: 3, passPolicy, concurrency: 1 } });
  };
  expect((await run('all')).sets[0]?.cases[0]).toMatchObject({ outcome: 'failed', flaky: true });
  expect((await run('majority')).sets[0]?.cases[0]).toMatchObject({ outcome: 'passed', flaky: true });
});

test('a scenario case is an error, named; the others run', async () => {
  const scenario: EvalCase = { evalId: 'chat', creationTimestamp: 0, conversationScenario: { startingPrompt: 'hi', conversationPlan: 'p' } };
  const result = await evaluate({ evalSets: setOf([scenario, right]) });
  expect(outcomes(result)).toEqual([[['chat', 'error'], ['right', 'passed']]]);
});

describe('results', () => {
  test('are saved before the evaluation settles', async () => {
    const resultsDir = temporaryFolder();
    const result = await evaluate({ options: { resultsDir } });
    const file = result.sets[0]?.resultFile as string;
    expect(file.startsWith(join(resultsDir, 'test_app', '.adk', 'eval_history'))).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ eval_set_id: 'home' });
  });

  test('that cannot be saved make the set an error and keep its cases', async () => {
    const parts = { runTrials, save: () => { throw new Error('disk full'); } };
    const host = hostOf();
    const plan = await planEvaluation({ target: echo, evalSets: setOf([right]), options: { config, numRuns: 1, resultsDir: temporaryFolder() } }, host, partsOf({}, { resolveTarget: () => Promise.resolve(functionTarget(echo)) }));
    expect((await startEvaluation(plan, host, parts).result).sets[0]).toMatchObject({ outcome: 'error', error: { message: 'disk full' }, cases: [{ outcome: 'passed' }] });
  });
});

describe('the stream of events', () => {
  test('tells what happens, in order, as plain data', async () => {
    const events: EvaluationEvent[] = [];
    await evaluate({ evalSets: setOf([right]), host: hostOf({ events, testFile: '/t.test.ts', testName: 'greets' }) });
    expect(events.map((event) => event.type)).toEqual(['run_started', 'trial_started', 'turn_ended', ...Array(events.filter((e) => e.type === 'metric_scored').length).fill('metric_scored'), 'trial_ended', 'case_ended', 'set_ended', 'run_ended']);
    expect(events[0]).toMatchObject({ testFile: '/t.test.ts', testName: 'greets', sets: [{ evalSetId: 'home', cases: 1, numRuns: 1, evalIds: ['right'] }] });
    expect(new Set(events.map((event) => event.evaluation)).size).toBe(1);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });

  test('a listener that throws breaks nothing and is named in the result', async () => {
    const host = { ...hostOf(), listeners: [() => { throw new Error('pipe closed'); }] };
    const result = await evaluate({ evalSets: setOf([right]), host });
    expect(result.outcome).toBe('passed');
    expect(result.sets[0]?.warnings).toContainEqual('A listener failed at "run_started": pipe closed');
  });
});

test('an aborted evaluation ends its cases as errors', async () => {
  const stop = new AbortController();
  const agent: AgentFunction = () => {
    stop.abort(new Error('interrupted'));
    return new Promise(() => undefined);
  };
  const result = await evaluate({ agent, options: { signal: stop.signal, concurrency: 1 } });
  expect(outcomes(result)).toEqual([[['right', 'error'], ['wrong', 'error']]]);
});

test('a runner that fails rejects every case that waits', async () => {
  const host = hostOf();
  const plan = await planEvaluation({ target: echo, evalSets: setOf([right]), options: { config, numRuns: 1 } }, host, partsOf());
  const started = startEvaluation(plan, host, { runTrials: () => Promise.reject(new Error('broken')), save: () => '' });
  await expect(started.caseResult('home', 'right')).rejects.toThrow('broken');
  await expect(started.result).rejects.toThrow('broken');
});

test('warnings of metrics and trials are carried, with their case', async () => {
  const given = configOf({ tone: 0.5 });
  const { metric } = metricOf('tone', scoreOf(1, 'passed'));
  const tone: Metric = { ...metric, evaluate: (_input, { warn }) => (warn('rests on true = 1'), { score: 1, status: 'passed', perInvocation: [] }) };
  const result = await evaluate({ evalSets: setOf([right]), options: { config: given, customMetrics: { tone } } });
  expect(result.sets[0]?.warnings).toEqual(['right: rests on true = 1']);
});

test('a metric that had nothing to judge in a case that passed is told', async () => {
  const { metric } = metricOf('tone', scoreOf(1, 'passed'));
  const given = configOf({ response_match_score: 0.8, tone: 0.5 });
  const result = await evaluate({ evalSets: setOf([answering('open', 'hi'), right]), options: { config: given, customMetrics: { tone: metric } } });
  expect(result.outcome).toBe('passed');
  expect(result.sets[0]?.warnings).toEqual([expect.stringMatching(/^response_match_score had nothing to judge in 1 of 2 cases \(open\): ./)]);
});

describe('under google-adk', () => {
  const options: EvaluateOptions = { compatibility: 'google-adk', passPolicy: 'all' };

  test('one silent turn ends everything and nothing is saved', async () => {
    const resultsDir = temporaryFolder();
    const agent: AgentFunction = ({ text }) => (text === 'quiet' ? undefined : text);
    const started = await start({ agent, evalSets: [setOf([right]), setOf([answering('quiet', 'quiet', 'x')], 'other')], options: { ...options, resultsDir } });
    await expect(started.result).rejects.toMatchObject({ code: 'turn_count' });
    expect(readdirSync(resultsDir)).toEqual([]);
  });

  test('an agent error fails its case', async () => {
    const agent: AgentFunction = ({ text }) => {
      if (text === 'bad') throw new Error('boom');
      return text;
    };
    expect(outcomes(await evaluate({ agent, evalSets: setOf([right, answering('bad', 'bad', 'x')]), options }))).toEqual([[['right', 'passed'], ['bad', 'failed']]]);
  });
});

test('a file named by a user content is sent as inline data', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lamp.png'), 'PNG');
  const file = join(folder, 'home.test.json');
  writeFileSync(file, '');
  const evalCase = caseOf(0, { evalId: 'see', conversation: [{ ...turn(), userContent: { role: 'user', parts: [{ fileData: { fileUri: 'lamp.png' } }, { text: 'what is it?' }] }, finalResponse: { parts: [{ text: 'a lamp' }] } }] });
  const sent: unknown[] = [];
  const agent: AgentFunction = ({ content }) => (sent.push(content.parts?.[0]), 'a lamp');
  const host = hostOf({ rootDir: folder });
  const plan = await planEvaluation({ target: agent, evalSets: 'home.test.json', options: { config, numRuns: 1 } }, host, partsOf({ [file]: setOf([evalCase]) }, { resolveTarget: () => Promise.resolve(functionTarget(agent)) }));
  expect((await startEvaluation(plan, host).result).outcome).toBe('passed');
  expect(sent).toEqual([{ inlineData: { data: 'UE5H', mimeType: 'image/png' } }]);
});
