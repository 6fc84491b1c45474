import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase } from '../../src/evalset/types';
import { defaultParts } from '../../src/evaluation/parts';
import { planEvaluation } from '../../src/evaluation/plan';
import type { EvaluateOptions, EvaluateRequest } from '../../src/evaluation/types';
import type { Target } from '../../src/target/types';
import { formatProblem, JestAdkError, refusal } from '../../src/support/errors';
import { configOf, hostOf, partsOf, setOf, target, temporaryFolder } from './planned';
import { caseOf } from './scripted';

const named = (evalId: string, extra: Partial<EvalCase> = {}): EvalCase => caseOf(1, { evalId, ...extra });
const three = setOf(['dim', 'ask', 'off'].map((id) => named(id)));
const config = configOf({ response_match_score: 0.8 });

async function problemsOf(request: Partial<EvaluateRequest>, parts = partsOf(), host = hostOf()): Promise<string[]> {
  const error: unknown = await planEvaluation({ target: 'agent', evalSets: three, ...request, options: { config, ...request.options } }, host, parts).catch((thrown: unknown) => thrown);
  if (!(error instanceof JestAdkError)) throw new Error(`planned without a problem, or ${String(error)}`);
  return error.problems.map((problem) => problem.code);
}

function plan(options: EvaluateOptions = {}, request: Partial<EvaluateRequest> = {}, parts = partsOf(), host = hostOf()) {
  return planEvaluation({ target: 'agent', evalSets: three, ...request, options: { config, ...options } }, host, parts);
}

test('a plan has the cases in order, the metrics with the informational ones behind, and the values in force', async () => {
  const made = await plan();
  expect(made).toMatchObject({ numRuns: 2, passPolicy: 'mean', concurrency: 4, target });
  expect(made.sets[0]?.cases.map(({ evalCase }) => evalCase.evalId)).toEqual(['dim', 'ask', 'off']);
  expect(made.sets[0]?.metrics[0]).toMatchObject({ threshold: 0.8, criterion: { threshold: 0.8 } });
  expect(made.sets[0]).toMatchObject({ appName: 'test_app', configChoice: { reason: 'inline' } });
});

test.each<[string, Partial<EvaluateRequest>, string[]]>([
  ['C32 an eval set without cases', { evalSets: setOf([]) }, ['empty_set']],
  ['C32 no runs', { options: { numRuns: 0 } }, ['bad_option']],
  ['C33 an empty list of ids', { options: { only: [] } }, ['bad_option']],
  ['C33 an id that no case has', { options: { only: ['nope'] } }, ['unknown_case']],
  ['a config without criteria', { options: { config: configOf({}) } }, ['empty_criteria']],
  ['an unknown metric', { options: { config: configOf({ response_match: 0.8 }) } }, ['unknown_metric']],
  ['live mode', { options: { config: configOf({ response_match_score: 1 }, { liveModelConfig: {} }) } }, ['live_mode']],
  ['two cases of one id', { evalSets: setOf([named('a'), named('a')]) }, ['duplicate_case_id']],
  ['two sets of one id', { evalSets: [three, three] }, ['duplicate_set_id']],
  ['two runs in one pinned session', { evalSets: setOf([named('a', { sessionInput: { appName: '', userId: '', sessionId: 's', state: {} } })]) }, ['pinned_session']],
  ['an explicit config that is missing', { options: { config: undefined as never, configFilePath: './nope.json' } }, ['config_not_found']],
  ['a metric in code that is none', { options: { customMetrics: { tone: 5 as never } } }, ['bad_option']],
])('refuses %s', async (_name, request, codes) => {
  expect(await problemsOf(request)).toEqual(codes);
});

test('all problems are told at once, and no agent is contacted', async () => {
  const parts = partsOf({}, { resolveTarget: () => Promise.reject(refusal('module_failed', 'agent.js could not be loaded: boom')) });
  const request = { evalSets: [setOf([]), setOf([named('x'), named('x')], 'other')], options: { numRuns: 0, config: configOf({ nope: 1 }) } };
  expect(await problemsOf(request, parts)).toEqual(['bad_option', 'module_failed', 'empty_set', 'duplicate_case_id', 'unknown_metric']);
});

