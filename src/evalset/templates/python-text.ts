/** Values of a template as Python prints them, which is how Jinja prints them. */
import type { Value } from './jinja';

const structures: ReadonlySet<string> = new Set(['ArrayValue', 'TupleValue', 'ObjectValue', 'KeywordArgumentsValue']);

/** Lists and objects. */
export function isStructure({ type }: Value): boolean {
  return structures.has(type);
}

/** The value as it is printed on its own; what is not defined prints nothing. */
export function pythonText(value: Value): string {
  return value.type === 'UndefinedValue' ? '' : value.type === 'StringValue' ? String(value.value) : inside(value);
}

/** A value within a list or an object: texts stand in quotes there. */
function inside(value: Value): string {
  if (value.type === 'StringValue') return quoted(String(value.value));
  if (value.type === 'NullValue') return 'None';
  if (value.type === 'UndefinedValue') return 'Undefined';
  if (value.type === 'BooleanValue') return value.value === true ? 'True' : 'False';
  if (value.type === 'ArrayValue') return `[${items(value).map(inside).join(', ')}]`;
  if (value.type === 'TupleValue') return `(${items(value).map(inside).join(', ')}${items(value).length === 1 ? ',' : ''})`;
  if (value.type === 'ObjectValue') return `{${entries(value).map(([key, item]) => `${quoted(key)}: ${inside(item)}`).join(', ')}}`;
  return String(value);
}

/** The value with nothing of the interpreter around it. */
export function plainOf(value: Value): unknown {
  if (value.type === 'ArrayValue' || value.type === 'TupleValue') return items(value).map(plainOf);
  return value.type === 'ObjectValue' ? Object.fromEntries(entries(value).map(([key, item]) => [key, plainOf(item)])) : value.value;
}

function items({ value }: Value): readonly Value[] {
  return value as readonly Value[];
}

function entries({ value }: Value): readonly (readonly [string, Value])[] {
  return [...(value as ReadonlyMap<string, Value>)];
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\n\r\t]/g, (sign) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[sign] ?? sign);
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}
