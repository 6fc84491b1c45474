import type { Content, ConversationScenario, JsonObject } from '../../evalset/types';
import type { ModelClient } from '../../judge/client';
import { refusal } from '../../support/errors';
import { historyEntries, historyText } from './history';
import { builtInInstructions, renderCustomInstructions, stopSignal } from './instructions';
import type { HistoryEvent, NextMessage, UserSimulator, UserSimulatorConfig } from './types';

/** What one simulated user is made of. */
export interface LlmUserOptions {
  readonly scenario: ConversationScenario;
  readonly config: UserSimulatorConfig;
  readonly client: ModelClient;
  /** Makes the run repeatable where the model knows seeds. */
  readonly seed?: number | undefined;
  /** As google-adk: an answer without text is not asked for again. */
  readonly plain?: boolean;
}

/** A model plays the user (ADK `LlmBackedUserSimulator`). Source of when it ends: google-adk 2.13. */
export function llmUser({ scenario, config, client, seed, plain = false }: LlmUserOptions): UserSimulator {
  let calls = 0;
  const ask = async (events: readonly HistoryEvent[], signal: AbortSignal): Promise<string> => {
    const values = { scenario, history: historyText(historyEntries(events, config.includeFunctionCalls)) };
    const prompt = config.customInstructions === undefined ? builtInInstructions(values) : renderCustomInstructions(config.customInstructions, values);
    const settings = { ...config.modelConfiguration, ...(seed === undefined ? {} : { seed: (seed + calls) % 2 ** 31 }) } as JsonObject;
    const { content } = await client.ask({ prompt, config: settings, sample: calls, joined: true }, signal, plain ? 'return' : 'retry');
    return (content?.parts ?? []).map(({ text, thought }) => (thought === true ? '' : (text ?? ''))).join('');
  };
  return {
    async next(events, signal) {
      if (config.maxAllowedInvocations >= 0 && calls >= config.maxAllowedInvocations) return { status: 'turn_limit_reached' };
      const first = calls === 0;
      calls += 1;
      const text = first ? scenario.startingPrompt : await ask(events, signal);
      return messageOf(text);
    },
  };
}

function messageOf(text: string): NextMessage {
  const signal = new RegExp(stopSignal, 'i');
  if (signal.test(text)) {
    const dropped = text.replace(signal, '').trim();
    return { status: 'stop_signal_detected', ...(dropped === '' ? {} : { dropped }) };
  }
  if (text === '') throw refusal('simulator_silent', 'The simulated user gave no message.');
  return { status: 'success', content: { role: 'user', parts: [{ text }] } };
}

/** Replays written messages (ADK `StaticUserSimulator`): no limit, and no look at their texts. */
export function staticUser(messages: readonly Content[]): UserSimulator {
  let next = 0;
  return {
    next() {
      const content = messages[next];
      next += 1;
      return Promise.resolve<NextMessage>(content === undefined ? { status: 'stop_signal_detected' } : { status: 'success', content });
    },
  };
}
