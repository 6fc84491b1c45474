/** Who plays the user of cases with a scenario, found and checked before any agent is contacted. */
import type { ConfigChoice } from '../config/types';
import type { EvalCase, Loaded, EvalSet } from '../evalset/types';
import type { TrialInfo } from '../inference/trial-options';
import { simulatorOfCase } from '../simulation/user/config';
import { personaProblem, stopSignal } from '../simulation/user/instructions';
import { llmUser } from '../simulation/user/llm-user';
import type { UserSimulatorConfig } from '../simulation/user/types';
import { JestAdkError, type ErrorInfo, type Problem } from '../support/errors';
import type { Models } from './judges';
import type { Planning } from './parts';
import { seedOf } from './seeds';
import type { PlannedCase } from './types';

/** A set's config and cases, as far as simulated users are concerned. */
interface SetOfCases {
  readonly loaded: Loaded<EvalSet>;
  readonly configChoice: ConfigChoice;
  readonly cases: readonly PlannedCase[];
}

/** The cases of a set, those with a scenario with a user; what is wrong with one makes that case an error alone. */
export async function withUsers(planning: Planning, models: Models, { loaded, configChoice, cases }: SetOfCases): Promise<readonly PlannedCase[]> {
  const ofConfig = configChoice.config.userSimulatorConfig;
  return Promise.all(cases.map(async (planned): Promise<PlannedCase> => {
    const { evalCase } = planned;
    if (planned.error !== undefined || evalCase.conversationScenario === undefined) return planned;
    const { config, problems } = simulatorOfCase(evalCase, ofConfig);
    planning.problems.add(...problems.map((problem) => placed(problem, loaded, evalCase)));
    const error = ofConfig?.type === 'llm_audio' ? spoken : refused(evalCase, config, planning);
    if (error !== undefined) return { ...planned, error };
    try {
      const client = await models.client(planning.options.userModel ?? config.model, 'user', 'The simulated user');
      const { simulationSeed } = planning.options;
      const start = (trial: TrialInfo): ReturnType<typeof llmUser> =>
        llmUser({ scenario: evalCase.conversationScenario ?? { startingPrompt: '', conversationPlan: '' }, config, client, plain: planning.checked.profile.name === 'google-adk', ...(simulationSeed === undefined ? {} : { seed: seedOf(simulationSeed, trial) }) });
      return { ...planned, user: start };
    } catch (thrown) {
      if (!(thrown instanceof JestAdkError)) throw thrown;
      return { ...planned, error: { code: 'needs_user_simulator', message: `This case has a conversation scenario and needs a user simulator. ${thrown.message}` } };
    }
  }));
}

const spoken: ErrorInfo = { code: 'needs_user_simulator', message: 'This case asks for a spoken user (llm_audio), which needs live mode; this version has none.' };

/** Why a scenario could only come to nothing. google-adk finds out while it runs, or never. */
function refused({ conversationScenario }: EvalCase, { maxAllowedInvocations, customInstructions }: UserSimulatorConfig, { options, checked }: Planning): ErrorInfo | undefined {
  if (checked.profile.name === 'google-adk' || conversationScenario === undefined) return undefined;
  const { startingPrompt } = conversationScenario;
  if (startingPrompt === '') return { code: 'bad_scenario', message: 'The scenario has an empty starting_prompt, so the user would say nothing.' };
  if (startingPrompt.toLowerCase().includes(stopSignal)) return { code: 'bad_scenario', message: `The scenario's starting_prompt holds ${stopSignal}, which ends the conversation before it begins.` };
  if (maxAllowedInvocations === 0) return { code: 'bad_scenario', message: 'max_allowed_invocations is 0, so the user would say nothing.' };
  if (maxAllowedInvocations < 0 && options.allowUnlimitedTurns !== true) return { code: 'unlimited_turns', message: `max_allowed_invocations is ${maxAllowedInvocations}: the conversation might never end. Give a limit, or the option allowUnlimitedTurns.` };
  const persona = customInstructions === undefined ? undefined : personaProblem(customInstructions, conversationScenario);
  return persona === undefined ? undefined : { code: 'bad_instructions', message: persona };
}

function placed(problem: Problem, loaded: Loaded<EvalSet>, evalCase: EvalCase): Problem {
  const place = loaded.placeOf(evalCase);
  return place === undefined ? problem : { ...problem, file: place.file, path: [...place.path, ...(problem.path ?? [])] };
}

/** Metrics that will be an error in cases with a scenario, which have no expected turns. */
export function referenceWarnings(metrics: readonly { readonly metric: { readonly name: string; readonly needs: readonly string[] } }[], cases: readonly EvalCase[]): readonly Problem[] {
  const ids = cases.filter(({ conversationScenario }) => conversationScenario !== undefined).map(({ evalId }) => evalId);
  if (ids.length === 0) return [];
  return metrics.filter(({ metric }) => metric.needs.includes('expected')).map(({ metric }) => ({ code: 'needs_expected', message: `${metric.name} needs expected turns, which cases with a scenario have not (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}): it is an error there.` }));
}
