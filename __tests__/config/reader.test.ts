import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JestAdkError } from '../../src/support/errors';
import { stringifyJson } from '../../src/support/json';
import { googleAdkProfile } from '../../src/support/profile';
import { configFromObject, readConfigFile } from '../../src/config/reader';
import { evalConfigToJson } from '../../src/config/writer';

function problems(value: unknown): string[] {
  try {
    configFromObject(value);
  } catch (error) {
    if (error instanceof JestAdkError) return error.message.split('\n').map((line) => line.trim());
    throw error;
  }
  return [];
}

describe('a config', () => {
  test('G88 in camelCase: criteria keep their own keys as they are written', () => {
    const { value, warnings } = configFromObject({
      criteria: {
        rubric_based_final_response_quality_v1: { threshold: '0.8', judgeModelOptions: { numSamples: 3 }, rubrics: [{ rubricId: 'r' }] },
        response_match_score: 0.5,
      },
      customMetrics: { mine: { codeConfig: { name: './m.ts#m' }, metricInfo: { metricName: 'x', metricValueInfo: { interval: { minValue: 0, max_value: 5 } } } } },
      liveModelConfig: {},
    });
    expect(warnings).toEqual([]);
    expect(value).toEqual({
      criteria: new Map<string, object>([
        ['rubric_based_final_response_quality_v1', { threshold: 0.8, includeIntermediateResponsesInFinal: false, judgeModelOptions: { numSamples: 3 }, rubrics: [{ rubricId: 'r' }] }],
        ['response_match_score', { threshold: 0.5 }],
      ]),
      plainThresholds: new Set(['response_match_score']),
      customMetrics: new Map([
        ['mine', { codeConfig: { name: './m.ts#m' }, metricInfo: { metricName: 'x', metricValueInfo: { interval: { minValue: 0, openAtMin: false, maxValue: 5, openAtMax: false } }, requiresThreshold: true }, description: '' }],
      ]),
      liveModelConfig: { timeoutSeconds: 300 },
    });
  });

  test('written again it is what it was', () => {
    const json = {
      criteria: { a: 1.5, b: { threshold: 0.5, include_intermediate_responses_in_final: false, matchType: 'IN_ORDER' } },
      custom_metrics: { mine: { code_config: { name: 'a.b' }, description: 'd' } },
      user_simulator_config: { type: 'llm_backed', model: 'm', model_configuration: {}, max_allowed_invocations: 4, include_function_calls: true, hint: 1 },
    };
    expect(JSON.parse(stringifyJson(evalConfigToJson(configFromObject(json).value)))).toEqual(json);
  });

  test('a null threshold records without judging; google-adk refuses it', () => {
    const config = { criteria: { a: { threshold: null, x: 1 } } };
    expect(configFromObject(config).value.criteria.get('a')).toEqual({ threshold: null, includeIntermediateResponsesInFinal: false, x: 1 });
    expect(() => configFromObject(config, { profile: googleAdkProfile })).toThrow(JestAdkError);
  });

  test.each<[string, unknown, string[]]>([
    ['a misspelled threshold', { criteria: { a: { treshold: 1 } } }, ['criteria.a.threshold', 'Required key "threshold" is missing. Is "treshold" meant as "threshold"?']],
    ['no threshold', { criteria: { a: 'high', b: null } }, [
      'criteria.a', 'Expected a threshold or an object with "threshold", got "high".', 'criteria.b', 'Expected a threshold or an object with "threshold", got null.',
    ]],
    ['a typo at the top', { criterias: {} }, ['criterias', 'Unknown key "criterias". Did you mean "criteria"?']],
    ['a typo in camelCase', { customMetric: {} }, ['customMetric', 'Unknown key "customMetric". Did you mean "customMetrics"?']],
    ['a custom metric without code', { custom_metrics: { a: { code_confg: { name: 'x' } } } }, [
      'custom_metrics.a.code_config', 'Required key "code_config" is missing. Is "code_confg" meant as "code_config"?',
      'custom_metrics.a.code_confg', 'Unknown key "code_confg". Did you mean "code_config"?',
    ]],
    ['another kind of simulator', { user_simulator_config: { type: 'human' } }, ['user_simulator_config', 'Unknown value "human"; known: llm_backed, llm_audio.']],
    ['a typo in the simulator', { user_simulator_config: { max_alowed_invocations: 1 } }, ['user_simulator_config.max_alowed_invocations', 'Unknown key "max_alowed_invocations". Did you mean "max_allowed_invocations"?']],
    ['a list', [], ['Expected an object, got [].']],
  ])('%s is refused with its place', (_, value, lines) => {
    expect(problems(value)).toEqual(lines);
  });

  test.each([
    ['{{ stop_signal }} {% if conversation_plan %}x{% endif %} {% for x in conversation_history %}{{ x }}{% endfor %}', undefined],
    ['{{ stop_signal }} {{ conversation_plan | default(conversation_history) }}', undefined],
    ['{{ "stop_signal" }} {{ a.conversation_plan }} {% set conversation_history = 1 %}{{ conversation_history }}', '"custom_instructions" must use {{ stop_signal }}, {{ conversation_plan }}, {{ conversation_history }}.'],
    ['{# stop_signal #} {% raw %}{{ conversation_plan }}{% endraw %} {{ conversation_history }}', '"custom_instructions" must use {{ stop_signal }}, {{ conversation_plan }}.'],
    ['', '"custom_instructions" must use {{ stop_signal }}, {{ conversation_plan }}, {{ conversation_history }}.'],
  ])('the simulator\'s instructions %j', (instructions, problem) => {
    expect(problems({ user_simulator_config: { custom_instructions: instructions } })).toEqual(problem === undefined ? [] : ['user_simulator_config.custom_instructions', problem]);
  });

  test('other keys at the top are ignored with a warning', () => {
    expect(configFromObject({ $schema: 'x', criteria: {}, comment: 'x' }).warnings.map(({ message }) => message)).toEqual(['Unknown key "comment" is ignored.']);
  });
});

test('under google-adk a misspelt key is like any other unknown key', () => {
  const raw = { criterias: { a: 1 }, live_model_config: { timeout_second: 5 }, user_simulator_config: { modle: 'm' } };
  expect(configFromObject(raw, { profile: googleAdkProfile }).value.criteria.size).toBe(0);
  expect(() => configFromObject(raw)).toThrow('Did you mean "criteria"?');
});

describe('a config file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jest-adk-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['test_config.json', '{\n  "criteria": {\n    "a": {"threshold": "much"}\n  }\n}', '3:11'],
    ['test_config.toml', '[criteria.a]\nthreshold = "much"\n', '2:1'],
  ])('%s: problems have line and column', (name, text, at) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    expect(() => readConfigFile(file)).toThrow(`${file}:${at}  criteria.a.threshold\n  Expected a number, got "much".`);
  });

  test('criteria know their place', () => {
    const file = join(folder, 'test_config.json');
    writeFileSync(file, '{"criteria": {"a": {"threshold": 1, "x": 2}}}');
    const { value, placeOf } = readConfigFile(file);
    expect(placeOf(value.criteria.get('a') as object)).toEqual({ file, path: ['criteria', 'a'] });
  });
});
