/**
 * Eval sets of trpc-agent-go: ADK's shape in camelCase, with messages (`{ role, content }`) in place of contents and tool calls with `arguments`
 * and `result`. Described by its repository, `evaluation/evalset`.
 */

type Raw = Readonly<Record<string, unknown>>;

/** The set in ADK's format, and what it has no place for. */
export interface TrpcOutcome {
  readonly value: unknown;
  /** Places of what was left out. */
  readonly losses: readonly (readonly (string | number)[])[];
}

/** Whether a value is written for trpc-agent-go: some turn holds a message whose text is in `content`, or tools with `arguments`. */
export function looksLikeTrpc(value: unknown): boolean {
  return casesOf(value).some((one) => {
    if ('contextMessages' in one || 'expectedRunner' in one) return true;
    return turnsOf(one).some((turn) => isMessage(turn.userContent ?? turn.user_content) || isMessage(turn.finalResponse ?? turn.final_response) || 'tools' in turn || 'toolCalls' in (asRaw(turn.intermediateData ?? turn.intermediate_data) ?? {}));
  });
}

/** Converts a set of trpc-agent-go. What is not shaped as expected is passed on as it is: reading the result says what is wrong with it. */
export function fromTrpc(value: unknown): TrpcOutcome {
  const losses: (readonly (string | number)[])[] = [];
  const raw = asRaw(value);
  if (raw === undefined) return { value, losses };
  const key = 'evalCases' in raw ? 'evalCases' : 'eval_cases';
  const cases = Array.isArray(raw[key]) ? raw[key].map((one: unknown, index) => convertCase(one, [key, index], losses)) : raw[key];
  const { [key]: _old, ...rest } = raw;
  return { value: { ...rest, eval_cases: cases }, losses };
}

function convertCase(value: unknown, path: readonly (string | number)[], losses: (readonly (string | number)[])[]): unknown {
  const raw = asRaw(value);
  if (raw === undefined) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(raw)) {
    if (key === 'contextMessages') losses.push([...path, key]);
    else if (key === 'conversation' && Array.isArray(item)) result[key] = item.map((turn: unknown, index) => convertTurn(turn, [...path, key, index], losses));
    else result[key] = item;
  }
  return result;
}

function convertTurn(value: unknown, path: readonly (string | number)[], losses: (readonly (string | number)[])[]): unknown {
  const raw = asRaw(value);
  if (raw === undefined) return value;
  const result: Record<string, unknown> = {};
  const calls: unknown[] = [];
  const responses: unknown[] = [];
  for (const [key, item] of Object.entries(raw)) {
    if (/^(userContent|user_content|finalResponse|final_response)$/.test(key)) result[key] = toContent(item, [...path, key], losses);
    else if (key === 'tools' && Array.isArray(item)) item.forEach((tool: unknown) => addTool(tool, calls, responses));
    else if (/^intermediate_?[dD]ata$/.test(key)) addIntermediate(item, [...path, key], calls, responses, result, key, losses);
    else if (key === 'contextMessages') losses.push([...path, key]);
    else result[key] = item;
  }
  if (calls.length > 0) result.intermediate_data = { tool_uses: calls, ...(responses.length > 0 && { tool_responses: responses }) };
  return result;
}

/** `{ id, name, arguments, result }`. */
function addTool(value: unknown, calls: unknown[], responses: unknown[]): void {
  const tool = asRaw(value);
  if (tool === undefined) return;
  const id = typeof tool.id === 'string' && tool.id !== '' ? { id: tool.id } : {};
  calls.push({ ...id, name: tool.name, args: parsed(tool.arguments) ?? {} });
  if (tool.result !== undefined && tool.result !== null) responses.push({ ...id, name: tool.name, response: asObject(parsed(tool.result)) });
}

/** The older shape: calls as OpenAI writes them, responses and texts as messages. */
function addIntermediate(value: unknown, path: readonly (string | number)[], calls: unknown[], responses: unknown[], result: Record<string, unknown>, key: string, losses: (readonly (string | number)[])[]): void {
  const data = asRaw(value);
  if (data === undefined || !('toolCalls' in data || 'toolResponses' in data)) {
    result[key] = value;
    return;
  }
  for (const call of listOf(data.toolCalls)) {
    const { id, function: called } = call as { id?: unknown; function?: { name?: unknown; arguments?: unknown } };
    addTool({ id, name: called?.name, arguments: called?.arguments }, calls, responses);
  }
  for (const message of listOf(data.toolResponses)) responses.push({ ...(typeof message.tool_id === 'string' && { id: message.tool_id }), name: message.tool_name ?? message.toolName, response: asObject(parsed(message.content)) });
  for (const name of Object.keys(data)) if (name !== 'toolCalls' && name !== 'toolResponses' && listOf(data[name]).length > 0) losses.push([...path, name]);
}

function toContent(value: unknown, path: readonly (string | number)[], losses: (readonly (string | number)[])[]): unknown {
  const message = asRaw(value);
  if (message === undefined || 'parts' in message) return message?.role === 'assistant' ? { ...message, role: 'model' } : value;
  const { role, content, ...rest } = message;
  for (const name of Object.keys(rest)) losses.push([...path, name]);
  return { role: role === 'assistant' ? 'model' : role ?? 'user', parts: [{ text: typeof content === 'string' ? content : '' }] };
}

/** Arguments and results are JSON, or the text of some. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function asObject(value: unknown): unknown {
  return asRaw(value) ?? { result: value };
}

function isMessage(value: unknown): boolean {
  return typeof asRaw(value)?.content === 'string';
}

function casesOf(value: unknown): readonly Raw[] {
  const raw = asRaw(value);
  return listOf(raw?.evalCases ?? raw?.eval_cases);
}

function turnsOf(one: Raw): readonly Raw[] {
  return listOf(one.conversation);
}

function listOf(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? value.filter((item): item is Raw => asRaw(item) !== undefined) : [];
}

function asRaw(value: unknown): Raw | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : undefined;
}
