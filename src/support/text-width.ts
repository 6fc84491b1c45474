/**
 * Widths as a terminal shows them: East Asian wide characters and most emoji take two columns, combining marks and
 * escape sequences none. `string-width` does the measuring and is loaded on first use.
 */

type Measure = (text: string) => number;
let measure: Measure | undefined;

/** Columns that a text without line breaks takes. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  measure ??= require('string-width') as Measure;
  return measure(text);
}

/** Fills up with blanks to `width` columns; longer texts are left as they are. */
export function padEndTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Like `padEndTo`, with the blanks in front: for figures. */
export function padStartTo(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Cuts to at most `width` columns, never inside a character; what was cut is shown by `…`. The text must be free of escape sequences. */
export function truncateTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** Breaks at blanks into lines of at most `width` columns; a word that is wider stands alone, uncut. Line breaks in the text are kept. */
export function wrapTo(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split(/\r?\n/)) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && displayWidth(longer) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}

/** Makes control characters visible, so that text from a file or a model cannot steer the terminal. Line breaks and tabs become blanks. */
export function printable(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