test('a criterion without its threshold does not hide its other fields, nor those of other criteria', async () => {
  const criteria = {
    tool_trajectory_avg_score: { treshold: 0.5, match_typ: 'IN_ORDER', ignore_args: 'perhaps' },
    response_match_score: { threshold: 'x', tokenizr: 'unicode' },
    turn_tokens: 5,
    mine: { anything: 1, threshold: 1 },
  };
  const error = (await planEvaluation({ target: 'agent', evalSets: three, options: { config: { criteria } as never } }, hostOf(), { ...partsOf(), configFromObject: defaultParts().configFromObject }).catch((thrown: unknown) => thrown)) as JestAdkError;
  expect(error.problems.map(formatProblem)).toEqual([
    'criteria.tool_trajectory_avg_score.threshold\n  Required key "threshold" is missing. Is "treshold" meant as "threshold"?',
    'criteria.response_match_score.threshold\n  Expected a number, got "x".',
    'criteria.tool_trajectory_avg_score.ignore_args\n  ignore_args is "perhaps". It takes true or false.',
    'criteria.tool_trajectory_avg_score.match_typ\n  Unknown key "match_typ". Did you mean "match_type"?',
    'criteria.response_match_score.tokenizr\n  Unknown key "tokenizr". Did you mean "tokenizer"?',
  ]);
});

test('C40 an agent module that throws while loading is told with file and cause', async () => {
  const parts = partsOf({}, { resolveTarget: () => Promise.reject(refusal('module_failed', '/p/agent.ts could not be loaded: boom')) });
  await expect(plan({}, {}, parts)).rejects.toThrow('/p/agent.ts could not be loaded: boom');
});

test('C33 an unknown id names the ids there are; known ids select, in the order of the file', async () => {
  await expect(plan({ only: ['nope'] })).rejects.toThrow(/"dim", "ask", "off"/);
  expect((await plan({ only: ['off', 'dim'] })).sets[0]?.cases.map(({ evalCase }) => evalCase.evalId)).toEqual(['dim', 'off']);
});

test('an id needs to be in one of several sets; sets left without cases are dropped', async () => {
  const other = setOf([named('wash')], 'car');
  const made = await plan({ only: ['wash'] }, { evalSets: [three, other] });
  expect(made.sets.map(({ loaded }) => loaded.value.evalSetId)).toEqual(['car']);
});

test('the host narrows the cases', async () => {
  const made = await plan({}, { selected: (set, id) => set === 'home' && id === 'ask' });
  expect(made.sets[0]?.cases).toHaveLength(1);
});

test('a conversation scenario is an error of that case alone', async () => {
  const scenario: EvalCase = { evalId: 'chat', creationTimestamp: 0, conversationScenario: { startingPrompt: 'hi', conversationPlan: 'p' } };
  const [set] = (await plan({}, { evalSets: setOf([named('a'), scenario]) })).sets;
  expect(set?.cases[0]?.error).toBeUndefined();
  expect(set?.cases[1]?.error?.message).toContain('needs a user simulator');
});

test.each<[string, Partial<Target['capabilities']>, string[]]>([
  ['a target without them', { artifacts: false }, ['artifact_match needs the artifacts of the session, which a target of the kind "function" does not give.']],
  ['a target that has them', { artifacts: true }, []],
  ['a target of which it is not known yet', {}, []],
])('a metric that needs artifacts, with %s', async (_name, capabilities, messages) => {
  const parts = partsOf({}, { resolveTarget: () => Promise.resolve({ ...target, capabilities: { state: true, plugins: false, cancel: true, ...capabilities } }), configFromObject: defaultParts().configFromObject });
  const asked = planEvaluation({ target: 'agent', evalSets: three, options: { config: { criteria: { artifact_match: { threshold: 1, artifacts: ['a.pdf'] } } } as never } }, hostOf(), parts);
  const found = await asked.then(() => [], (thrown: JestAdkError) => thrown.problems.map(({ message }) => message));
  expect(found).toEqual(messages);
});

test('a case without turns is an error of that case alone', async () => {
  const [set] = (await plan({}, { evalSets: setOf([caseOf(0, { evalId: 'blank' }), named('a')]) })).sets;
  expect(set?.cases.map(({ error }) => error?.code)).toEqual(['no_turns', undefined]);
});

