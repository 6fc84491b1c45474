/** Makes a model of whatever was named as one. */
import { refusal, toErrorInfo } from '../support/errors';
import type { AdkModule } from '../target/adk-shapes';
import type { Part } from '../evalset/types';
import { isEndpoint } from './endpoint';
import type { JudgeFunction, JudgeSource, LlmLike, LlmResponseLike, Model, ModelAnswer, ModelRequest, OpenAiEndpoint } from './types';

/** The part of the SDK that knows models by name. */
interface Registry {
  resolve(model: string): unknown;
  newLlm(model: string): LlmLike;
}

/** Finds the copy of the SDK whose registry knows the names. */
export type SdkProvider = () => Promise<AdkModule>;

/**
 * Resolves a model.
 *
 * @param source  a name (`gemini-2.5-flash`), a `BaseLlm`, an address of OpenAI's kind, or a function
 * @param sdk     the copy of `@google/adk` in whose registry a name is looked up
 * @param why     what needs it, for messages: `final_response_match_v2`
 * @throws {JestAdkError} `unknown_model` for a name the registry does not know, `model_refused` when the model cannot be made (a missing key),
 *   `no_model` for anything else
 */
export async function resolveModel(source: JudgeSource, sdk: SdkProvider, why: string): Promise<Model> {
  if (typeof source === 'function') return functionModel(source);
  if (isLlm(source)) return llmModel(source);
  if (isEndpoint(source)) return behindAddress(source, why);
  if (typeof source !== 'string' || source === '') throw refusal('no_model', `${why} needs a model.`, 'Give the name of a model, a BaseLlm, { baseUrl, model }, or a function (prompt) => answer.');
  return llmModel(await fromRegistry(source, sdk, why));
}

/**
 * Checks what can be checked without a key: names against the registry, or, where no SDK is installed, nothing. The model is never asked.
 *
 * @throws {JestAdkError} `unknown_model`, `no_model`
 */
export async function checkModelName(source: JudgeSource, sdk: SdkProvider, why: string): Promise<Model> {
  if (isEndpoint(source)) {
    const { apiKeyEnv: _key, ...rest } = source;
    return behindAddress(rest, why);
  }
  if (typeof source !== 'string' || source === '') return resolveModel(source, sdk, why);
  const adk = await sdk().catch(() => undefined);
  if (adk !== undefined) registryKnowing(source, adk, why);
  return { name: source, kind: 'llm', generate: () => Promise.reject(new Error(`${source} was looked up only.`)) };
}

function behindAddress(endpoint: OpenAiEndpoint, why: string): Model {
  const { endpointModel } = require('./openai') as typeof import('./openai');
  return endpointModel(endpoint, process.env, why);
}

async function fromRegistry(name: string, sdk: SdkProvider, why: string): Promise<LlmLike> {
  let adk: AdkModule;
  try {
    adk = await sdk();
  } catch (thrown) {
    throw refusal('unknown_model', `${why} needs the model ${JSON.stringify(name)}, which is looked up in @google/adk: ${toErrorInfo(thrown).message}`, functionHint);
  }
  const registry = registryKnowing(name, adk, why);
  try {
    return registry.newLlm(name);
  } catch (thrown) {
    throw refusal('model_refused', `${why} needs the model ${JSON.stringify(name)}, which could not be made: ${toErrorInfo(thrown).message}`, functionHint);
  }
}

function registryKnowing(name: string, adk: AdkModule, why: string): Registry {
  const registry = adk.LLMRegistry as Registry;
  try {
    registry.resolve(name);
  } catch {
    throw refusal('unknown_model', `${why} needs the model ${JSON.stringify(name)}, which @google/adk does not know.`, `Register its class with LLMRegistry, or give a BaseLlm or a function as the option "judge".`);
  }
  return registry;
}

const functionHint = 'Without it, give a BaseLlm or a function (option "judge", or "userModel" for the user).';

/** Whether a value is a `BaseLlm` of whichever copy. */
export function isLlm(value: unknown): value is LlmLike {
  return typeof value === 'object' && value !== null && typeof (value as Partial<LlmLike>).generateContentAsync === 'function' && typeof (value as Partial<LlmLike>).model === 'string';
}

function functionModel(fn: JudgeFunction): Model {
  const name = fn.name === '' ? 'function' : `function ${fn.name}`;
  return {
    name,
    kind: 'function',
    async generate(request, signal) {
      const reply = await fn(request.prompt, request, signal);
      // No second try would mend it: most likely a "return" is missing.
      if (reply === undefined || reply === null) throw new Error(`it returned ${String(reply)}; it is to return the answer as text, or as the value that request.schema describes`);
      return { content: { role: 'model', parts: [{ text: typeof reply === 'string' ? reply : JSON.stringify(reply) }] } };
    },
  };
}

function llmModel(llm: LlmLike): Model {
  return {
    name: llm.model,
    kind: 'llm',
    generate: async (request, signal) => collect(llm.generateContentAsync(llmRequest(llm.model, request), false, signal), request.joined === true),
  };
}

/** google-genai's own retries are off: they are ours to make, and to count. */
function llmRequest(model: string, { prompt, schema, config }: ModelRequest): object {
  const httpOptions = { ...(config?.httpOptions as object | undefined), retryOptions: { attempts: 1 } };
  return {
    model,
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    config: { ...config, httpOptions, ...(schema === undefined ? {} : { responseMimeType: 'application/json', responseJsonSchema: schema }) },
    liveConnectConfig: {},
    toolsDict: {},
  };
}

/** The first whole response, or all of them joined; an error code takes back what came before it, and ends reading. */
async function collect(responses: AsyncIterable<LlmResponseLike>, joined: boolean): Promise<ModelAnswer> {
  const parts: Part[] = [];
  let last: LlmResponseLike | undefined;
  for await (const response of responses) {
    last = { ...last, ...response };
    if (response.errorCode !== undefined && response.errorCode !== '') return answerOf({ ...last, content: undefined });
    if (joined) parts.push(...(response.content?.parts ?? []));
    else if (response.partial !== true) return answerOf(last);
  }
  if (last === undefined) return { content: undefined, none: true };
  return answerOf({ ...last, content: joined ? { role: 'model', parts } : last.content });
}

function answerOf({ content, errorCode, errorMessage, finishReason, usageMetadata, modelVersion }: LlmResponseLike): ModelAnswer {
  return {
    content: content,
    ...(errorCode === undefined ? {} : { errorCode: String(errorCode) }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(usageMetadata === undefined ? {} : { usage: usageMetadata }),
    ...(modelVersion === undefined ? {} : { modelVersion }),
  };
}
