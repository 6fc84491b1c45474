/** A place in a text for people: both count from 1, columns in UTF-16 units as editors count them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset. Lines end with LF, CR LF or a lone CR. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  const ends = /\r\n|\n|\r/g;
  for (let match = ends.exec(text); match !== null && match.index + match[0].length <= offset; match = ends.exec(text)) {
    line += 1;
    lineStart = match.index + match[0].length;
  }
  return { line, column: offset - lineStart + 1 };
}
