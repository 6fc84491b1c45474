/** What the model that plays the user is told: our own instructions, or the user's template. */
import { templateVariables } from '../../config/instructions';
import { renderLenientJinja } from '../../evalset/templates/lenient-jinja';
import type { ConversationScenario, Persona } from '../../evalset/types';
import { makePrompt } from '../../judge/prompts';
import { refusal, toErrorInfo } from '../../support/errors';

/** How the simulated user ends a conversation. */
export const stopSignal = '</finished>';

/** What the instructions are made of. */
export interface InstructionValues {
  readonly scenario: ConversationScenario;
  /** The conversation so far, as text. */
  readonly history: string;
}

/** Our own instructions. Texts of the agent stand between marks; those of the persona are filled with the signal. */
export function builtInInstructions({ scenario, history }: InstructionValues): string {
  const persona = scenario.userPersona;
  const filled = (text: string): string => text.replace(/\{\{\s*stop_signal\s*\}\}/g, stopSignal);
  const sections = [
    { name: 'plan', text: scenario.conversationPlan },
    ...(persona === undefined ? [] : [{ name: 'persona', text: [persona.description, ...persona.behaviors.flatMap(({ description, behaviorInstructions }) => [description, ...behaviorInstructions.map((line) => `  * ${line}`)])].map(filled).join('\n') }]),
    { name: 'conversation', text: history },
  ];
  return makePrompt('simulated-user', sections, { stopSignal, persona: persona !== undefined }).text;
}

/** Why a template cannot play a persona's part; undefined when it can. */
export function personaProblem(template: string, scenario: ConversationScenario): string | undefined {
  if (scenario.userPersona === undefined || templateVariables(template)?.has('persona') === true) return undefined;
  return 'The scenario has a persona, and "custom_instructions" do not use {{ persona }}.';
}

/**
 * A template of the user's, filled. Undefined variables are empty; nothing in a value is rendered again.
 *
 * @throws {JestAdkError} `bad_instructions` when it cannot be rendered, or does not use the persona that there is
 */
export function renderCustomInstructions(template: string, { scenario, history, signal = stopSignal }: InstructionValues & { readonly signal?: string }): string {
  const missing = personaProblem(template, scenario);
  if (missing !== undefined) throw refusal('bad_instructions', missing);
  const variables = new Map<string, unknown>([
    ['stop_signal', signal],
    ['conversation_plan', scenario.conversationPlan],
    ['conversation_history', history],
    ...(scenario.userPersona === undefined ? [] : [['persona', personaValue(scenario.userPersona)] as const]),
  ]);
  try {
    return renderLenientJinja({ text: template, file: 'custom_instructions', variables });
  } catch (thrown) {
    throw refusal('bad_instructions', `"custom_instructions" cannot be rendered: ${toErrorInfo(thrown).message}`);
  }
}

/** A persona as google-adk's templates know it: snake_case, and two methods that list texts. */
function personaValue({ id, description, behaviors }: Persona): object {
  const bullets = (lines: readonly string[]): string => lines.map((line) => `  * ${line}`).join('\n');
  return {
    id,
    description,
    behaviors: behaviors.map((one) => ({
      name: one.name,
      description: one.description,
      behavior_instructions: one.behaviorInstructions,
      violation_rubrics: one.violationRubrics,
      get_behavior_instructions_str: () => bullets(one.behaviorInstructions),
      get_violation_rubrics_str: () => bullets(one.violationRubrics),
    })),
  };
}
