import { toErrorInfo } from '../../support/errors';
import { scanJinja, type ScannedTemplate } from './jinja-scan';
import { lineOf, missingVariable, type Rendered, type TemplateInput, type TemplateProblem } from './template';

/** Parts of syntax nodes that are read here. */
export interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly operand?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly operator?: { readonly value: string };
  readonly filter?: Node;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly iterable?: Node;
  readonly body?: readonly Node[];
  readonly alternate?: readonly Node[];
  readonly defaultBlock?: readonly Node[];
}

/** A value while a template is rendered. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
}

/** Names and what they stand for. */
export interface Scope {
  set(name: string, value: unknown): Value;
}

/** What is used of the library, whose own declarations do not resolve for CommonJS. */
export interface Jinja {
  tokenize(source: string): unknown;
  parse(tokens: unknown): Node;
  readonly Environment: new (parent?: Scope) => Scope;
  readonly Interpreter: new (scope: Scope) => {
    run(program: Node): Value;
    evaluate(node: Node | undefined, scope: Scope): Value;
    evaluateBlock(nodes: readonly Node[], scope: Scope): Value;
  };
}

/** As many items as Jinja's own sandbox lets `range` have. */
const longestRange = 100_000;

/**
 * Renders with Jinja's rules, strict: an undefined variable or attribute that is used is a problem, nothing is escaped, and one line break at the
 * end of the template is dropped. An interpreter without access to the host; it knows the usual tags, tests and filters, but neither
 * inheritance nor includes.
 */
export function renderJinja(input: TemplateInput): Rendered {
  const jinja = require('@huggingface/jinja') as Jinja;
  const scanned = scanJinja(input);
  if (scanned.problems.length > 0) return { text: '', problems: scanned.problems, files: [] };
  let program: Node;
  try {
    program = jinja.parse(jinja.tokenize(scanned.source));
  } catch (error) {
    return { text: '', problems: syntaxProblems(jinja, input, scanned, error), files: [] };
  }
  const missing = new Set<string>();
  try {
    const { value } = strictInterpreter(jinja, scope(jinja, input, scanned), missing).run(program);
    return { text: String(value), problems: [...missing].map((name) => missingVariable(name, input)), files: [] };
  } catch (error) {
    const failed: TemplateProblem = { code: 'bad_template', message: `The template ${input.file} cannot be rendered: ${toErrorInfo(error).message.replace(/\.$/, '')}.` };
    // What follows from a missing variable is not worth a line of its own.
    return { text: '', problems: missing.size > 0 ? [...missing].map((name) => missingVariable(name, input)) : [failed], files: [] };
  }
}

/** Whether some kind of value has a filter, or a test, of that name. */
export function knowsJinja(kind: 'filter' | 'test', name: string): boolean {
  const jinja = require('@huggingface/jinja') as Jinja;
  const empty: TemplateInput = { text: '', file: '', variables: new Map() };
  // Some are only known with arguments, and some only for one kind of value.
  const calls = kind === 'test' ? [name] : [name, `${name}("a")`, `${name}("a", "b")`];
  return ['"a"', '[1]', '1', '{}'].some((operand) => calls.some((call) => {
    try {
      new jinja.Interpreter(scope(jinja, empty, scanJinja(empty))).run(jinja.parse(jinja.tokenize(kind === 'filter' ? `{{ ${operand} | ${call} }}` : `{{ ${operand} is ${call} }}`)));
      return true;
    } catch (thrown) {
      return !/^(Error: )?(Unknown |Cannot apply filter)/.test(toErrorInfo(thrown).message);
    }
  }));
}

/** The marker's variables over the few names every template has. */
export function scope(jinja: Jinja, input: TemplateInput, scanned: ScannedTemplate): Scope {
  const globals = new jinja.Environment();
  for (const [name, value] of Object.entries({ true: true, True: true, false: false, False: false, none: null, None: null })) globals.set(name, value);
  globals.set('range', (...limits: number[]) => {
    const [start, stop, step] = limits.length < 2 ? [0, limits[0] ?? 0, 1] : [limits[0] ?? 0, limits[1] ?? 0, limits[2] ?? 1];
    const length = step === 0 ? Infinity : Math.max(0, Math.ceil((stop - start) / step));
    if (length > longestRange) throw new Error(`range() would have ${length} items, more than ${longestRange}`);
    return Array.from({ length }, (_, index) => start + index * step);
  });
  const variables = new jinja.Environment(globals);
  for (const [name, value] of [...scanned.raws, ...input.variables]) variables.set(name, value);
  return variables;
}

/**
 * The interpreter takes undefined values silently; this one notes each that is used. `is defined` and `default()` may look at one,
 * other tests see it as a value of no kind. Truth values and none are printed as Python prints them.
 */
function strictInterpreter(jinja: Jinja, environment: Scope, missing: Set<string>): InstanceType<Jinja['Interpreter']> {
  const tolerated = new WeakSet<Node>();
  const printed = new WeakSet<Node>();
  class Strict extends jinja.Interpreter {
    override evaluate(node: Node | undefined, scope: Scope): Value {
      if (node === undefined) return super.evaluate(node, scope);
      if (node.operand !== undefined && (node.type === 'TestExpression' || isDefault(node))) tolerated.add(node.operand);
      for (const block of [node.body, node.alternate, node.defaultBlock]) block?.forEach((item) => printed.add(item));
      const value = super.evaluate(node, scope);
      if (value.type === 'UndefinedValue' && !tolerated.has(node)) {
        const name = nameOf(node);
        if (name !== undefined) missing.add(name);
      }
      const text = printed.has(node) ? pythonText(node, value) : undefined;
      return text === undefined ? value : new jinja.Environment().set('text', text);
    }
  }
  return new Strict(environment);
}

/** `True`, `False` and `None`, where the interpreter writes JavaScript's words or nothing. Tags have no value although they give none. */
function pythonText(node: Node, value: Value): string | undefined {
  if (value.type === 'BooleanValue') return value.value === true ? 'True' : 'False';
  return value.type === 'NullValue' && /Expression$|^Identifier$|^Ternary$/.test(node.type) ? 'None' : undefined;
}

function isDefault(node: Node): boolean {
  if (node.type !== 'FilterExpression') return false;
  const filter = node.filter?.type === 'CallExpression' ? node.filter.callee : node.filter;
  return filter?.value === 'default';
}

/** `name`, `name.attribute`; undefined for nodes that have no value of their own, such as tags. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return String(node.value);
  if (node.type === 'MemberExpression') return `${(node.object && nameOf(node.object)) ?? '…'}.${String(node.property?.value ?? '…')}`;
  return undefined;
}

/** The interpreter's errors have no place: the expressions are parsed one by one to find those at fault. */
function syntaxProblems(jinja: Jinja, input: TemplateInput, scanned: ScannedTemplate, error: unknown): TemplateProblem[] {
  const found: TemplateProblem[] = [];
  for (const { source, offset } of scanned.expressions) {
    try {
      jinja.parse(jinja.tokenize(source));
    } catch (cause) {
      found.push({ code: 'bad_template', message: `${lineOf(input, offset)}: ${source.replace(/\s+/g, ' ')} is no valid expression${because(cause)}.` });
    }
  }
  return found.length > 0 ? found : [{ code: 'bad_template', message: `The template ${input.file} has a syntax error${because(error)}.` }];
}

function because(error: unknown): string {
  const { message } = toErrorInfo(error);
  // The parser runs past its last token, which says nothing to anybody.
  return message.startsWith('TypeError') ? '' : `: ${message.replace(/^(SyntaxError: |Parser Error: )+/, '').replace(/\.$/, '')}`;
}
