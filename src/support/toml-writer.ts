/**
 * Writes TOML 0.5. `@iarna/toml` has a writer, but it refuses lists of mixed kinds, which eval sets have (`intermediate_responses`), and puts
 * every text on one line.
 */

/** A value that TOML has no word for. */
export interface TomlLoss {
  readonly path: readonly (string | number)[];
  readonly what: 'null';
}

/** Longest line for a table that is written on one. */
const widest = 100;

/**
 * The text of a table. Nulls are left out, those in lists too, and told. Plain values of a table come before its tables, which is how TOML reads them; apart from that
 * the order is kept.
 */
export function stringifyToml(value: Readonly<Record<string, unknown>>): { readonly text: string; readonly losses: readonly TomlLoss[] } {
  const losses: TomlLoss[] = [];
  const clean = withoutNulls(value, [], losses) as Readonly<Record<string, unknown>>;
  const lines: string[] = [];
  writeTable(clean, [], lines);
  return { text: `${lines.join('\n').replace(/^\n+/, '')}\n`, losses };
}

function withoutNulls(value: unknown, path: readonly (string | number)[], losses: TomlLoss[]): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (item !== null && item !== undefined) return [withoutNulls(item, [...path, index], losses)];
      losses.push({ path: [...path, index], what: 'null' });
      return [];
    });
  }
  if (!isTable(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (item === null) losses.push({ path: [...path, key], what: 'null' });
    else Object.defineProperty(copy, key, { value: withoutNulls(item, [...path, key], losses), enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function writeTable(table: Readonly<Record<string, unknown>>, path: readonly string[], lines: string[]): void {
  const entries = Object.entries(table);
  const inPlace = entries.filter(([key, value]) => isInline(key, value));
  for (const [key, value] of inPlace) lines.push(`${tomlKey(key)} = ${inline(value, true)}`);
  for (const [key, value] of entries) {
    if (isInline(key, value)) continue;
    const at = [...path, key];
    const name = at.map(tomlKey).join('.');
    if (Array.isArray(value)) {
      for (const item of value as readonly Readonly<Record<string, unknown>>[]) {
        lines.push('', `[[${name}]]`);
        writeTable(item, at, lines);
      }
    } else {
      lines.push('', `[${name}]`);
      writeTable(value as Readonly<Record<string, unknown>>, at, lines);
    }
  }
}

/** Small tables without line breaks stand on one line; lists of tables and everything larger get headers of their own. */
function isInline(key: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || !value.every(isTable);
  if (!isTable(value)) return true;
  return isFlat(value) && key.length + inline(value, false).length + 3 <= widest;
}

function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isFlat);
  if (isTable(value)) return Object.values(value).every(isFlat);
  return typeof value !== 'string' || !value.includes('\n');
}

/**
 * A value on the line of its key.
 *
 * @param wide  whether a text may take several lines: not inside a table that is written on one
 */
function inline(value: unknown, wide: boolean): string {
  if (typeof value === 'string') return wide && value.includes('\n') ? longText(value) : quoted(value);
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, false)).join(', ')}]`;
  if (!isTable(value)) return String(value);
  const fields = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${inline(item, false)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function number(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return /[.e]/.test(text) ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** A line break behind the opening quotes is not part of the text. */
function longText(text: string): string {
  return `"""\n${text.split('\n').map((line) => escaped(line)).join('\n')}"""`;
}

function escaped(text: string): string {
  return text.replace(/["\\\u0000-\u001f\u007f]/g, (character) => {
    const short = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
    return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
  });
}

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