test('a results folder that cannot be written refuses the run', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(await problemsOf({ options: { resultsDir: join(folder, 'file', 'results') } })).toEqual(['results_not_writable']);
});

describe('files', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'evals', 'home.test.json');
  mkdirSync(join(folder, 'evals'));
  writeFileSync(file, '');
  writeFileSync(join(folder, 'evals', 'test_config.json'), '');
  const parts = partsOf({ [file]: three, [join(folder, 'evals', 'test_config.json')]: configOf({ response_match_score: 0.3 }) });
  const host = hostOf({ rootDir: folder });

  test('C45 the config beside the set is used and named', async () => {
    const made = await planEvaluation({ target: 'agent', evalSets: 'evals' }, host, parts);
    expect(made.sets[0]?.configChoice).toMatchObject({ reason: 'test_config', file: join(folder, 'evals', 'test_config.json') });
    expect(made.sets[0]?.metrics[0]?.threshold).toBe(0.3);
  });

  test('a selection behind the path picks cases, an unknown one is refused', async () => {
    const made = await planEvaluation({ target: 'agent', evalSets: './evals/home.test.json:ask' }, host, parts);
    expect(made.sets[0]?.cases.map(({ evalCase }) => evalCase.evalId)).toEqual(['ask']);
    await expect(planEvaluation({ target: 'agent', evalSets: './evals/home.test.json:askk' }, host, parts)).rejects.toThrow('Did you mean "ask"?');
  });

  test('a path that is not there is told with the absolute path tried', async () => {
    await expect(planEvaluation({ target: 'agent', evalSets: './gone.test.json' }, host, parts)).rejects.toThrow(join(folder, 'gone.test.json'));
  });
});

describe('under google-adk', () => {
  const options: EvaluateOptions = { compatibility: 'google-adk' };

  test('what the reference accepts silently is accepted', async () => {
    const pinned = setOf([named('a', { sessionInput: { appName: '', userId: '', sessionId: 's', state: {} } })]);
    await expect(plan({ ...options, config: configOf({}) }, { evalSets: pinned })).resolves.toBeDefined();
    await expect(plan({ ...options, only: ['nope'] })).resolves.toMatchObject({ sets: [] });
    const [set] = (await plan({ ...options, config: configOf({ nope_v1: 0.5 }) })).sets;
    expect(set?.metrics[0]).toMatchObject({ metric: { name: 'nope_v1' }, error: { code: 'unknown_metric' } });
  });

  test('a custom metric that cannot be loaded shows only while running', async () => {
    const broken = configOf({ tone: 0.5 }, { customMetrics: new Map([['tone', { codeConfig: { name: 'no.such.metric' } }]]) });
    await expect(plan({ ...options, config: broken })).resolves.toBeDefined();
    expect(await problemsOf({ options: { config: broken } })).toEqual(['metric_module_not_found']);
  });
});

test('a custom metric in code that no criterion names is told', async () => {
  const [set] = (await plan({ customMetrics: { tone: () => 1 } })).sets;
  expect(set?.warnings).toEqual(['The custom metric "tone" is not run: no criterion names it.']);
});

test('custom metrics in code are scoped to the evaluation and may be functions', async () => {
  const made = await plan({ config: configOf({ tone: 0.5 }), customMetrics: { tone: () => 1 } });
  expect(made.sets[0]?.metrics[0]?.metric.name).toBe('tone');
});

test('files that user contents name are looked for while planning, and read when they are sent', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lamp.png'), 'png');
  const host = hostOf({ callerDir: folder, rootDir: folder });
  const naming = (fileUri: string) => setOf([named('a', { conversation: [{ invocationId: '', creationTimestamp: 0, userContent: { parts: [{ fileData: { fileUri } }] } }] })]);
  expect(await problemsOf({ evalSets: naming('lump.png') }, partsOf(), host)).toEqual(['content_file']);
  const [set] = (await plan({}, { evalSets: naming('lamp.png') }, partsOf(), host)).sets;
  const sent = set?.prepareContent?.(set.cases[0]?.evalCase.conversation?.[0]?.userContent ?? {});
  expect(sent).toEqual({ parts: [{ inlineData: { data: Buffer.from('png').toString('base64'), mimeType: 'image/png' } }] });
});
