const strategyNames = { unspecified: 'MOCK_STRATEGY_UNSPECIFIED', tool_spec: 'MOCK_STRATEGY_TOOL_SPEC', tracing: 'MOCK_STRATEGY_TRACING' };

export async function run({ check, config: given, calls }, { core }) {
  const { environmentFromJson } = core('simulation/environment/config');
  const { EnvironmentEngine } = core('simulation/environment/engine');
  const { config, problems } = environmentFromJson(given, true);
  if (check === 'config') {
    if (problems.length > 0) return { accepted: false };
    const tools = config.tools.map(({ toolName, strategy, injections }) => ({
      tool_name: toolName,
      mock_strategy_type: strategyNames[strategy],
      injections: injections.map((one) => ({ injection_probability: one.probability, match_args: one.matchArgs ?? null, injected_latency_seconds: one.latencySeconds, random_seed: one.randomSeed ?? null, kind: one.error === undefined ? 'response' : 'error' })),
    }));
    return { accepted: true, simulation_model: config.simulationModel, tools };
  }
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  // Time passes at once.
  const clock = { now: () => 0, elapsed: () => 0, after: (_milliseconds, callback) => (queueMicrotask(callback), () => undefined) };
  const engine = new EnvironmentEngine({ config, clock, booleansEqualNumbers: true });
  const results = [];
  for (const { tool, args } of calls) {
    const outcome = await engine.simulate({ tool, args }, new AbortController().signal);
    results.push({ simulated: outcome.simulated, result: outcome.simulated ? outcome.result : null, ...(outcome.latencySeconds === undefined ? {} : { latency_seconds: outcome.latencySeconds }) });
  }
  return { calls: results };
}
