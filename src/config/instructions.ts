/** Names that a simulator's own instructions must use, or it cannot play its part. */
const requiredNames = ['stop_signal', 'conversation_plan', 'conversation_history'] as const;

/**
 * What is wrong with `custom_instructions` of a user simulator; undefined when nothing is. They are a Jinja template that must use
 * `stop_signal`, `conversation_plan` and `conversation_history` as variables.
 */
export function instructionsProblem(template: string): string | undefined {
  const { Template }: typeof import('@huggingface/jinja') = require('@huggingface/jinja');
  const { scanJinja }: typeof import('../evalset/templates/jinja-scan') = require('../evalset/templates/jinja-scan');
  const { source, problems } = scanJinja({ text: template, file: 'custom_instructions', variables: new Map() });
  if (problems.length > 0) return `"custom_instructions" is no Jinja template: ${problems.map(({ message }) => message).join(' ')}`;
  let parsed: unknown;
  try {
    parsed = new Template(source).parsed;
  } catch (error) {
    return `"custom_instructions" is no Jinja template: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const unknown = unknownNames(parsed);
  if (unknown.length > 0) return `"custom_instructions" uses ${unknown.join(', ')}, which does not exist.`;
  const used = new Set<string>();
  collectVariables(parsed, new Set(), used);
  const missing = requiredNames.filter((name) => !used.has(name));
  return missing.length === 0 ? undefined : `"custom_instructions" must use ${missing.map((name) => `{{ ${name} }}`).join(', ')}.`;
}

/** Names that a template takes from outside; undefined for a text that is no template. */
export function templateVariables(template: string): ReadonlySet<string> | undefined {
  const { Template }: typeof import('@huggingface/jinja') = require('@huggingface/jinja');
  const { scanJinja }: typeof import('../evalset/templates/jinja-scan') = require('../evalset/templates/jinja-scan');
  const used = new Set<string>();
  try {
    collectVariables(new Template(scanJinja({ text: template, file: 'custom_instructions', variables: new Map() }).source).parsed, new Set(), used);
  } catch {
    return undefined;
  }
  return used;
}

/** Filters and tests that do not exist, each once. They would be noticed only while a conversation is under way. */
function unknownNames(parsed: unknown): readonly string[] {
  const { knowsJinja }: typeof import('../evalset/templates/jinja') = require('../evalset/templates/jinja');
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node instanceof Map) return visit([...(node as Map<unknown, unknown>).entries()]);
    if (typeof node !== 'object' || node === null) return;
    const tree = node as Tree;
    for (const kind of ['filter', 'test'] as const) {
      if (tree['type'] !== (kind === 'filter' ? 'FilterExpression' : 'TestExpression')) continue;
      const named = tree[kind] as Tree;
      const name = String((named['type'] === 'CallExpression' ? (named['callee'] as Tree) : named)['value']);
      if (/^\w+$/.test(name) && !knowsJinja(kind, name)) found.add(`the ${kind} "${name}"`);
    }
    Object.values(tree).forEach(visit);
  };
  visit(parsed);
  return [...found];
}

type Tree = Readonly<Record<string, unknown>>;

/** Names that a template takes from outside: not those that it sets itself, and not names of attributes, filters, tests or arguments. */
function collectVariables(node: unknown, bound: Set<string>, used: Set<string>): void {
  if (Array.isArray(node)) return node.forEach((item) => collectVariables(item, bound, used));
  if (typeof node !== 'object' || node === null) return;
  const tree = node as Tree;
  switch (tree['type']) {
    case 'Identifier':
      if (!bound.has(String(tree['value']))) used.add(String(tree['value']));
      return;
    case 'MemberExpression':
      collectVariables(tree['object'], bound, used);
      if (tree['computed'] === true) collectVariables(tree['property'], bound, used);
      return;
    case 'FilterExpression':
    case 'TestExpression':
      collectVariables(tree['operand'], bound, used);
      for (const key of ['filter', 'test']) collectVariables((tree[key] as Tree | undefined)?.['args'], bound, used);
      return;
    case 'KeywordArgumentExpression':
      return collectVariables(tree['value'], bound, used);
    case 'SetStatement':
    case 'Set':
      return collectSet(tree, bound, used);
    case 'For': {
      collectVariables(tree['iterable'], bound, used);
      const inner = new Set([...bound, ...namesIn(tree['loopvar'])]);
      return collectVariables([tree['body'], tree['defaultBlock']], inner, used);
    }
    case 'Macro':
      return collectVariables(tree['body'], new Set([...bound, ...namesIn(tree['args'])]), used);
    case 'If':
      collectVariables(tree['test'], bound, used);
      for (const branch of ['body', 'alternate']) collectVariables(tree[branch], new Set(bound), used);
      return;
    default:
      return collectChildren(tree, bound, used);
  }
}

/** `{% set name = value %}` binds for what follows in the same block. */
function collectSet(tree: Tree, bound: Set<string>, used: Set<string>): void {
  collectVariables([tree['value'], tree['body']], bound, used);
  for (const name of namesIn(tree['assignee'])) bound.add(name);
}

function collectChildren(tree: Tree, bound: Set<string>, used: Set<string>): void {
  for (const [key, child] of Object.entries(tree)) {
    if (key === 'type') continue;
    if (child instanceof Map) for (const entry of child as Map<unknown, unknown>) collectVariables(entry, bound, used);
    else collectVariables(child, bound, used);
  }
}

function namesIn(node: unknown): string[] {
  const names = new Set<string>();
  collectVariables(node, new Set(), names);
  return [...names];
}
