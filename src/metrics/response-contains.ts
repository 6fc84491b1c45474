import { excerpt, responseMetric } from './response-options';
import { fold, foldingFields, readFolding, type TextFolding } from './text-folding';
import type { TurnScore } from './turns';

/** What a response must and must not contain. Without any of the three, it must contain its reference. */
export interface ContainsOptions extends TextFolding {
  readonly all?: readonly string[] | undefined;
  readonly any?: readonly string[] | undefined;
  readonly none?: readonly string[] | undefined;
}

/** 1 when a text contains what it should and nothing that it should not. */
export function compareContained(actual: string, expected: string, options: ContainsOptions): TurnScore {
  const text = fold(actual, options);
  const holds = (part: string): boolean => text.includes(fold(part, options));
  const all = options.all ?? (needsReference(options) ? [expected] : []);
  const missing = all.filter((part) => !holds(part));
  const noneOfAny = options.any !== undefined && !options.any.some(holds) ? options.any : [];
  const unwanted = (options.none ?? []).filter(holds);
  const explain = (): string[] => [
    `actual    ${excerpt(actual)}`,
    ...missing.map((part) => `missing   ${excerpt(part)}`),
    ...(noneOfAny.length > 0 ? [`none of   ${noneOfAny.map((part) => excerpt(part, 30)).join(', ')}`] : []),
    ...unwanted.map((part) => `contains  ${excerpt(part)}, which it should not`),
  ];
  return { score: Number(missing.length + noneOfAny.length + unwanted.length === 0), explain };
}

function needsReference(options: ContainsOptions): boolean {
  return options.all === undefined && options.any === undefined && options.none === undefined;
}

/** `response_contains`: the final response contains given texts, or its reference. */
export const responseContains = responseMetric<ContainsOptions>({
  name: 'response_contains',
  description: 'Whether each final response contains its reference, or the texts that the criterion names.',
  fields: [...foldingFields, 'contains', 'contains_any', 'not_contains'],
  read: (fields) => ({ ...readFolding(fields), all: fields.texts('contains'), any: fields.texts('contains_any'), none: fields.texts('not_contains') }),
  needsReference,
  score: ({ actual, expected }, options) => compareContained(actual, expected, options),
});
