import { tokenize, type TokenizerName } from './tokenizers';

/** ROUGE-1 of two texts; all figures in [0, 1]. */
export interface RougeScore {
  readonly precision: number;
  readonly recall: number;
  readonly fmeasure: number;
  readonly candidateTokens: readonly string[];
  readonly referenceTokens: readonly string[];
}

/**
 * Unigram overlap of a response with its reference (ROUGE-1 F-measure, Lin 2004). Word order does not count, nor does a negation.
 *
 * @param candidate  text of the agent's final response
 * @param reference  text of the expected response
 * @returns all 0 when either side has no tokens, so two empty texts score 0
 */
export function rouge1(candidate: string, reference: string, tokenizer: TokenizerName = 'rouge', locale?: string): RougeScore {
  const candidateTokens = tokenize(candidate, tokenizer, locale);
  const referenceTokens = tokenize(reference, tokenizer, locale);
  const shared = overlap(candidateTokens, referenceTokens);
  const precision = shared / Math.max(candidateTokens.length, 1);
  const recall = shared / Math.max(referenceTokens.length, 1);
  // The order of the operations is the reference's, so that the doubles agree bit for bit.
  const fmeasure = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
  return { precision, recall, fmeasure, candidateTokens, referenceTokens };
}

/** Counts the tokens of each side. */
export function countTokens(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function overlap(left: readonly string[], right: readonly string[]): number {
  const available = countTokens(right);
  let shared = 0;
  for (const [token, count] of countTokens(left)) shared += Math.min(count, available.get(token) ?? 0);
  return shared;
}
