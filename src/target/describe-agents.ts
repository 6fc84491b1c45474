/** What an agent tree of the SDK says of itself, without running it. */

/** One agent. */
export interface AgentDescription {
  readonly name: string;
  readonly description: string;
  /** "" when it is made while running. */
  readonly instruction: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** Every agent of what a module exports, sub-agents too, each once. */
export function describeAgents(exported: Readonly<Record<string, unknown>>): readonly AgentDescription[] {
  const found: AgentDescription[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || seen.has(value) || depth > 12) return;
    seen.add(value);
    const { name, description, instruction, tools, subAgents, rootAgent, agent } = value as Readonly<Record<string, unknown>>;
    if (typeof name === 'string' && (Array.isArray(subAgents) || typeof instruction === 'string' || 'instruction' in value)) {
      found.push({ name, description: textOf(description), instruction: textOf(instruction), tools: (Array.isArray(tools) ? (tools as unknown[]) : []).flatMap(toolOf) });
    }
    for (const next of [rootAgent, agent, ...(Array.isArray(subAgents) ? (subAgents as unknown[]) : [])]) visit(next, depth + 1);
  };
  for (const value of Object.values(exported)) visit(value, 0);
  return found;
}

function toolOf(value: unknown): readonly { readonly name: string; readonly description: string }[] {
  const { name, description } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  return typeof name === 'string' ? [{ name, description: textOf(description) }] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
