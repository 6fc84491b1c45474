import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { published } from '../../src/schema/source';
import { parseDocument } from '../../src/support/document';
import { googleAdkProfile } from '../../src/support/profile';
import { readConfigFile } from '../../src/config/reader';
import { readInitialSession } from '../../src/evalset/initial-session';
import { readEvalSetFile, readEvalSetText } from '../../src/evalset/reader';
import { evalSetText } from '../../src/evalset/writer';
import type { EvalCase, Invocation } from '../../src/evalset/types';
import { isInvocationEvents } from '../../src/evalset/types';

/** Public files of other projects, which lie beside a checkout and are not part of it. */
const corpus = resolve(__dirname, '../../../shared/corpus');
const whenThere = existsSync(corpus) ? describe : describe.skip;

/** cases / turns per case / expected tool calls / turns with reference text, as the corpus's index has them. */
const expected: readonly (readonly [string, string])[] = [
  ['google-adk-samples__customer-service-simple.test.json', '1 / [2] / 1 / 2'],
  ['google-adk-samples__customer-service-full_conversation.test.json', '1 / [10] / 6 / 10'],
  ['google-adk-samples__data-science-simple.test.json', '1 / [2] / 1 / 2'],
  ['google-adk-samples__llm-auditor-blueberries.test.json', '1 / [1] / 0 / 1'],
  ['google-adk-samples__travel-concierge-inspire.test.json', '1 / [3] / 5 / 3'],
  ['google-adk-samples__travel-concierge-pretrip.test.json', '1 / [2] / 6 / 2'],
  ['google-adk-samples__academic-research-seminal.test.json', '1 / [1] / 0 / 1'],
  ['google-adk-samples__plot_artifact_journey.evalset.json', '1 / [1] / 0 / 0'],
  ['GoogleCloudPlatform-agent-starter-pack__adk-basic.evalset.json', '2 / [1,1] / 0 / 0'],
  ['google-adk-python__home_automation-simple_test.test.json', '1 / [1] / 1 / 1'],
  ['google-adk-python__home_automation-simple_test2.test.json', '1 / [1] / 1 / 1'],
  ['google-adk-python__home_automation-dependent_tool_calls.test.json', '1 / [2] / 2 / 2'],
  ['google-adk-python__home_automation-memorizing_eval_data.test.json', '1 / [2] / 1 / 2'],
  ['google-adk-python__hello_world-roll_die.test.json', '1 / [3] / 1 / 2'],
  ['google-adk-python__ecommerce-order_query.test.json', '1 / [4] / 7 / 4'],
  ['google-adk-python__trip_planner-trip_inquiry.test.json', '1 / [2] / 1 / 2'],
  ['google-adk-python__conversation_scenario.test.json', '1 / [scenario] / 0 / 0'],
  ['google-adk-python__elicitation_flow.test.json', '1 / [2] / 2 / 1'],
  ['google-adk-python__live_non_blocking_tool_agent.evalset.json', '2 / [scenario,2] / 0 / 0'],
  ['google-adk-python__security_agent-evalset49e1df.evalset.json', '0 / [] / 0 / 0'],
  ['ftnext-pytest-adk__args_any_support.test.json', '1 / [1] / 1 / 0'],
  ['ftnext-pytest-adk__args_any_support.test.toml', '1 / [1] / 1 / 0'],
];

const legacy = /customer-service-(simple|full)|data-science|llm-auditor|simple_test2|trip_inquiry/;

function countsOf(cases: readonly EvalCase[]): string {
  const turns = cases.flatMap((one) => one.conversation ?? []);
  const calls = turns.reduce((sum, turn) => sum + callsOf(turn), 0);
  const answered = turns.filter((turn) => turn.finalResponse?.parts?.some(({ text }) => text !== undefined)).length;
  return `${cases.length} / [${cases.map((one) => one.conversation?.length ?? 'scenario').join(',')}] / ${calls} / ${answered}`;
}

function callsOf({ intermediateData: data }: Invocation): number {
  if (data === undefined) return 0;
  return isInvocationEvents(data) ? data.invocationEvents.flatMap(({ content }) => content?.parts ?? []).filter((part) => part.functionCall !== undefined).length : data.toolUses.length;
}

