import type { CriterionFields } from './criterion-fields';

/** What is overlooked when two texts are compared. */
export interface TextFolding {
  readonly ignoreCase: boolean;
  /** Runs of blanks and line breaks count as one blank; blanks at the ends do not count. */
  readonly ignoreWhitespace: boolean;
}

/** Names of the fields in a criterion. */
export const foldingFields: readonly string[] = ['ignore_case', 'ignore_whitespace'];

/** Reads the two fields; nothing is overlooked unless they say so. */
export function readFolding(fields: CriterionFields): TextFolding {
  return { ignoreCase: fields.boolean('ignore_case') ?? false, ignoreWhitespace: fields.boolean('ignore_whitespace') ?? false };
}

/** The text as it is compared. Composed and decomposed letters are always the same. */
export function fold(text: string, { ignoreCase, ignoreWhitespace }: TextFolding): string {
  const composed = text.normalize('NFC');
  const spaced = ignoreWhitespace ? composed.replace(/\s+/g, ' ').trim() : composed;
  return ignoreCase ? spaced.toLowerCase() : spaced;
}
