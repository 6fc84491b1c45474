/** A model that answers for tools, with a state that stays the same over the calls of a trial. Source: google-adk 2.13's tool-spec strategy. */
import type { JsonObject, JsonValue } from '../../evalset/types';
import type { ModelClient } from '../../judge/client';
import { makePrompt } from '../../judge/prompts';
import { refusal } from '../../support/errors';
import { stringifyJson } from '../../support/json';
import type { EnvironmentConfig, SimulatedCall } from './types';

/** A thing that tools make and others look up by its key. */
interface StatefulParameter {
  readonly parameter_name: string;
  readonly creating_tools: readonly string[];
  readonly consuming_tools: readonly string[];
}

/** Makes answers up. */
export class MockModel {
  /** Answers by parameter and key. */
  readonly store: Record<string, Record<string, JsonObject>> = {};
  private analysis: Promise<readonly StatefulParameter[]> | undefined;
  private asked = 0;

  constructor(
    private readonly client: ModelClient,
    private readonly config: EnvironmentConfig,
  ) {}

  /** The answer to a call; one that cannot be read is an answer with `status: error`, as a tool would give it. */
  async answer(call: SimulatedCall, signal: AbortSignal): Promise<JsonObject> {
    const parameters = await this.analysed(call, signal);
    const prompt = makePrompt('tool-mock', [
      { name: 'connections', text: stringifyJson(parameters) },
      { name: 'state', text: stringifyJson(this.store) },
      { name: 'tool', text: stringifyJson(declarationOf(call)) },
      { name: 'arguments', text: stringifyJson(call.args) },
      ...(this.config.environmentData === undefined ? [] : [{ name: 'world', text: this.config.environmentData }]),
      ...(this.config.tracing === undefined ? [] : [{ name: 'examples', text: this.config.tracing }]),
    ]);
    const text = await this.ask(prompt.text, signal);
    const answer = objectIn(text);
    if (answer === undefined) return { status: 'error', error_message: 'The simulated tool gave no JSON object.', llm_output: text };
    for (const { parameter_name: name, creating_tools: creators } of parameters) if (creators.includes(call.tool)) this.keep(name, answer);
    return answer;
  }

  private keep(name: string, answer: JsonObject): void {
    const value = firstValue(name, answer);
    if (value === undefined || value === null) return;
    if (typeof value === 'object') throw refusal('bad_mock', `The simulated tool gave ${JSON.stringify(name)} a value that is no key.`);
    const key = typeof value === 'string' ? value : stringifyJson(value, 0);
    (this.store[name] ??= {})[key] = answer;
  }

  /** Once for all calls, unless it came to nothing usable. */
  private async analysed(call: SimulatedCall, signal: AbortSignal): Promise<readonly StatefulParameter[]> {
    this.analysis ??= this.analyse(call, signal);
    try {
      return await this.analysis;
    } catch (thrown) {
      this.analysis = undefined;
      throw thrown;
    }
  }

  private async analyse({ declarations = [] }: SimulatedCall, signal: AbortSignal): Promise<readonly StatefulParameter[]> {
    const prompt = makePrompt('tool-analysis', [{ name: 'tools', text: stringifyJson(declarations) }]);
    const read = objectIn(await this.ask(prompt.text, signal));
    if (read === undefined) return [];
    const parameters = read.stateful_parameters;
    if (!Array.isArray(parameters) || !parameters.every(isParameter)) throw refusal('bad_mock', 'The analysis of the tools has no list "stateful_parameters" of { parameter_name, creating_tools, consuming_tools }.');
    return parameters;
  }

  private async ask(prompt: string, signal: AbortSignal): Promise<string> {
    this.asked += 1;
    const { content } = await this.client.ask({ prompt, config: this.config.modelConfiguration, sample: this.asked, joined: true }, signal, 'return');
    return (content?.parts ?? []).map(({ text, thought }) => (thought === true ? '' : (text ?? ''))).join('');
  }
}

function declarationOf({ tool, description, declarations = [] }: SimulatedCall): object {
  const declared = declarations.find((one) => (one as { readonly name?: unknown } | null)?.name === tool);
  return (declared as object | undefined) ?? { name: tool, description: description ?? '' };
}

function isParameter(value: JsonValue): boolean {
  const { parameter_name: name, creating_tools: creators, consuming_tools: consumers } = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  const names = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === 'string');
  return typeof name === 'string' && names(creators) && names(consumers);
}

/** One JSON object, maybe in a fence that is all there is; prose around it is none. */
function objectIn(text: string): JsonObject | undefined {
  const bare = text.replace(/^```[A-Za-z]*\n/, '').replace(/\n```$/, '').trim();
  try {
    const value: unknown = JSON.parse(bare);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The value under a name: an object's own first, even null, then the first one below it. */
function firstValue(name: string, value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && Object.hasOwn(value, name)) return (value as JsonObject)[name];
  for (const item of Object.values(value) as JsonValue[]) {
    const found = firstValue(name, item);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}
