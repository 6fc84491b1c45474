/** How simulated users are configured: for a config's cases, and for one case over that. */
import type { EvalCase, JsonObject } from '../../evalset/types';
import { instructionsProblem } from '../../config/instructions';
import { toProblem } from '../../schema/issues';
import { withKeptKeys } from '../../schema/origin';
import { readModel } from '../../schema/read';
import type { Problem } from '../../support/errors';
import type { UserSimulatorConfig } from './types';

/** Messages that a simulated user sends at most, the starting prompt among them. google-adk's default. */
const defaultInvocations = 20;

/** Thinking on, as google-adk's simulator asks its model. */
const thinking = { thinkingConfig: { includeThoughts: true, thinkingBudget: 10240 } };

/** The settings of a read config, or of what is given of one, with google-adk's defaults. */
export function simulatorConfigOf(given: JsonObject | undefined): UserSimulatorConfig {
  const field = <T>(camel: string, snake: string): T | undefined => (given?.[camel] ?? given?.[snake]) as T | undefined;
  const customInstructions = field<string>('customInstructions', 'custom_instructions');
  return {
    model: field<string>('model', 'model') ?? 'gemini-2.5-flash',
    modelConfiguration: field<Readonly<Record<string, unknown>>>('modelConfiguration', 'model_configuration') ?? thinking,
    maxAllowedInvocations: Number(field<number>('maxAllowedInvocations', 'max_allowed_invocations') ?? defaultInvocations),
    ...(customInstructions === undefined ? {} : { customInstructions }),
    includeFunctionCalls: field<boolean>('includeFunctionCalls', 'include_function_calls') ?? false,
  };
}

/** The settings of one case, and what is wrong with what the case itself says. */
export interface CaseSimulator {
  readonly config: UserSimulatorConfig;
  /** Paths are relative to the case. */
  readonly problems: readonly Problem[];
}

/**
 * The settings of one case: its own `user_simulator_config` (a key of ours, which google-adk keeps and does not read) over the config's, over the defaults.
 */
export function simulatorOfCase(evalCase: EvalCase, ofConfig: JsonObject | undefined): CaseSimulator {
  const kept = withKeptKeys(evalCase) as { readonly user_simulator_config?: unknown; readonly userSimulatorConfig?: unknown };
  const name = kept.userSimulatorConfig === undefined ? 'user_simulator_config' : 'userSimulatorConfig';
  const own = kept[name];
  if (own === undefined || own === null) return { config: simulatorConfigOf(ofConfig), problems: [] };
  const { value, issues } = readModel('LlmBackedUserSimulatorConfig', own, { checkInstructions: instructionsProblem });
  if (issues.length > 0) return { config: simulatorConfigOf(ofConfig), problems: issues.map((issue) => ({ ...toProblem(issue), path: [name, ...(toProblem(issue).path ?? [])] })) };
  // What was read has its defaults filled in; only what the case says counts here.
  const written = new Set(Object.keys(own).map((key) => key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())));
  const given = Object.entries(value as JsonObject).filter(([key]) => written.has(key));
  return { config: simulatorConfigOf({ ...ofConfig, ...Object.fromEntries(given) }), problems: [] };
}
