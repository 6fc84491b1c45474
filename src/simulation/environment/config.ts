/** Reads how tools are simulated: google-adk's config, with additions of ours, and the mocks of a case. */
import type { JsonObject, JsonValue } from '../../evalset/types';
import type { Problem } from '../../support/errors';
import { toFloat, toInteger } from '../../schema/scalars';
import { didYouMean } from '../../support/nearest';
import type { EnvironmentConfig, Injection, OnMiss, ToolSimulation } from './types';

/** A config, and what is wrong with it; paths are relative to it. */
export interface ReadEnvironment {
  readonly config: EnvironmentConfig;
  readonly problems: readonly Problem[];
}

const longestLatency = 120;
const strategies = ['unspecified', 'tool_spec', 'tracing'] as const;
const missChoices: readonly string[] = ['real', 'error', 'mock'];
const configKeys = ['tool_simulation_configs', 'simulation_model', 'simulation_model_configuration', 'tracing', 'environment_data', 'strict'];
const toolKeys = ['tool_name', 'injection_configs', 'mock_strategy_type', 'on_miss'];
const injectionKeys = ['injection_probability', 'match_args', 'injected_latency_seconds', 'random_seed', 'injected_error', 'injected_response'];

/** Thoughts off, as google-adk's simulation asks its model. */
const thinking = { thinkingConfig: { includeThoughts: false, thinkingBudget: 10240 } };

/**
 * Reads google-adk's `EnvironmentSimulationConfig`. Outside google-adk strategies may be named, an explicit empty response counts, probabilities must be
 * from 0 to 1, and keys that are nearly known ones are problems.
 */
export function environmentFromJson(value: unknown, reference = false): ReadEnvironment {
  const reader = new Reader(reference);
  const raw = reader.object(value, []);
  reader.typos(raw, configKeys, []);
  const given = raw.tool_simulation_configs;
  const tools = given === undefined ? [] : reader.list(given, ['tool_simulation_configs']).map((tool, at) => reader.tool(tool, ['tool_simulation_configs', at]));
  if (given !== undefined && tools.length === 0) reader.problem(['tool_simulation_configs'], 'There is no tool in it.', 'Leave the key out to simulate nothing.');
  const names = tools.map(({ toolName }) => toolName);
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at))) reader.problem(['tool_simulation_configs'], `The tool ${JSON.stringify(name)} stands twice.`, 'Put its rules into one entry.');
  const configuration = raw.simulation_model_configuration;
  const config: EnvironmentConfig = {
    tools,
    simulationModel: reader.model(raw.simulation_model) ?? 'gemini-2.5-flash',
    modelConfiguration: configuration === undefined ? thinking : (reader.object(configuration, ['simulation_model_configuration']) as JsonObject),
    ...given_('tracing', reader.text(raw.tracing, ['tracing'])),
    ...given_('environmentData', reader.text(raw.environment_data, ['environment_data'])),
    strict: !reference && raw.strict === true,
  };
  return { config, problems: reader.problems };
}

/**
 * Reads the `tool_mocks` of a case: an answer, or a list of rules, by tool. Strict unless it says otherwise. The long form of the config is taken as well.
 *
 * @example { "get_weather": { "response": { "sky": "blue" } }, "book": [{ "args": { "day": 3 }, "error": { "code": 409, "message": "taken" } }, { "response": { "ok": true } }] }
 */
export function mocksFromJson(value: unknown): ReadEnvironment {
  const raw = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
  if ('tool_simulation_configs' in raw) return environmentFromJson({ strict: true, ...raw });
  const reader = new Reader(false);
  const { strict, on_miss: onMiss, environment_data: world, simulation_model: model, ...tools } = reader.object(value, []);
  const simulations = Object.entries(tools).map(([toolName, given]): ToolSimulation => {
    const rules = Array.isArray(given) ? (given as unknown[]) : [given];
    return { toolName, injections: rules.map((rule, at) => reader.mock(rule, Array.isArray(given) ? [toolName, at] : [toolName])), strategy: 'unspecified', ...(onMiss === undefined ? {} : { onMiss: reader.miss(onMiss, ['on_miss']) }) };
  });
  const config = { tools: simulations, simulationModel: reader.model(model) ?? 'gemini-2.5-flash', modelConfiguration: thinking, ...given_('environmentData', reader.text(world, ['environment_data'])), strict: strict !== false };
  return { config, problems: reader.problems };
}

