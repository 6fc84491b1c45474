/**
 * Lenient conversions of single values, as google-adk's models make them (format description, section 0).
 * Each returns the value, or the name of what is wrong with it.
 */
export type Converted<T> = { readonly value: T } | { readonly kind: IssueKind };

/** What can be wrong with a value; the names are google-adk's, so that both can be compared. */
export type IssueKind =
  | 'missing' | 'extra_forbidden' | 'model_type' | 'model_attributes_type' | 'string_type' | 'list_type' | 'dict_type' | 'tuple_type' | 'too_long'
  | 'float_type' | 'int_type' | 'bool_type' | 'float_parsing' | 'int_parsing' | 'bool_parsing' | 'int_from_float' | 'int_parsing_size' | 'finite_number' | 'bytes_type' | 'bytes_invalid_encoding'
  | 'enum' | 'literal_error' | 'union_tag_invalid' | 'value_error' | 'not_found' | 'json_invalid';

const floatText = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)$/i;
const integerText = /^[+-]?\d(?:_?\d)*(?:\.0+)?$/;

/** Blanks as Unicode lists them. JavaScript's own list has the byte-order mark and lacks U+0085. */
function trimmed(text: string): string {
  return text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

/** Underscores inside a text without blanks around it are passed over, wherever they stand; two in a row are not. */
function withoutUnderscores(text: string): string | undefined {
  return !text.includes('_') || /^_|_$|__/.test(text) ? undefined : text.replaceAll('_', '');
}

/** A float: numbers, booleans, and texts that Python reads as a float. */
export function toFloat(raw: unknown): Converted<number> {
  if (typeof raw === 'number') return { value: raw };
  if (typeof raw === 'bigint') return { value: Number(raw) };
  if (typeof raw === 'boolean') return { value: raw ? 1 : 0 };
  if (typeof raw !== 'string') return { kind: 'float_type' };
  const text = [trimmed(raw), withoutUnderscores(raw)].find((candidate) => candidate !== undefined && floatText.test(candidate));
  if (text === undefined) return { kind: 'float_parsing' };
  const special = /^([+-]?)(inf|nan)/i.exec(text);
  if (special === null) return { value: Number(text) };
  if (special[2]?.toLowerCase() === 'nan') return { value: NaN };
  return { value: special[1] === '-' ? -Infinity : Infinity };
}

/** An integer: integers, whole floats below 2^63, booleans, and texts of digits. A `bigint` beyond 2^53. */
export function toInteger(raw: unknown): Converted<number | bigint> {
  if (typeof raw === 'bigint') return { value: raw };
  if (typeof raw === 'boolean') return { value: raw ? 1 : 0 };
  if (typeof raw === 'number') {
    if (!Number.isFinite(raw)) return { kind: 'finite_number' };
    if (!Number.isInteger(raw)) return { kind: 'int_from_float' };
    return Math.abs(raw) < 2 ** 63 ? { value: exactInteger(BigInt(raw)) } : { kind: 'int_parsing_size' };
  }
  if (typeof raw !== 'string') return { kind: 'int_type' };
  const text = trimmed(raw);
  if (!integerText.test(text)) return { kind: 'int_parsing' };
  const digits = text.replaceAll('_', '').replace(/\.0+$/, '');
  if (digits.length > 4300) return { kind: 'int_parsing_size' };
  return { value: exactInteger(digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits.replace('+', ''))) };
}

function exactInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const booleanWords: Readonly<Record<string, boolean>> = {
  true: true, yes: true, on: true, t: true, y: true, 1: true, false: false, no: false, off: false, f: false, n: false, 0: false,
};

/** A boolean: booleans, 0 and 1, and the usual words in any case. */
export function toBoolean(raw: unknown): Converted<boolean> {
  if (typeof raw === 'boolean') return { value: raw };
  if (raw === 0 || raw === 1) return { value: raw === 1 };
  if (typeof raw === 'number' && Number.isInteger(raw)) return { kind: 'bool_parsing' };
  if (typeof raw !== 'string') return { kind: 'bool_type' };
  const word = raw.toLowerCase();
  return Object.hasOwn(booleanWords, word) ? { value: booleanWords[word] === true } : { kind: 'bool_parsing' };
}

/** Base64 in either alphabet but not both, padding optional; the text itself is kept. Bytes given in code become base64. */
export function toBytes(raw: unknown): Converted<string> {
  if (typeof raw !== 'string') return raw instanceof Uint8Array ? { value: Buffer.from(raw).toString('base64') } : { kind: 'bytes_type' };
  return isBase64(raw) ? { value: raw } : { kind: 'bytes_invalid_encoding' };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function isBase64(text: string): boolean {
  const match = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)(={0,2})$/.exec(text);
  if (match === null) return false;
  const padding = match[1]?.length ?? 0;
  const length = text.length - padding;
  const rest = length % 4;
  if (rest === 1 || padding > (rest === 0 ? 0 : 4 - rest)) return false;
  if (rest === 0) return true;
  const last = text[length - 1] ?? '';
  const value = /[-+]/.test(last) ? 62 : /[_/]/.test(last) ? 63 : alphabet.indexOf(last);
  return value % (rest === 2 ? 16 : 4) === 0;
}

/** Base64 as google-adk writes it: URL-safe alphabet, padded. */
export function urlSafeBase64(text: string): string {
  const bare = text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
  return bare + '='.repeat((4 - (bare.length % 4)) % 4);
}

/** An eval status as a number 1 to 4. */
export function toStatus(raw: unknown): Converted<number> {
  const value = raw === true ? 1 : raw;
  return typeof value === 'number' && [1, 2, 3, 4].includes(value) ? { value } : { kind: 'enum' };
}

/** A name out of a growing list: known ones in their official spelling, others as they are. */
export function toOpenEnum(raw: unknown, names: readonly string[]): Converted<string> {
  if (typeof raw !== 'string') return { kind: 'enum' };
  const official = raw.toUpperCase();
  return { value: names.includes(official) ? official : raw };
}
