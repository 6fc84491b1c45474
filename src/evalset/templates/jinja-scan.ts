import { lineOf, type TemplateInput, type TemplateProblem } from './template';

/** Pieces of a Jinja template that are not text; a string inside an expression or a tag may contain what would end it. */
const quoted = String.raw`"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'`;
const piece = new RegExp(
  [
    String.raw`(?<comment>\{#[^]*?#\})`,
    String.raw`\{%(?<trimBefore>[-+]?)\s*raw\s*(?<trimStart>[-+]?)%\}(?<raw>[^]*?)\{%(?<trimEnd>[-+]?)\s*endraw\s*(?<trimAfter>[-+]?)%\}`,
    String.raw`(?<expression>\{\{(?:${quoted}|[^"'])*?\}\})`,
    String.raw`(?<tag>\{%(?:${quoted}|[^"'])*?%\})`,
  ].join('|'),
  'g',
);

/** Tags that open a block, and the one that closes it. */
const blocks: ReadonlyMap<string, string> = new Map(['if', 'for', 'macro', 'call', 'filter', 'set'].map((tag) => [tag, `end${tag}`]));
const known: ReadonlySet<string> = new Set([...blocks.keys(), ...blocks.values(), 'elif', 'else', 'break', 'continue']);

/** A template ready for the interpreter, which knows neither raw blocks nor `+` marks. */
export interface ScannedTemplate {
  readonly source: string;
  /** Texts of raw blocks, by the variable that stands for each. */
  readonly raws: ReadonlyMap<string, string>;
  /** Expressions with their offsets in the original, to find the one that does not parse. */
  readonly expressions: readonly { readonly source: string; readonly offset: number }[];
  readonly problems: readonly TemplateProblem[];
}

/** Takes a template apart: raw blocks become variables, tags are checked for balance, every problem has its line. */
export function scanJinja(input: TemplateInput): ScannedTemplate {
  const raws = new Map<string, string>();
  const expressions: { source: string; offset: number }[] = [];
  const problems: TemplateProblem[] = [];
  const open: { tag: string; offset: number }[] = [];
  const report = (offset: number, message: string): void => {
    problems.push({ code: 'bad_template', message: `${lineOf(input, offset)}: ${message}` });
  };
  const text = (from: number, to: number): string => {
    const between = input.text.slice(from, to);
    for (const match of between.matchAll(/\{[{%#]/g)) report(from + match.index, `"${match[0]}" is never closed.`);
    return between;
  };

  let source = '';
  let last = 0;
  for (const match of input.text.matchAll(piece)) {
    const { comment, raw, expression, tag, trimBefore, trimStart, trimEnd, trimAfter } = match.groups ?? {};
    source += text(last, match.index);
    last = match.index + match[0].length;
    if (comment !== undefined) source += comment.replace(/^\{#\+/, '{#').replace(/\+#\}$/, '#}');
    else if (raw !== undefined) {
      const name = `__raw_block_${raws.size}`;
      const kept = trimStart === '-' ? raw.trimStart() : raw;
      raws.set(name, trimEnd === '-' ? kept.trimEnd() : kept);
      source += `{{${trimBefore === '-' ? '-' : ''} ${name} ${trimAfter === '-' ? '-' : ''}}}`;
    } else if (expression !== undefined) {
      expressions.push({ source: expression, offset: match.index });
      source += expression;
    } else if (tag !== undefined) {
      checkTag(tag, match.index, open, report);
      const condition = /^\{%-?\s*(?:el)?if\b([^]*?)-?%\}$/.exec(tag)?.[1];
      if (condition !== undefined) expressions.push({ source: `{{${condition}}}`, offset: match.index });
      source += tag.replace(/^\{%\+/, '{%').replace(/\+%\}$/, '%}');
    }
  }
  source += text(last, input.text.length);
  for (const { tag, offset } of open) report(offset, `{% ${tag} %} is never closed by {% ${blocks.get(tag) ?? `end${tag}`} %}.`);
  return { source, raws, expressions, problems };
}

function checkTag(tag: string, offset: number, open: { tag: string; offset: number }[], report: (offset: number, message: string) => void): void {
  const name = /^\{%[-+]?\s*(\w*)/.exec(tag)?.[1] ?? '';
  if (!known.has(name)) {
    const message = name === 'raw' ? '{% raw %} is never closed by {% endraw %}.' : `The tag ${JSON.stringify(name)} is not known here.`;
    report(offset, message);
  } else if (blocks.has(name)) {
    // `{% set x = 1 %}` closes itself.
    if (name !== 'set' || !/=/.test(tag)) open.push({ tag: name, offset });
  } else if (name.startsWith('end')) {
    if (blocks.get(open.at(-1)?.tag ?? '') === name) open.pop();
    else report(offset, `{% ${name} %} closes nothing that is open.`);
  }
}
