import { excerpt, responseMetric } from './response-options';
import { fold, foldingFields, readFolding, type TextFolding } from './text-folding';
import type { TurnScore } from './turns';

/** 1 when two texts are the same, apart from what is overlooked. */
export function compareExactly(actual: string, expected: string, folding: TextFolding): TurnScore {
  const [left, right] = [fold(actual, folding), fold(expected, folding)];
  return { score: Number(left === right), explain: () => explainTexts(left, right) };
}

function explainTexts(actual: string, expected: string): string[] {
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at += 1;
  const from = Math.max(0, at - 20);
  const cut = (text: string): string => `${from > 0 ? '…' : ''}${excerpt(text.slice(from), 56)}`;
  return [`expected  ${cut(expected)}`, `actual    ${cut(actual)}`, `differs at character ${at + 1}`];
}

/** `response_exact_match`: the final response is the reference, character by character. */
export const responseExactMatch = responseMetric<TextFolding>({
  name: 'response_exact_match',
  description: 'Whether each final response is its reference.',
  fields: foldingFields,
  read: readFolding,
  score: ({ actual, expected }, folding) => compareExactly(actual, expected, folding),
});
