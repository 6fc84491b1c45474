import { dirname } from 'node:path';
import { toErrorInfo } from '../../support/errors';
import { isInside } from '../../support/paths';
import { readTextFile } from '../../support/text';
import { missingVariable, type Rendered, type TemplateInput, type TemplateProblem } from './template';

/** Put at the top of every compiled template: eta copies `it` for included ones, which would make it forgiving again. */
const header = 'it = this.strict(it);';

/**
 * Renders with eta: variables as `it.NAME`, nothing escaped. A variable without a value is a problem instead of the word "undefined",
 * and so is any expression that gives undefined or null. Includes stay below the template's own folder, symbolic links followed.
 * The template is code and runs with the rights of this process.
 */
export function renderEta(input: TemplateInput): Rendered {
  const { Eta } = require('eta') as typeof import('eta');
  const folder = dirname(input.file);
  const problems = new Map<string, TemplateProblem>();
  const files: string[] = [];
  const eta = new Eta({
    views: folder,
    autoEscape: false,
    autoFilter: true,
    cacheFilepaths: false,
    functionHeader: header,
    filterFunction: (value: unknown) => {
      if (value !== undefined && value !== null) return String(value);
      problems.set('nothing', { code: 'bad_template', message: `An expression in ${input.file} gives ${String(value)}.` });
      return '';
    },
  });
  const strict = (data: object): object => new Proxy(data, {
    get: (target, key) => {
      // eta itself asks for its blocks, and JavaScript for symbols.
      if (typeof key === 'symbol' || key === '__blocks' || Object.hasOwn(target, key)) return Reflect.get(target, key) as unknown;
      problems.set(key, missingVariable(key, input));
      return '';
    },
  });
  const readFile = (path: string): string => {
    if (!isInside(folder, path)) throw new Error(`${path} is outside the template's folder`);
    files.push(path);
    return readTextFile(path);
  };
  Object.assign(eta, { strict, readFile });
  try {
    const text = eta.renderString(input.text, { ...Object.fromEntries(input.variables) });
    return { text, problems: [...problems.values()], files };
  } catch (error) {
    const failed: TemplateProblem = { code: 'bad_template', message: `The template ${input.file} cannot be rendered: ${reason(error)}.` };
    // What follows from a missing variable is not worth a line of its own.
    return { text: '', problems: problems.size > 0 ? [...problems.values()] : [failed], files };
  }
}

/** eta adds the compiled function or an excerpt to its messages: one line is enough. */
function reason(error: unknown): string {
  const lines = toErrorInfo(error).message.split('\n').filter((line) => line.trim() !== '');
  const compiled = lines[0]?.includes('Bad template syntax') === true;
  return (compiled ? `its code has a syntax error, ${lines[1] ?? ''}` : (lines[0] ?? '').replace(/^Eta\w* Error: /, '')).replace(/[.:]$/, '');
}
