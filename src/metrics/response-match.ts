import { excerpt, responseMetric } from './response-options';
import { countTokens, rouge1, type RougeScore } from './rouge';
import { tokenizerNames, type TokenizerName } from './tokenizers';

/** Options of `response_match_score` beyond the reference's. */
export interface ResponseMatchOptions {
  readonly tokenizer: TokenizerName;
  /** BCP 47 tag for the `unicode` and `characters` tokenizers. */
  readonly locale: string | undefined;
}

/** `response_match_score`: mean ROUGE-1 F of the final responses. Under google-adk only the threshold of its criterion is read. */
export const responseMatchScore = responseMetric<ResponseMatchOptions>({
  name: 'response_match_score',
  description: 'Word overlap of each final response with its reference (ROUGE-1 F).',
  fields: ['tokenizer', 'locale'],
  read(fields, profile) {
    if (profile.criteriaCheckedLate) return { tokenizer: 'rouge', locale: undefined };
    return { tokenizer: fields.choice('tokenizer', tokenizerNames) ?? 'rouge', locale: fields.field('locale', readLocale, 'a language tag such as "ja"') };
  },
  score({ actual, expected }, { tokenizer, locale }) {
    const rouge = rouge1(actual, expected, tokenizer, locale);
    return { score: rouge.fmeasure, explain: () => explainRouge(actual, expected, rouge) };
  },
});

function readLocale(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

/** Both texts, the figures and the words that one side has alone. */
export function explainRouge(actual: string, expected: string, rouge: RougeScore): string[] {
  const lines = [`expected  ${excerpt(expected)}`, `actual    ${excerpt(actual)}`];
  if (rouge.candidateTokens.length === 0 && rouge.referenceTokens.length === 0) return [...lines, 'both texts are empty, which scores 0'];
  const missing = leftOver(rouge.referenceTokens, rouge.candidateTokens);
  const extra = leftOver(rouge.candidateTokens, rouge.referenceTokens);
  lines.push(`precision ${rouge.precision.toFixed(2)}, recall ${rouge.recall.toFixed(2)}, F ${rouge.fmeasure.toFixed(2)}`);
  if (missing.length > 0) lines.push(`missing   ${words(missing)}`);
  if (extra.length > 0) lines.push(`extra     ${words(extra)}`);
  return lines;
}

/** Tokens of `left` that have no partner in `right`, in order. */
function leftOver(left: readonly string[], right: readonly string[]): string[] {
  const available = countTokens(right);
  return left.filter((token) => {
    const count = available.get(token) ?? 0;
    if (count > 0) available.set(token, count - 1);
    return count === 0;
  });
}

function words(tokens: readonly string[]): string {
  const first = tokens.slice(0, 10).join(' ');
  return tokens.length > 10 ? `${first} … (${tokens.length} words)` : first;
}
