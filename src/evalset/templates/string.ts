import { positionAt } from '../../support/positions';
import { missingVariable, type Rendered, type TemplateInput, type TemplateProblem } from './template';

/**
 * Python's `string.Template`: `$NAME` and `${NAME}` are replaced, `$$` is a dollar sign. Names are ASCII letters, digits and `_`.
 * A name without a value and any other `$` are problems; values without a name are fine.
 */
export function renderString(input: TemplateInput): Rendered {
  const problems = new Map<string, TemplateProblem>();
  const text = input.text.replace(/\$(?:(\$)|([_a-zA-Z][_a-zA-Z0-9]*)|\{([_a-zA-Z][_a-zA-Z0-9]*)\}|)/g, (match: string, dollar?: string, plain?: string, braced?: string, offset = 0) => {
    if (dollar !== undefined) return '$';
    const name = plain ?? braced;
    if (name === undefined) {
      const { line, column } = positionAt(input.text, offset);
      problems.set(`$${offset}`, { code: 'bad_template', message: `A "$" at ${input.file}:${line}:${column} starts no name.`, hint: 'Write "$$" for a dollar sign.' });
      return match;
    }
    const value = input.variables.get(name);
    if (value === undefined) problems.set(name, missingVariable(name, input));
    return value ?? match;
  });
  return { text, problems: [...problems.values()], files: [] };
}
