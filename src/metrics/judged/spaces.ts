/** White space as google-adk's parsers know it, which are written in Python: U+001C to U+001F and U+0085 are spaces there, U+FEFF is none. */

/** Inside a character class of a regular expression. */
export const spaces = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const ends = new RegExp(`^[${spaces}]+|[${spaces}]+$`, 'g');

/** A text without spaces at its ends. */
export function trimmed(text: string): string {
  return text.replace(ends, '');
}