function given_<K extends string, T>(name: K, value: T | undefined): { readonly [name in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in K]?: T };
}

type Path = readonly (string | number)[];

/** Reads pieces and gathers what is wrong. */
class Reader {
  readonly problems: Problem[] = [];

  constructor(private readonly reference: boolean) {}

  problem(path: Path, message: string, hint?: string): void {
    this.problems.push({ code: 'bad_environment', path: [...path], message, ...(hint === undefined ? {} : { hint }) });
  }

  object(value: unknown, path: Path): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
    this.problem(path, 'This must be an object.');
    return {};
  }

  list(value: unknown, path: Path): readonly unknown[] {
    if (Array.isArray(value)) return value as unknown[];
    this.problem(path, 'This must be a list.');
    return [];
  }

  text(value: unknown, path: Path): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    this.problem(path, 'This must be a text.');
    return undefined;
  }

  model(value: unknown): string | undefined {
    if (value === null) this.problem(['simulation_model'], 'This must be a text.');
    return this.text(value, ['simulation_model']);
  }

  miss(value: unknown, path: Path): OnMiss {
    if (typeof value === 'string' && missChoices.includes(value)) return value as OnMiss;
    this.problem(path, `on_miss is ${JSON.stringify(value)}.`, 'It takes "real", "error" or "mock".');
    return 'error';
  }

  typos(raw: Readonly<Record<string, unknown>>, known: readonly string[], path: Path): void {
    if (this.reference) return;
    for (const key of Object.keys(raw)) {
      const hint = known.includes(key) ? undefined : didYouMean(key, known);
      if (hint !== undefined) this.problem([...path, key], `Unknown key ${JSON.stringify(key)}.`, hint);
    }
  }

  tool(value: unknown, path: Path): ToolSimulation {
    const raw = this.object(value, path);
    this.typos(raw, toolKeys, path);
    const toolName = this.text(raw.tool_name, [...path, 'tool_name']);
    if (toolName === undefined) this.problem([...path, 'tool_name'], 'The tool has no name.');
    const injections = raw.injection_configs === undefined ? [] : this.list(raw.injection_configs, [...path, 'injection_configs']).map((one, at) => this.injection(one, [...path, 'injection_configs', at]));
    const strategy = this.strategy(raw.mock_strategy_type, [...path, 'mock_strategy_type']);
    const onMiss = this.reference || raw.on_miss === undefined ? undefined : this.miss(raw.on_miss, [...path, 'on_miss']);
    if (injections.length === 0 && strategy === 'unspecified' && onMiss === undefined) this.problem(path, `Nothing says how ${JSON.stringify(toolName)} is simulated.`, 'Give it injection_configs or a mock_strategy_type.');
    return { toolName: toolName ?? '', injections, strategy, ...given_('onMiss', onMiss) };
  }

  private strategy(value: unknown, path: Path): ToolSimulation['strategy'] {
    if (value === undefined) return 'unspecified';
    const named = this.reference ? undefined : strategies.find((name) => typeof value === 'string' && value.toLowerCase().replace(/^mock_strategy_/, '') === name);
    const found = named ?? (typeof value === 'number' || typeof value === 'boolean' ? strategies[Number(value)] : undefined);
    if (found === undefined) this.problem(path, `mock_strategy_type is ${JSON.stringify(value)}.`, 'It takes 0 (unspecified), 1 (tool_spec) or 2 (tracing).');
    return found ?? 'unspecified';
  }

  private injection(value: unknown, path: Path): Injection {
    const raw = this.object(value, path);
    this.typos(raw, injectionKeys, path);
    const response = raw.injected_response === undefined || raw.injected_response === null ? undefined : (this.object(raw.injected_response, [...path, 'injected_response']) as JsonObject);
    const error = raw.injected_error === undefined || raw.injected_error === null ? undefined : this.error(raw.injected_error, [...path, 'injected_error'], 'injected_http_error_code', 'error_message');
    return this.rule({ response, error, args: raw.match_args, probability: raw.injection_probability, latency: raw.injected_latency_seconds, seed: raw.random_seed }, path);
  }

  /** A rule in a case: an object with `response` or `error`, or the answer itself. */
  mock(value: unknown, path: Path): Injection {
    const raw = this.object(value, path);
    const isRule = 'response' in raw || 'error' in raw;
    if (!isRule) return { response: raw as JsonObject, probability: 1, latencySeconds: 0 };
    this.typos(raw, ['response', 'error', 'args', 'probability', 'latency_seconds', 'seed'], path);
    const response = raw.response === undefined ? undefined : (this.object(raw.response, [...path, 'response']) as JsonObject);
    const error = raw.error === undefined ? undefined : this.error(raw.error, [...path, 'error'], 'code', 'message');
    return this.rule({ response, error, args: raw.args, probability: raw.probability, latency: raw.latency_seconds, seed: raw.seed }, path);
  }

  private error(value: unknown, path: Path, code: string, message: string): NonNullable<Injection['error']> {
    const raw = this.object(value, path);
    const number = this.integer(raw[code], [...path, code], code);
    const text = this.text(raw[message], [...path, message]);
    if (text === undefined) this.problem([...path, message], `${message} is missing.`);
    return { code: Number(number ?? 0), message: text ?? '' };
  }

  private rule(given: { readonly response: JsonObject | undefined; readonly error: Injection['error']; readonly args: unknown; readonly probability: unknown; readonly latency: unknown; readonly seed: unknown }, path: Path): Injection {
    // For google-adk an empty response is none.
    const response = this.reference && given.response !== undefined && Object.keys(given.response).length === 0 ? undefined : given.response;
    if ((response === undefined) === (given.error === undefined)) this.problem(path, given.error === undefined ? 'A rule needs a response or an error.' : 'A rule has a response or an error, not both.');
    const probability = this.number(given.probability, 1, path, 'the probability');
    if (!this.reference && (probability < 0 || probability > 1)) this.problem(path, `The probability is ${probability}.`, 'It takes a number from 0 to 1.');
    const latencySeconds = this.number(given.latency, 0, path, 'the latency');
    if (!(latencySeconds <= longestLatency)) this.problem(path, `The latency is ${latencySeconds} s.`, `It takes ${longestLatency} s at most.`);
    const seed = given.seed === undefined || given.seed === null ? undefined : this.integer(given.seed, path, 'The seed');
    return {
      ...(given.args === undefined || given.args === null ? {} : { matchArgs: this.object(given.args, [...path, 'match_args']) as Readonly<Record<string, JsonValue>> }),
      probability,
      latencySeconds,
      ...(seed === undefined ? {} : { randomSeed: seed }),
      ...given_('error', given.error),
      ...given_('response', given.error === undefined ? (response ?? {}) : undefined),
    };
  }

  private integer(value: unknown, path: Path, what: string): number | bigint | undefined {
    const read = toInteger(value);
    if ('value' in read) return read.value;
    this.problem(path, `${what} must be a whole number.`);
    return undefined;
  }

  private number(value: unknown, byDefault: number, path: Path, what: string): number {
    if (value === undefined) return byDefault;
    const read = toFloat(value);
    if ('value' in read && (this.reference || Number.isFinite(read.value))) return read.value;
    this.problem(path, `${what} must be a number.`);
    return byDefault;
  }
}
