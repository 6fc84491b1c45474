/** Calls and tokens of an evaluation by role: the agent, the judges, the simulated user, the simulated environment. */
import type { UsageMetadata } from '../evalset/types';
import type { ModelRole } from './types';

/** What one role used of one model. */
export interface ModelCalls {
  readonly model: string;
  readonly calls: number;
  /** Calls that were answered from the cache; not among `calls`. */
  readonly cached?: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** US dollars, where the model's price is known. */
  readonly costUsd?: number;
}

/** What each role used. Roles that asked nobody are absent. */
export type UsageByRole = { readonly [R in ModelRole | 'agent']?: readonly ModelCalls[] };

/** US dollars per million tokens. */
export type Prices = Readonly<Record<string, { readonly input: number; readonly output: number }>>;

type Counts = { -readonly [K in keyof ModelCalls]: ModelCalls[K] };

/** Counts calls. */
export class UsageLedger {
  private readonly counts = new Map<string, { readonly role: ModelRole | 'agent'; readonly counts: Counts }>();

  constructor(private readonly prices: Prices = {}) {}

  /** One call, or several of which only the sum is known. */
  add(role: ModelRole | 'agent', model: string, usage: UsageMetadata | undefined, calls = 1): void {
    const counts = this.of(role, model);
    const { promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0, totalTokenCount } = usage ?? {};
    const prompt = promptTokenCount + toolUsePromptTokenCount;
    const output = candidatesTokenCount + thoughtsTokenCount;
    counts.calls += calls;
    counts.promptTokens += prompt;
    counts.outputTokens += output;
    counts.totalTokens += totalTokenCount ?? prompt + output;
  }

  /** One call that the cache answered. */
  addCached(role: ModelRole, model: string): void {
    const counts = this.of(role, model);
    counts.cached = (counts.cached ?? 0) + 1;
  }

  /** Everything so far; undefined when nobody was asked. */
  report(): UsageByRole | undefined {
    if (this.counts.size === 0) return undefined;
    const report: { [R in ModelRole | 'agent']?: ModelCalls[] } = {};
    for (const { role, counts } of this.counts.values()) (report[role] ??= []).push(this.priced(counts));
    return report;
  }

  private of(role: ModelRole | 'agent', model: string): Counts {
    const key = JSON.stringify([role, model]);
    const known = this.counts.get(key) ?? { role, counts: { model, calls: 0, promptTokens: 0, outputTokens: 0, totalTokens: 0 } };
    this.counts.set(key, known);
    return known.counts;
  }

  private priced(counts: Counts): ModelCalls {
    const price = this.prices[counts.model];
    return price === undefined ? { ...counts } : { ...counts, costUsd: (counts.promptTokens * price.input + counts.outputTokens * price.output) / 1e6 };
  }
}
