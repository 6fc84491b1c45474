import { scope, type Jinja, type Node, type Scope, type Value } from './jinja';
import { scanJinja } from './jinja-scan';
import type { TemplateInput } from './template';

/** A template with values of any kind. */
export interface LenientInput extends Omit<TemplateInput, 'variables'> {
  readonly variables: ReadonlyMap<string, unknown>;
}

/**
 * Renders as Jinja does by itself: an undefined variable or attribute is empty when it is printed, tested, looped over or filtered, but nothing
 * can be asked of one, or reckoned with it.
 *
 * @throws what the template does wrong
 */
export function renderLenientJinja({ variables, text, ...input }: LenientInput): string {
  const jinja = require('@huggingface/jinja') as Jinja;
  const plain: TemplateInput = { ...input, text: text.replace(/\r\n?/g, '\n'), variables: new Map() };
  const scanned = scanJinja(plain);
  if (scanned.problems.length > 0) throw new Error(scanned.problems.map(({ message }) => message).join(' '));
  const values = scope(jinja, plain, scanned);
  for (const [name, value] of variables) values.set(name, value);
  return String(lenientInterpreter(jinja, values).run(jinja.parse(jinja.tokenize(scanned.source))).value);
}

/** Filters that read a figure as its text. */
const textFilters: ReadonlySet<string> = new Set(['upper', 'lower', 'trim', 'capitalize', 'title', 'replace']);

/** What this interpreter does otherwise than Jinja with values that are not defined, with texts as lists of letters, and with kinds that differ. */
function lenientInterpreter(jinja: Jinja, environment: Scope): InstanceType<Jinja['Interpreter']> {
  const valueOf = (value: unknown): Value => new jinja.Environment().set('value', value);
  const looped = new WeakSet<Node>();
  const filtered = new WeakMap<Node, string>();
  const joined = new WeakSet<Node>();
  class Lenient extends jinja.Interpreter {
    override evaluate(node: Node | undefined, scope: Scope): Value {
      if (node === undefined) return super.evaluate(node, scope);
      if (node.type === 'For' && node.iterable !== undefined) looped.add(node.iterable);
      if (node.type === 'FilterExpression' && node.operand !== undefined) filtered.set(node.operand, filterName(node));
      if (node.type === 'BinaryExpression') this.expect(node, scope);
      if (looped.delete(node)) return iterable(this.evaluate(node, scope));
      const filter = filtered.get(node);
      if (filter !== undefined && filtered.delete(node)) return operand(this.evaluate(node, scope), filter);
      if (node.type === 'FilterExpression') return filterResult(super.evaluate(node, scope), filterName(node));
      if (joined.delete(node)) return printable(this.evaluate(node, scope));
      if (node.type === 'MemberExpression' && super.evaluate(node.object, scope).type === 'UndefinedValue') throw new Error(`${node.property === undefined ? 'an attribute' : `.${String(node.property.value)}`} is asked of something that is not defined`);
      const comparison = node.type === 'BinaryExpression' ? this.compared(node, scope) : undefined;
      return comparison ?? super.evaluate(node, scope);
    }

    /** `~` joins texts of whatever; `+` wants two of a kind. */
    private expect({ operator, left, right }: Node, scope: Scope): void {
      if (operator?.value === '~') for (const side of [left, right]) if (side !== undefined) joined.add(side);
      if (operator?.value !== '+') return;
      const kinds = [left, right].map((side) => this.evaluate(side, scope).type);
      if (kinds.filter((kind) => kind === 'StringValue').length === 1) throw new Error(`a text and ${kinds[0] === 'StringValue' ? kinds[1] : kinds[0]} cannot be added`);
    }

    /** Lists and objects equal nothing of another kind. */
    private compared({ operator, left, right }: Node, scope: Scope): Value | undefined {
      if (operator?.value !== '==' && operator?.value !== '!=') return undefined;
      const [one, other] = [this.evaluate(left, scope).type, this.evaluate(right, scope).type];
      const isStructure = (kind: string): boolean => kind === 'ArrayValue' || kind === 'ObjectValue';
      return one !== other && (isStructure(one) || isStructure(other)) ? valueOf(operator.value === '!=') : undefined;
    }
  }
  const letters = (value: Value): Value => valueOf([...String(value.value)]);
  const iterable = (value: Value): Value => (value.type === 'StringValue' ? letters(value) : value.type === 'UndefinedValue' ? valueOf([]) : value);
  const printable = (value: Value): Value => (value.type === 'UndefinedValue' ? valueOf('') : value);
  const operand = (value: Value, filter: string): Value => {
    if (filter === 'first' || filter === 'last') return iterable(value);
    if (filter === 'default') return value;
    if (textFilters.has(filter) && (value.type === 'IntegerValue' || value.type === 'FloatValue')) return valueOf(String(value.value));
    return filter === 'join' && value.type === 'StringValue' ? letters(value) : filter === 'list' ? iterable(value) : printable(value);
  };
  // The first of nothing is nothing at all in this interpreter, and a capital letter leaves the others as they are.
  const filterResult = (value: Value | undefined, filter: string): Value => {
    if (value === undefined) return valueOf(undefined);
    return filter === 'capitalize' && value.type === 'StringValue' ? valueOf(capitalized(String(value.value))) : value;
  };
  return new Lenient(environment);
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

function filterName({ filter }: Node): string {
  return String((filter?.type === 'CallExpression' ? filter.callee : filter)?.value);
}
