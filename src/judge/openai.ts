/** Models behind an address that speaks OpenAI's chat completions: OpenAI's own, vLLM, Ollama, llama.cpp, LM Studio, gateways. */
import type { JsonObject } from '../evalset/types';
import { JestAdkError, refusal } from '../support/errors';
import { keepSecret } from '../support/secrets';
import { parseBaseUrl } from '../target/http/base-url';
import { HttpClient } from '../target/http/client';
import { headerPairs, headerRefusals, type HeaderPair } from '../target/http/headers';
import { endpointProblem } from './endpoint';
import type { Model, ModelAnswer, ModelRequest, OpenAiEndpoint } from './types';

/** Longer than any try may take: the time limit is that of the tries. */
const timeoutMs = 3_600_000;

/** Settings of google-genai by their names there. Others, such as a thinking budget, have no counterpart and are not sent. */
const settings: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  maxOutputTokens: 'max_tokens',
  stopSequences: 'stop',
  seed: 'seed',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
};

/**
 * A model behind an address. Nothing is asked yet.
 *
 * @param why  what needs it, for messages
 * @throws {JestAdkError} `no_model`, `bad_url`, `bad_header`, or `model_refused` for a variable of the key that is not set
 */
export function endpointModel(endpoint: OpenAiEndpoint, env: NodeJS.ProcessEnv, why: string): Model {
  const problem = endpointProblem(endpoint);
  if (problem !== undefined) throw refusal('no_model', `The model of ${why} ${problem}.`);
  const { baseUrl, model, apiKeyEnv, headers: given = {} } = endpoint;
  const base = parseBaseUrl(baseUrl);
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== undefined && (key === undefined || key === '')) throw refusal('model_refused', `${why} needs the model ${JSON.stringify(model)}, whose key is to be in the variable ${apiKeyEnv}, which is not set.`);
  const headers: readonly HeaderPair[] = [...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]), ...headerPairs(given)];
  const [wrong] = headerRefusals(headers);
  if (wrong !== undefined) throw wrong;
  for (const value of [key ?? '', ...headers.map(([, text]) => text)]) keepSecret(value);
  const client = new HttpClient({ base, headers, timeoutMs, env });
  return { name: model, address: base.text, kind: 'llm', generate: chat(client, model) };
}

/** Asks, with the schema of the answer until the server says that it knows none. */
function chat(client: HttpClient, model: string): Model['generate'] {
  let knowsSchemas = true;
  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const call = { method: 'POST', segments: ['chat', 'completions'], signal } as const;
    const withSchema = knowsSchemas && request.schema !== undefined;
    try {
      const { text } = await client.request({ ...call, body: bodyOf(model, request, withSchema) });
      const answer = readCompletion(text);
      if (answer === undefined) throw client.failure(call, { code: 'http_answer', reason: `was answered with what is no chat completion: ${JSON.stringify(text.slice(0, 160))}` });
      return answer;
    } catch (thrown) {
      if (!withSchema || !isAboutSchema(thrown)) throw thrown;
      knowsSchemas = false;
      return ask(request, signal);
    }
  };
  return ask;
}

function bodyOf(model: string, { prompt, schema, config = {} }: ModelRequest, withSchema: boolean): JsonObject {
  const given = Object.entries(settings).flatMap(([name, theirs]) => (config[name] === undefined ? [] : [[theirs, config[name]] as const]));
  const system = typeof config.systemInstruction === 'string' ? [{ role: 'system', content: config.systemInstruction }] : [];
  return {
    model,
    messages: [...system, { role: 'user', content: prompt }],
    ...Object.fromEntries(given),
    ...(withSchema && schema !== undefined ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } } : {}),
  };
}

/** Servers without structured answers refuse the request by the field's name. Prompts ask for the same form, and answers are read the same way. */
function isAboutSchema(thrown: unknown): boolean {
  if (!(thrown instanceof JestAdkError)) return false;
  const { status } = thrown as { readonly status?: number };
  return (status === 400 || status === 422) && /response_format|json_schema|guided|grammar/i.test(thrown.message);
}

interface Completion {
  readonly model?: string;
  readonly choices?: readonly { readonly finish_reason?: string | null; readonly message?: { readonly content?: string | null; readonly refusal?: string | null } }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number; readonly total_tokens?: number } | null;
}

/** Their reasons to end, in the words of google-genai. */
const finishReasons: Readonly<Record<string, string>> = { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' };

function readCompletion(text: string): ModelAnswer | undefined {
  let value: Completion | null;
  try {
    value = JSON.parse(text) as Completion | null;
  } catch {
    return undefined;
  }
  if (!Array.isArray(value?.choices)) return undefined;
  const [choice] = value.choices as NonNullable<Completion['choices']>;
  if (choice === undefined) return { content: undefined, none: true };
  const { content, refusal: refused } = choice.message ?? {};
  const finishReason = finishReasons[choice.finish_reason ?? ''] ?? choice.finish_reason?.toUpperCase();
  const { prompt_tokens: promptTokenCount, completion_tokens: candidatesTokenCount, total_tokens: totalTokenCount } = value.usage ?? {};
  return {
    content: typeof content === 'string' ? { role: 'model', parts: [{ text: content }] } : undefined,
    ...(typeof refused === 'string' && refused !== '' ? { errorCode: 'REFUSAL', errorMessage: refused } : finishReason === 'SAFETY' ? { errorCode: 'SAFETY' } : {}),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(typeof value.model === 'string' ? { modelVersion: value.model } : {}),
    usage: { ...(promptTokenCount === undefined ? {} : { promptTokenCount }), ...(candidatesTokenCount === undefined ? {} : { candidatesTokenCount }), ...(totalTokenCount === undefined ? {} : { totalTokenCount }) },
  };
}
