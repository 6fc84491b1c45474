export function run({ check, ...input }, { core }) {
  const { googleAdkProfile: profile } = core('support/profile');
  const accepts = (step) => {
    try {
      return step();
    } catch (error) {
      return { error };
    }
  };
  const configOf = (config) => accepts(() => core('config/reader').configFromObject({ criteria: { response_match_score: 1 }, user_simulator_config: config }, { profile }).value.userSimulatorConfig);
  const scenarioOf = (scenario) => accepts(() => core('evalset/parts').conversationScenarioFromJson(scenario, profile));
  if (check === 'scenario') return { accepted: scenarioOf(input.scenario).error === undefined };
  if (check === 'persona') {
    const scenario = scenarioOf({ starting_prompt: 's', conversation_plan: 'p', ...(input.user_persona === undefined ? {} : { user_persona: input.user_persona }) });
    if (scenario.error !== undefined) return { error: /no (built-in )?persona|persona .*(not|unknown)/i.test(scenario.error.message) && typeof input.user_persona === 'string' ? 'not_found' : 'validation' };
    return { persona_id: scenario.userPersona?.id ?? null, behavior_count: scenario.userPersona?.behaviors.length ?? 0 };
  }
  if (check === 'user_simulator_config') {
    const config = configOf(input.config);
    if (config.error !== undefined) return { accepted: false };
    const read = core('simulation/user/config').simulatorConfigOf(config);
    const type = config.type ?? 'llm_backed';
    return { accepted: true, type, class: type === 'llm_audio' ? 'LlmAudioUserSimulatorConfig' : 'LlmBackedUserSimulatorConfig', model: read.model, max_allowed_invocations: read.maxAllowedInvocations, include_function_calls: read.includeFunctionCalls };
  }
  if (check === 'generation_config') {
    const read = accepts(() => core('simulation/user/generation').generationConfigFromJson(input.config, profile));
    if (read.error !== undefined) return { accepted: false };
    return { accepted: true, parsed: { count: read.count, generation_instruction: read.generationInstruction ?? null, environment_context: read.environmentContext ?? null, model_name: read.modelName } };
  }
  const accepted = configOf({ custom_instructions: input.custom_instructions }).error === undefined;
  if (!accepted || input.values === undefined) return { accepted_by_config: accepted };
  return { accepted_by_config: true, ...rendered(input, core, scenarioOf) };
}

/** The golden file's own values in place of the product's signal. */
function rendered({ custom_instructions: template, values, persona }, core, scenarioOf) {
  const { renderCustomInstructions, personaProblem } = core('simulation/user/instructions');
  const scenario = scenarioOf({ starting_prompt: 's', conversation_plan: values.conversation_plan, ...(persona === undefined ? {} : { user_persona: persona }) });
  if (personaProblem(template, scenario) !== undefined) return { render_error: 'persona_placeholder_missing' };
  try {
    return { rendered: renderCustomInstructions(template, { scenario, history: values.conversation_history, signal: values.stop_signal }) };
  } catch {
    return { render_error: 'raises' };
  }
}

/** Of a failing template only that it fails is compared. */
export function compare(actual, expected, { difference }) {
  const same = actual.render_error !== undefined && expected.render_error !== undefined && expected.render_error !== 'persona_placeholder_missing';
  return difference(same ? { ...actual, render_error: expected.render_error } : actual, expected);
}
