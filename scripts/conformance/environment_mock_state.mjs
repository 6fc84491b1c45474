import { clientOf } from './lib/judged.mjs';

export async function run({ tools, analyzer_output: analysis, calls }, { core }) {
  const { environmentFromJson } = core('simulation/environment/config');
  const { EnvironmentEngine } = core('simulation/environment/engine');
  const { config } = environmentFromJson({ tool_simulation_configs: tools.map((name) => ({ tool_name: name, injection_configs: [], mock_strategy_type: 1 })) }, true);
  const queue = [analysis, ...calls.map(({ model_output: output }) => output)];
  const engine = new EnvironmentEngine({ config, client: clientOf(core, () => queue.shift()) });
  const results = [];
  try {
    for (const { tool } of calls) {
      const { result } = await engine.simulate({ tool, args: {}, declarations: tools.map((name) => ({ name })) }, new AbortController().signal);
      results.push(result.status === 'error' && 'llm_output' in result ? { error: true, keeps_raw_output: true } : { result });
    }
  } catch {
    return { raises: true };
  }
  return { results, state_store: engine.mocks.store };
}

/** Of a call that raises only that it does is compared. */
export function compare(actual, expected, { difference }) {
  return difference(actual, expected.raises === undefined ? expected : { raises: true });
}