whenThere('public eval sets', () => {
  test('the list is the folder', () => {
    const names = readdirSync(corpus).filter((name) => /\.(test|evalset)\.(json|toml)$/.test(name));
    expect([...expected].map(([name]) => name).sort()).toEqual(names.sort());
  });

  test.each(expected)('G89 %s has %s, with one warning if it is in an old format', (name, counts) => {
    const { value, warnings } = readEvalSetFile(join(corpus, name));
    expect(countsOf(value.evalCases)).toBe(counts);
    expect(warnings.map(({ code }) => code)).toEqual(legacy.test(name) ? ['legacy_format'] : []);
  });

  test.each(expected)('G92 %s is saved and read again without loss', (name) => {
    const { value } = readEvalSetFile(join(corpus, name));
    const saved = evalSetText(value);
    expect(evalSetText(readBack(saved))).toBe(saved);
    expect(readBack(saved)).toEqual(value);
  });

  test.each(expected)('%s is read under google-adk as well', (name) => {
    expect(countsOf(readEvalSetFile(join(corpus, name), { profile: googleAdkProfile }).value.evalCases).split(' / ').slice(0, 3)).toEqual(
      countsOf(readEvalSetFile(join(corpus, name)).value.evalCases).split(' / ').slice(0, 3),
    );
  });

  test('B30 a reference whose text is null is no reference text', () => {
    const { value } = readEvalSetFile(join(corpus, 'google-adk-python__elicitation_flow.test.json'));
    expect(value.evalCases[0]?.conversation?.map((turn) => turn.finalResponse?.parts?.map(({ text }) => text))).toContainEqual([undefined]);
  });

  test('G93 a camelCase session export seeds the state of an old file', () => {
    const initialSessionFile = join(corpus, 'ftnext-pytest-adk__roll_die.session.json');
    const { value } = readEvalSetFile(join(corpus, 'google-adk-samples__data-science-simple.test.json'), { initialSessionFile });
    expect(value.evalCases[0]?.sessionInput?.state).toMatchObject({ rolls: [5, 4] });
  });

  test('a snake_case session export seeds the state', () => {
    expect(readInitialSession(join(corpus, 'google-adk-samples__customer-service-123.session.json'))?.state).toHaveProperty('customer_profile');
  });

  test.each([
    ['google-adk-samples__customer-service-test_config.json', 2],
    ['google-adk-samples__travel-concierge-test_config.json', 1],
    ['google-adk-python__home_automation-test_config.json', 1],
    ['ftnext-pytest-adk__args_any_support-test_config.json', 1],
  ])('config %s', (name, atLeast) => {
    const { value, warnings } = readConfigFile(join(corpus, name));
    expect(value.criteria.size).toBeGreaterThanOrEqual(Math.min(atLeast, 1));
    expect(warnings).toEqual([]);
    for (const criterion of value.criteria.values()) expect(typeof criterion.threshold).toBe('number');
  });

  test('G88 camelCase criteria of the starter pack', () => {
    const { value } = readConfigFile(join(corpus, 'GoogleCloudPlatform-agent-starter-pack__adk-eval_config.json'));
    const [criterion] = [...value.criteria.values()];
    expect(value.criteria.size).toBe(1);
    expect(criterion).toMatchObject({ threshold: 0.8, rubrics: [expect.anything(), expect.anything()] });
    expect(criterion).toHaveProperty('judgeModelOptions');
  });

  test.each(expected.filter(([name]) => !legacy.test(name)))('G94 the published schema accepts %s', (name) => {
    const validate = validatorOf('eval-set.schema.json');
    const value: unknown = parseDocument(readFileSync(join(corpus, name), 'utf8'), name);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(readdirIfThere().filter((name) => /session\.json$/.test(name) || legacy.test(name)))('G94 the published schema refuses %s', (name) => {
    const validate = validatorOf('eval-set.schema.json');
    expect(validate(JSON.parse(readFileSync(join(corpus, name), 'utf8')))).toBe(false);
  });

  test.each(readdirIfThere().filter((name) => /config\.json$/.test(name)))('G94 the published config schema accepts %s', (name) => {
    const validate = validatorOf('eval-config.schema.json');
    validate(JSON.parse(readFileSync(join(corpus, name), 'utf8')));
    expect(validate.errors ?? []).toEqual([]);
  });
});

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const validate = validators.get(name) ?? new Ajv2020({ strict: false }).compile(published[name] as object);
  validators.set(name, validate);
  return validate;
}

function readdirIfThere(): string[] {
  return existsSync(corpus) ? readdirSync(corpus) : ['(corpus)'];
}

function readBack(saved: string) {
  return readEvalSetText(saved, 'saved.test.json').value;
}
