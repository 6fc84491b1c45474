// Case id of a scenario that is added to a set, and the text that is hashed for it.
export async function run(input, { core }) {
  const { conversationScenarioFromJson } = core('evalset/parts');
  const { scenarioCaseId, scenarioHashText } = core('evalset/scenario-id');
  const { googleAdkProfile } = core('support/profile');
  const scenario = conversationScenarioFromJson(input.scenario, googleAdkProfile);
  return { hashed_text: scenarioHashText(scenario), eval_id: scenarioCaseId(scenario) };
}
