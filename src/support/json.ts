import { JestAdkError } from './errors';
import { scanJson, type JsonScan } from './json-scan';

/**
 * A number that is written with a decimal point (`10.0`) or an exponent, as Python writes floats: the type of a field decides,
 * not the value. Reads as a plain number everywhere else.
 */
export class JsonFloat {
  constructor(readonly value: number) {}

  toJSON(): number | null {
    return Number.isFinite(this.value) ? this.value : null;
  }

  valueOf(): number {
    return this.value;
  }
}

/**
 * Parses JSON without losing digits: integers beyond 2^53 become `bigint`. `NaN`, `Infinity` and `-Infinity` are accepted as Python writes them.
 * Of a repeated key the last one wins. Limits of JavaScript objects: `1` and `1.0` are one number, and keys that are whole numbers come first.
 *
 * @param file  named in problems
 * @throws {JestAdkError} `not_json` with every syntax problem, each with line and column
 */
export function parseJson(text: string, file?: string): unknown {
  const scan = scanJson(text);
  if (scan.tooDeep !== undefined || scan.loneSurrogate !== undefined) throw notJson(text, scan, file);
  const masked = maskNumbers(text, scan);
  let value: unknown;
  try {
    value = JSON.parse(masked?.text ?? text);
  } catch (error) {
    throw notJson(text, scan, file, error);
  }
  return masked === undefined ? value : restoreNumbers(value, masked);
}

function notJson(text: string, scan: JsonScan, file: string | undefined, cause?: unknown): JestAdkError {
  const { syntaxProblems }: typeof import('./json-syntax') = require('./json-syntax');
  return new JestAdkError('not_json', syntaxProblems(text, scan, file), { cause });
}

interface Masked {
  readonly text: string;
  /** Texts that begin with this character stand for numbers. */
  readonly mark: string;
  readonly numbers: readonly (number | bigint)[];
}

/** Numbers that `JSON.parse` would lose become marked texts; undefined when there are none. */
function maskNumbers(text: string, scan: JsonScan): Masked | undefined {
  const spots = [...scan.bigIntegers, ...scan.nonFinite].sort((a, b) => a.start - b.start);
  if (spots.length === 0) return undefined;
  const mark = unusedCharacter(text);
  const numbers: (number | bigint)[] = [];
  let masked = '';
  let from = 0;
  for (const spot of spots) {
    masked += `${text.slice(from, spot.start)}"${mark}${numbers.length}"`;
    numbers.push('value' in spot ? (spot as { value: number }).value : BigInt(text.slice(spot.start, spot.end)));
    from = spot.end;
  }
  return { text: masked + text.slice(from), mark, numbers };
}

/** A private-use character that the text contains neither as such nor escaped. */
function unusedCharacter(text: string): string {
  for (let code = 0xe000; ; code += 1) {
    const character = String.fromCharCode(code);
    if (!text.includes(character) && !new RegExp(`\\\\u${code.toString(16)}`, 'i').test(text)) return character;
  }
}

function restoreNumbers(value: unknown, masked: Masked): unknown {
  if (typeof value === 'string') return value.startsWith(masked.mark) ? masked.numbers[Number(value.slice(1))] : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const restored = restoreNumbers(item, masked);
    if (restored !== item) Object.defineProperty(value, key, { value: restored, enumerable: true, writable: true, configurable: true });
  }
  return value;
}

/**
 * Writes JSON: indent 2, non-ASCII characters literally (half a surrogate as U+FFFD), all digits of a `bigint`, `JsonFloat` as Python writes floats, numbers that are not finite as
 * `null`, members whose value is undefined left out. No final line break.
 *
 * @param indent  0 for one line
 * @param margin  blanks in front of every line but the first, for a piece of a longer text
 */
export function stringifyJson(value: unknown, indent = 2, margin = 0): string {
  if (isOmitted(value)) return 'null';
  const pieces: string[] = [];
  write(pieces, value, ' '.repeat(indent), indent === 0 ? '' : `\n${' '.repeat(margin)}`);
  return pieces.join('');
}

function write(pieces: string[], value: unknown, indent: string, lineBreak: string): void {
  if (value === null) pieces.push('null');
  else if (typeof value === 'string') pieces.push(quoted(value));
  else if (typeof value === 'number') pieces.push(numberText(value));
  else if (typeof value !== 'object') pieces.push(String(value));
  else if (value instanceof JsonFloat) pieces.push(floatText(value.value));
  else if (Array.isArray(value)) writeList(pieces, value, indent, lineBreak);
  else writeObject(pieces, value, indent, lineBreak);
}

function writeList(pieces: string[], items: readonly unknown[], indent: string, lineBreak: string): void {
  if (items.length === 0) return void pieces.push('[]');
  const inner = lineBreak + indent;
  let before = `[${inner}`;
  for (const item of items) {
    pieces.push(before);
    write(pieces, isOmitted(item) ? null : item, indent, inner);
    before = `,${inner}`;
  }
  pieces.push(lineBreak, ']');
}

function writeObject(pieces: string[], value: object, indent: string, lineBreak: string): void {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const plain: unknown = toJSON.call(value);
    return write(pieces, isOmitted(plain) ? null : plain, indent, lineBreak);
  }
  const inner = lineBreak + indent;
  const colon = indent === '' ? ':' : ': ';
  let before = `{${inner}`;
  for (const key of Object.keys(value)) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (isOmitted(item)) continue;
    pieces.push(before, quotedKey(key), colon);
    write(pieces, item, indent, inner);
    before = `,${inner}`;
  }
  pieces.push(before.startsWith('{') ? '{}' : `${lineBreak}}`);
}

/** What JSON has no word for: members are left out, items become null. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** A text in quotes. Half a surrogate is no character of UTF-8 and no reader takes it: U+FFFD stands in its place, as wherever text is encoded. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  return /\\ud[89a-f]/.test(json) ? JSON.stringify((text as WellFormed).toWellFormed()) : json;
}

/** Node 20 has it, the compiler's library of ES2023 not yet. */
type WellFormed = string & { toWellFormed(): string };

const quotedKeys = new Map<string, string>();

/** The same keys come again and again; user-owned ones must not fill the memory. */
function quotedKey(key: string): string {
  let text = quotedKeys.get(key);
  if (text === undefined) {
    text = quoted(key);
    if (quotedKeys.size < 1000) quotedKeys.set(key, text);
  }
  return text;
}

/** A whole number beyond 2^53 that is no `bigint` was a float, and stays one when it is read again. */
function numberText(value: number): string {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? floatText(value) : JSON.stringify(value);
}

/** A float as google-adk's files have it: `0.0`, `1.25`, from 1e16 and below 1e-5 with an exponent (`1e+16`, `1e-7`). Not finite: `null`. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const size = Math.abs(value);
  if (size >= 1e16 || (size > 0 && size < 1e-5)) return value.toExponential();
  if (Number.isInteger(value)) return `${Object.is(value, -0) ? '-0' : value}.0`;
  return String(value);
}
