import { isDeepStrictEqual } from 'node:util';
import { scope, type Jinja, type Node, type Scope, type Value } from './jinja';
import { scanJinja } from './jinja-scan';
import { isStructure, plainOf, pythonText } from './python-text';
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

/** What stands between `{%` and `%}`: these print nothing by themselves. */
const statements: ReadonlySet<string> = new Set(['Set', 'Macro', 'Comment', 'Break', 'Continue']);

/** What this interpreter does otherwise than Jinja with values that are not defined, with texts as lists of letters, and with kinds that differ. */
function lenientInterpreter(jinja: Jinja, environment: Scope): InstanceType<Jinja['Interpreter']> {
  const valueOf = (value: unknown): Value => new jinja.Environment().set('value', value);
  const looped = new WeakSet<Node>();
  const filtered = new WeakMap<Node, string>();
  const joined = new WeakSet<Node>();
  /** What was reckoned already and is asked for once more: twice at every level would be a thousand times at the tenth. */
  const known = new WeakMap<Node, Value>();
  class Lenient extends jinja.Interpreter {
    override evaluate(node: Node | undefined, scope: Scope): Value {
      if (node === undefined) return super.evaluate(node, scope);
      const value = known.get(node);
      if (value !== undefined && known.delete(node)) return value;
      if (node.type === 'For' && node.iterable !== undefined) looped.add(node.iterable);
      if (node.type === 'FilterExpression' && node.operand !== undefined) filtered.set(node.operand, filterName(node));
      if (looped.delete(node)) return iterable(this.evaluate(node, scope));
      const filter = filtered.get(node);
      if (filter !== undefined && filtered.delete(node)) return operand(this.evaluate(node, scope), filter);
      if (node.type === 'FilterExpression') return filterResult(super.evaluate(node, scope), filterName(node));
      if (joined.delete(node)) return valueOf(pythonText(this.evaluate(node, scope)));
      if (node.type === 'MemberExpression' && this.ahead(node.object, scope).type === 'UndefinedValue') throw new Error(`${node.property === undefined ? 'an attribute' : `.${String(node.property.value)}`} is asked of something that is not defined`);
      return (node.type === 'BinaryExpression' ? this.reckoned(node, scope) : undefined) ?? super.evaluate(node, scope);
    }

    private ahead(node: Node | undefined, scope: Scope): Value {
      const value = this.evaluate(node, scope);
      if (node !== undefined) known.set(node, value);
      return value;
    }

    override evaluateBlock(nodes: readonly Node[], scope: Scope): Value {
      return valueOf(nodes.map((node) => (statements.has(node.type) ? (this.evaluate(node, scope), '') : pythonText(this.evaluate(node, scope)))).join(''));
    }

    /** `~` joins texts of whatever, `+` wants two of a kind, a text times a figure repeats, and a structure equals nothing of another kind. */
    private reckoned({ operator, left, right }: Node, scope: Scope): Value | undefined {
      const sign = operator?.value;
      if (sign === '~') for (const side of [left, right]) if (side !== undefined) joined.add(side);
      if (sign !== '+' && sign !== '*' && sign !== '==' && sign !== '!=') return undefined;
      const [one, other] = [this.evaluate(left, scope), this.evaluate(right, scope)];
      const text = one.type === 'StringValue' ? one : other.type === 'StringValue' ? other : undefined;
      if (sign === '+' && text !== undefined && one.type !== other.type) throw new Error(`a text and ${text === one ? other.type : one.type} cannot be added`);
      const times = text === one ? other : one;
      if (sign === '*' && text !== undefined && times.type === 'IntegerValue') return valueOf(repeated(String(text.value), Number(times.value)));
      if (sign === '+' || sign === '*' || (!isStructure(one) && !isStructure(other))) {
        if (left !== undefined) known.set(left, one);
        if (right !== undefined) known.set(right, other);
        return undefined;
      }
      return valueOf(isDeepStrictEqual(plainOf(one), plainOf(other)) === (sign === '=='));
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

function filterName({ filter }: Node): string {
  return String((filter?.type === 'CallExpression' ? filter.callee : filter)?.value);
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

/** A template of a config file must not make a text that fills the memory. */
const longestText = 1 << 20;

function repeated(text: string, times: number): string {
  if (text.length * times > longestText) throw new Error(`a text of ${text.length} characters times ${times} is longer than ${longestText} characters`);
  return text.repeat(Math.max(0, times));
}
