import type { JsonObject, JsonValue } from '../../evalset/types';
import type { ModelClient } from '../../judge/client';
import { pause, systemClock, type Clock } from '../../support/clock';
import { stringifyJson } from '../../support/json';
import { MockModel } from './mock-model';
import { PythonRandom } from './random';
import type { CallOutcome, Environment, EnvironmentConfig, Injection, SimulatedCall, ToolSimulation } from './types';

/** What one engine is made of: one for each trial, so that trials cannot disturb each other. */
export interface EnvironmentOptions {
  readonly config: EnvironmentConfig;
  /** Makes answers up; needed where a strategy or `on_miss` asks for it. */
  readonly client?: ModelClient | undefined;
  readonly clock?: Clock;
  /** Seed of the draws of rules without one of their own. */
  readonly seed?: number | undefined;
  /** `true` equals 1, as in Python. */
  readonly booleansEqualNumbers?: boolean;
}

/** Answers calls by rules, then by the tool's strategy. Source of the order and of the draws: google-adk 2.13. */
export class EnvironmentEngine implements Environment {
  readonly simulatedIds = new Set<string>();
  readonly unmocked: string[] = [];
  private readonly draws = new Map<Injection, PythonRandom>();
  private readonly shared: PythonRandom | undefined;
  private readonly fired = new Set<Injection | ToolSimulation>();
  readonly mocks: MockModel | undefined;

  constructor(private readonly options: EnvironmentOptions) {
    const { config, client, seed } = options;
    this.shared = seed === undefined ? undefined : new PythonRandom(seed);
    if (client !== undefined) this.mocks = new MockModel(client, config);
  }

  async simulate(call: SimulatedCall, signal: AbortSignal): Promise<CallOutcome> {
    const outcome = await this.answer(call, signal);
    if (outcome.simulated && call.id !== undefined) this.simulatedIds.add(call.id);
    return outcome;
  }

  unused(): readonly string[] {
    return this.options.config.tools.flatMap(({ toolName, injections, ...tool }) => {
      if (injections.length === 0) return [];
      const silent = injections.filter((one) => !this.fired.has(one) && one.probability > 0);
      return silent.map((one) => `${toolName}${one.matchArgs === undefined ? '' : `(${stringifyJson(one.matchArgs, 0)})`}${tool.strategy === 'unspecified' ? '' : ''}`);
    });
  }

  private async answer(call: SimulatedCall, signal: AbortSignal): Promise<CallOutcome> {
    const { config, clock = systemClock } = this.options;
    const tool = config.tools.find(({ toolName }) => toolName === call.tool);
    for (const injection of tool?.injections ?? []) {
      if (!this.matches(injection, call.args) || this.draw(injection) >= injection.probability) continue;
      this.fired.add(injection);
      if (injection.latencySeconds > 0) await pause(injection.latencySeconds * 1000, clock, signal);
      const result: JsonObject = injection.error === undefined ? (injection.response ?? {}) : { error_code: injection.error.code, error_message: injection.error.message };
      return { simulated: true, result, latencySeconds: injection.latencySeconds };
    }
    return this.miss(tool, call, signal);
  }

  private async miss(tool: ToolSimulation | undefined, call: SimulatedCall, signal: AbortSignal): Promise<CallOutcome> {
    const onMiss = tool?.onMiss ?? (tool?.strategy === 'tool_spec' ? 'mock' : this.options.config.strict ? 'error' : 'real');
    if (tool?.strategy === 'tracing') return { simulated: true, result: { status: 'error', error_message: 'Not implemented' } };
    if (onMiss === 'mock' && this.mocks !== undefined) return { simulated: true, result: await this.mocks.answer(call, signal) };
    if (onMiss === 'real') return { simulated: false };
    const shown = `${call.tool}(${stringifyJson(call.args, 0)})`;
    this.unmocked.push(shown);
    return { simulated: true, result: { error_code: 'unmocked_call', error_message: `Nothing is set up to answer ${shown}.` } };
  }

  private matches({ matchArgs }: Injection, args: JsonObject): boolean {
    return Object.entries(matchArgs ?? {}).every(([name, value]) => Object.hasOwn(args, name) && equal(args[name] as JsonValue, value, this.options.booleansEqualNumbers === true));
  }

  /** A number is drawn only for a rule that matches: other calls do not move its sequence. */
  private draw(injection: Injection): number {
    if (injection.randomSeed === undefined) return this.shared?.random() ?? Math.random();
    const own = this.draws.get(injection) ?? new PythonRandom(injection.randomSeed);
    this.draws.set(injection, own);
    return own.random();
  }
}

/** Deep equality of JSON values: order of lists counts, that of keys does not; 3 equals 3.0. */
function equal(one: JsonValue, other: JsonValue, loose: boolean): boolean {
  if (typeof one === 'boolean' && typeof other !== 'boolean' && loose) return equal(Number(one), other, loose);
  if (typeof other === 'boolean' && typeof one !== 'boolean' && loose) return equal(one, Number(other), loose);
  // eslint-disable-next-line eqeqeq -- 3n equals 3
  if (isNumber(one) && isNumber(other)) return one == other;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other)) return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((item: JsonValue, at) => equal(item, other[at] as JsonValue, loose));
  const [left, right] = [one as JsonObject, other as JsonObject];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && equal(left[key] as JsonValue, right[key] as JsonValue, loose));
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
