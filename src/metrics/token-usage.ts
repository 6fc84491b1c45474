import type { UsageMetadata } from '../evalset/types';
import { efficiencyMetric, eventsOf, sumAvailable, type EfficiencyValue } from './efficiency';

/** Tokens by kind, in the order of ADK's `TokenUsageDetails`. null: nobody reported this kind. */
export interface TokenUsage {
  readonly totalTokens: number | null;
  readonly inputTokens: number | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly toolUseTokens: number | null;
  readonly outputTokens: number | null;
  readonly candidatesTokens: number | null;
  readonly reasoningTokens: number | null;
}

const kinds = ['totalTokens', 'inputTokens', 'promptTokens', 'cachedTokens', 'toolUseTokens', 'outputTokens', 'candidatesTokens', 'reasoningTokens'] as const;

/** Tokens of several model calls together. The backend's own total is not read; cached tokens are part of the prompt and never added. */
export function tokenUsage(usages: readonly UsageMetadata[]): TokenUsage {
  const promptTokens = sumAvailable(usages.map((usage) => usage.promptTokenCount));
  const toolUseTokens = sumAvailable(usages.map((usage) => usage.toolUsePromptTokenCount));
  const candidatesTokens = sumAvailable(usages.map((usage) => usage.candidatesTokenCount));
  const reasoningTokens = sumAvailable(usages.map((usage) => usage.thoughtsTokenCount));
  const inputTokens = sumAvailable([promptTokens, toolUseTokens]);
  const outputTokens = sumAvailable([candidatesTokens, reasoningTokens]);
  return {
    totalTokens: sumAvailable([inputTokens, outputTokens]),
    inputTokens,
    promptTokens,
    cachedTokens: sumAvailable(usages.map((usage) => usage.cachedContentTokenCount)),
    toolUseTokens,
    outputTokens,
    candidatesTokens,
    reasoningTokens,
  };
}

function value(usage: TokenUsage): EfficiencyValue {
  return { score: usage.totalTokens, details: { tokenUsageDetails: { ...usage } } };
}

/** Each kind over the turns: the sum of what was reported, divided by the number of all turns, silent ones included. */
function average(turns: readonly EfficiencyValue[]): TokenUsage {
  const entries = kinds.map((kind) => {
    const sum = sumAvailable(turns.map((turn) => turn.details?.tokenUsageDetails?.[kind]));
    return [kind, sum === null ? null : sum / turns.length] as const;
  });
  return Object.fromEntries(entries) as unknown as TokenUsage;
}

/** `token_usage_v1`: tokens of a turn, and their average per turn. */
export const tokenUsageMetric = efficiencyMetric({
  name: 'token_usage_v1',
  description: 'Tokens per turn, by kind.',
  turn: (turn) => value(tokenUsage((eventsOf(turn) ?? []).flatMap((event) => (event.usageMetadata === undefined ? [] : [event.usageMetadata])))),
  total: (turns) => value(average(turns)),
});
