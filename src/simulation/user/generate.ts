/** Makes up scenarios from what an agent is and can do. */
import { conversationScenarioFromJson } from '../../evalset/parts';
import type { ConversationScenario } from '../../evalset/types';
import type { ModelClient } from '../../judge/client';
import { findJson } from '../../judge/json-answer';
import { makePrompt } from '../../judge/prompts';
import { askSamples } from '../../judge/sampling';
import { refusal } from '../../support/errors';
import type { GenerationConfig } from './generation';

/** An agent as a model that makes up scenarios is told of it. */
export interface DescribedAgent {
  readonly name: string;
  readonly description: string;
  readonly instruction: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

const schema = {
  type: 'object',
  properties: { scenarios: { type: 'array', items: { type: 'object', properties: { starting_prompt: { type: 'string' }, conversation_plan: { type: 'string' } }, required: ['starting_prompt', 'conversation_plan'] } } },
  required: ['scenarios'],
};

/**
 * Asks a model for scenarios.
 *
 * @returns as many as were asked for, all different
 * @throws {JestAdkError} `generation_failed` when the model gives fewer
 */
export async function generateScenarios(agents: readonly DescribedAgent[], config: Omit<GenerationConfig, 'modelName'>, client: ModelClient, signal: AbortSignal): Promise<readonly ConversationScenario[]> {
  const found = new Map<string, ConversationScenario>();
  for (let attempt = 0; found.size < config.count && attempt < 3; attempt += 1) {
    const missing = config.count - found.size;
    const prompt = makePrompt('scenarios', [
      { name: 'agents', text: JSON.stringify(agents, null, 2) },
      ...(config.generationInstruction === undefined ? [] : [{ name: 'wishes', text: config.generationInstruction }]),
      ...(config.environmentContext === undefined ? [] : [{ name: 'world', text: config.environmentContext }]),
      ...(found.size === 0 ? [] : [{ name: 'known', text: JSON.stringify([...found.values()], null, 2) }]),
    ], { count: missing });
    const [sample] = await askSamples(client, { request: () => ({ prompt: prompt.text, schema }), samples: 1, plain: false, parse: (text) => findJson(text, ({ scenarios }) => (Array.isArray(scenarios) ? (scenarios as unknown[]) : undefined)) }, signal);
    if (sample?.kind === 'error') throw refusal('generation_failed', sample.error.message);
    for (const one of sample?.kind === 'answer' ? sample.value : []) {
      const scenario = readScenario(one);
      if (scenario !== undefined && found.size < config.count) found.set(`${scenario.startingPrompt}\n${scenario.conversationPlan}`, scenario);
    }
  }
  if (found.size < config.count) throw refusal('generation_failed', `The model gave ${found.size} usable scenarios of ${config.count}.`, 'Ask for fewer, or name another model.');
  return [...found.values()];
}

function readScenario(value: unknown): ConversationScenario | undefined {
  const { starting_prompt: startingPrompt, conversation_plan: conversationPlan } = (typeof value === 'object' && value !== null ? value : {}) as { readonly starting_prompt?: unknown; readonly conversation_plan?: unknown };
  if (typeof startingPrompt !== 'string' || typeof conversationPlan !== 'string' || startingPrompt.trim() === '' || /<\/finished>/i.test(startingPrompt)) return undefined;
  return conversationScenarioFromJson({ starting_prompt: startingPrompt, conversation_plan: conversationPlan });
}
