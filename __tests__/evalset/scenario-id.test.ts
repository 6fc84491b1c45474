import { scenarioCaseId, scenarioHashText } from '../../src/evalset/scenario-id';

test('the case id of a scenario is a hash of its sorted, escaped text', () => {
  const scenario = { startingPrompt: 'héllo 世界 🎉', conversationPlan: 'p' };
  expect(scenarioHashText(scenario)).toBe('{"conversation_plan": "p", "starting_prompt": "h\\u00e9llo \\u4e16\\u754c \\ud83c\\udf89", "user_persona": null}');
  expect(scenarioCaseId(scenario)).toBe('0152c964');
});

test('a persona counts with all its fields', () => {
  const behavior = { name: 'n', description: 'e', behaviorInstructions: ['i1', 'i2'], violationRubrics: ['v'] };
  expect(scenarioCaseId({ startingPrompt: 'a', conversationPlan: 'b', userPersona: { id: 'p', description: 'd', behaviors: [behavior] } })).toBe('eebed836');
});
