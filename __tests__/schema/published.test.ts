import Ajv2020 from 'ajv/dist/2020';
import { published } from '../../src/schema/source';

const validator = (file: string) => new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(published[file] as object);

const turn = { user_content: { parts: [{ text: 'x' }] } };
const withTurn = (more: object) => ({ eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: [{ ...turn, ...more }] }] });

describe('G94 eval-set.schema.json', () => {
  const validate = validator('eval-set.schema.json');

  test.each<[string, unknown]>([
    ['no cases', { $schema: 'x', eval_set_id: 's', eval_cases: [] }],
    ['snake_case', withTurn({ final_response: null, intermediate_data: { tool_uses: [{ name: 't', args: { anyKey: 1 } }], intermediate_responses: [['a', [{ text: 'x' }]]] } })],
    ['camelCase', { evalSetId: 's', evalCases: [{ evalId: 'c', conversation: [{ userContent: {}, intermediateData: { invocationEvents: [{ author: 'a', other: 1 }] } }] }] }],
    ['a scenario', { eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: null, conversation_scenario: { starting_prompt: 'a', conversation_plan: 'b', user_persona: 'NOVICE' } }] }],
    ['keys of one\'s own in a case', { eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: [], tags: ['x'] }] }],
  ])('accepts %s', (_, value) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a misspelled key', withTurn({ intermediate_data: { tool_use: [] } })],
    ['both spellings', { eval_set_id: 's', evalSetId: 's', eval_cases: [] }],
    ['neither conversation nor scenario', { eval_set_id: 's', eval_cases: [{ eval_id: 'c' }] }],
    ['text for a content', withTurn({ user_content: 'x' })],
    ['old names', withTurn({ intermediate_data: { tool_uses: [{ tool_name: 'x' }] } })],
    ['a pair of three', withTurn({ intermediate_data: { intermediate_responses: [['a', [], 1]] } })],
    ['a missing id', { eval_cases: [] }],
    ['a list', []],
  ])('refuses %s', (_, value) => {
    expect(validate(value)).toBe(false);
  });
});

describe('G94 eval-config.schema.json', () => {
  const validate = validator('eval-config.schema.json');

  test.each<[string, unknown]>([
    ['plain numbers', { criteria: { response_match_score: 0.8 } }],
    ['criteria with fields of their own', { criteria: { tool_trajectory_avg_score: { threshold: 1, matchType: 'IN_ORDER' }, x: { threshold: null } } }],
    ['custom metrics', { criteria: { mine: 0.5 }, customMetrics: { mine: { code_config: { name: './m.ts#m' }, metricInfo: { metricName: 'mine', metric_value_info: {} } } } }],
  ])('accepts %s', (_, value) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a text for a threshold', { criteria: { x: 'high' } }],
    ['a criterion without a threshold', { criteria: { x: { match_type: 'EXACT' } } }],
    ['a custom metric without code', { custom_metrics: { mine: {} } }],
  ])('refuses %s', (_, value) => {
    expect(validate(value)).toBe(false);
  });
});
