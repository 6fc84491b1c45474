import type { Problem } from '../../support/errors';

/** Engines for prompt files. `eta` runs code from the template file, so it is never chosen unless asked for by name. */
export type TemplateEngine = 'string' | 'jinja' | 'eta';

/** Names of the engines. */
export const templateEngines: readonly TemplateEngine[] = ['string', 'jinja', 'eta'];

/** A prompt file with the values of its marker. */
export interface TemplateInput {
  /** Contents, line breaks as LF. */
  readonly text: string;
  /** Absolute path. */
  readonly file: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** What is wrong with a template; messages say where in the template, the caller adds where the marker stands. */
export type TemplateProblem = Pick<Problem, 'code' | 'message' | 'hint'>;

/** What came of a template. */
export interface Rendered {
  /** Meaningless when there are problems. */
  readonly text: string;
  readonly problems: readonly TemplateProblem[];
  /** Files beside the template itself that went into the text, absolute. */
  readonly files: readonly string[];
}

/** A variable that the template uses and the marker does not set. */
export function missingVariable(name: string, input: TemplateInput): TemplateProblem {
  const { didYouMean } = require('../../support/nearest') as typeof import('../../support/nearest');
  const known = [...input.variables.keys()];
  const hint = didYouMean(name, known) ?? (known.length === 0 ? 'The marker sets no variables.' : `The marker sets ${known.join(', ')}.`);
  return { code: 'missing_variable', message: `The template ${input.file} uses the variable ${name}, which has no value.`, hint };
}

/** A place in the template as `FILE:line`. */
export function lineOf(input: TemplateInput, offset: number): string {
  return `${input.file}:${input.text.slice(0, offset).split('\n').length}`;
}
