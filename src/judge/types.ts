/** The model behind judged metrics and simulations: what is asked of it and what comes back. */
import type { Content, JsonObject, UsageMetadata } from '../evalset/types';

/** Who a model is asked for. `agent` is counted beside them, though its calls are its own. */
export type ModelRole = 'judge' | 'user' | 'environment' | 'generator';

/** A model that answers judges: a name known to `@google/adk`'s registry, a `BaseLlm`, an address that speaks OpenAI's chat completions, or a function. */
export type JudgeSource = string | LlmLike | OpenAiEndpoint | JudgeFunction;

/**
 * A model behind an address that speaks OpenAI's chat completions.
 *
 * @example
 * const judge = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.3' };
 */
export interface OpenAiEndpoint {
  /** What stands in front of `/chat/completions`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Variable of the environment with the key, sent as `Authorization: Bearer`. */
  readonly apiKeyEnv?: string;
  /** Headers beside it. Their values are taken for secrets. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A `BaseLlm` of any copy of the SDK, by shape. */
export interface LlmLike {
  readonly model: string;
  generateContentAsync(request: object, stream?: boolean, signal?: AbortSignal): AsyncIterable<LlmResponseLike>;
}

/** What is read of an `LlmResponse`. */
export interface LlmResponseLike {
  readonly content?: Content | undefined;
  readonly partial?: boolean | undefined;
  readonly errorCode?: string | number | undefined;
  readonly errorMessage?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly usageMetadata?: UsageMetadata | undefined;
  readonly modelVersion?: string | undefined;
}

/**
 * A judge in code. Gets the whole prompt; answers with text, or with the value that the schema describes.
 *
 * @example
 * const judge = async (prompt, { schema }) => (await client.complete(prompt, { schema })).text;
 */
export type JudgeFunction = (prompt: string, request: ModelRequest, signal: AbortSignal) => string | object | null | undefined | Promise<string | object | null | undefined>;

/** One question to a model. */
export interface ModelRequest {
  readonly prompt: string;
  /** JSON Schema of the answer; models that know structured output keep to it. */
  readonly schema?: JsonObject | undefined;
  /** Which of several samples of the same prompt, from 0. */
  readonly sample: number;
  /** google-genai `GenerateContentConfig`, camelCase. */
  readonly config?: JsonObject | undefined;
  /** Join all responses, for models that answer in pieces; otherwise the first whole one is the answer. */
  readonly joined?: boolean | undefined;
}

/** What a model answered. */
export interface ModelAnswer {
  /** Parts of the answer, thoughts too; undefined when nothing came back. */
  readonly content: Content | undefined;
  /** There was no response at all, which is something else than one without content. */
  readonly none?: true;
  /** Why the model gave no answer, in its own words (`SAFETY`, `MAX_TOKENS`, …). */
  readonly errorCode?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly modelVersion?: string | undefined;
  readonly usage?: UsageMetadata | undefined;
}

/** A model that can be asked. Throws what the model throws. */
export interface Model {
  /** As results name it. */
  readonly name: string;
  /** Where it is asked, when models of that name may be found elsewhere, too. */
  readonly address?: string | undefined;
  /** A function has no settings of its own, and its answers no cache. */
  readonly kind: 'llm' | 'function';
  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
}
