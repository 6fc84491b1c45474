/** Answers of tools in the old formats: `mock_tool_output` beside the input of an expected call. */
type Raw = Readonly<Record<string, unknown>>;

/** Tool mocks for a case made of old turns: by tool, each input with its answer; other calls go to the real tools. Undefined when there are none. */
export function mocksOf(turns: unknown): Readonly<Record<string, unknown>> | undefined {
  const rules: Record<string, unknown[]> = {};
  for (const turn of asList(turns)) {
    for (const use of asList((turn as Raw)['expected_tool_use'])) {
      const { tool_name: name, tool_input: args, mock_tool_output: output } = use as { readonly tool_name?: unknown; readonly tool_input?: unknown; readonly mock_tool_output?: unknown };
      if (typeof name !== 'string' || output === undefined || output === null) continue;
      const response = typeof output === 'object' && !Array.isArray(output) ? output : { result: output };
      (rules[name] ??= []).push({ ...(typeof args === 'object' && args !== null ? { args } : {}), response });
    }
  }
  return Object.keys(rules).length === 0 ? undefined : { strict: false, ...rules };
}

function asList(value: unknown): readonly object[] {
  return Array.isArray(value) ? (value as unknown[]).filter((item): item is object => typeof item === 'object' && item !== null) : [];
}
