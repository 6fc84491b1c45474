/** What one pass over the characters of a JSON text finds that `JSON.parse` loses or does not say. Offsets are UTF-16 units. */
export interface JsonScan {
  /** Integers that a double cannot hold. */
  readonly bigIntegers: readonly { readonly start: number; readonly end: number }[];
  /** The words `NaN`, `Infinity` and `-Infinity`, which Python writes and JSON does not know. */
  readonly nonFinite: readonly { readonly start: number; readonly end: number; readonly value: number }[];
  /** Start of the first escaped surrogate without its other half. */
  readonly loneSurrogate: number | undefined;
  /** Start of the first list or object that is nested deeper than `maxJsonDepth`. */
  readonly tooDeep: number | undefined;
  /** Number of `:` outside texts, which is the number of members of all objects, repeated keys counted each time. */
  readonly members: number;
}

/** Lists and objects may be nested this deep, as in google-adk's reader; deeper texts are refused instead of ending in a stack overflow. */
export const maxJsonDepth = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Walks a JSON text once. The text need not be valid. */
export function scanJson(text: string): JsonScan {
  const bigIntegers: { start: number; end: number }[] = [];
  const nonFinite: { start: number; end: number; value: number }[] = [];
  let loneSurrogate: number | undefined;
  let tooDeep: number | undefined;
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const found = scanString(text, at);
      loneSurrogate ??= found.loneSurrogate;
      at = found.end;
    } else if (code === 0x3a) members += 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxJsonDepth) tooDeep ??= at;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at);
      if (end - at >= 16 && isUnsafeInteger(text.slice(at, end))) bigIntegers.push({ start: at, end });
      if (end === at + 1 && text.startsWith('Infinity', end)) {
        nonFinite.push({ start: at, end: end + 8, value: -Infinity });
        at = end + 7;
      } else at = end - 1;
    } else if (code === 0x49 && text.startsWith('Infinity', at)) {
      nonFinite.push({ start: at, end: at + 8, value: Infinity });
      at += 7;
    } else if (code === 0x4e && text.startsWith('NaN', at)) {
      nonFinite.push({ start: at, end: at + 3, value: NaN });
      at += 2;
    }
  }
  return { bigIntegers, nonFinite, loneSurrogate, tooDeep, members };
}

/** From an opening quote to its closing quote (or the end of the text). */
function scanString(text: string, start: number): { end: number; loneSurrogate: number | undefined } {
  let loneSurrogate: number | undefined;
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code !== BACKSLASH) continue;
    at += 1;
    if (text[at] !== 'u') continue;
    const unit = escapedUnit(text, at - 1);
    if (unit === undefined || unit < 0xd800 || unit > 0xdfff) continue;
    const next = unit <= 0xdbff ? escapedUnit(text, at + 5) : undefined;
    if (next !== undefined && next >= 0xdc00 && next <= 0xdfff) at += 10;
    else loneSurrogate ??= at - 1;
  }
  return { end: at, loneSurrogate };
}

function escapedUnit(text: string, at: number): number | undefined {
  const escape = text.slice(at, at + 6);
  return /^\\u[0-9a-fA-F]{4}$/.test(escape) ? parseInt(escape.slice(2), 16) : undefined;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const isPart = (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;
    if (!isPart) break;
    end += 1;
  }
  return end;
}

function isUnsafeInteger(token: string): boolean {
  return /^-?[1-9]\d*$/.test(token) && !Number.isSafeInteger(Number(token));
}
