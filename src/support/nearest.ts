/** Lower case, separators dropped: `evalCases`, `eval-cases` and `eval_cases` are the same word to a reader. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Edits between two folded names; a name that merely continues the other, or has its letters in another order, is one edit away. */
function distance(a: string, b: string): number {
  if (a.length === b.length && [...a].sort().join('') === [...b].sort().join('')) return 1;
  if (a.length >= 4 && b.length >= 4 && (a.startsWith(b) || b.startsWith(a))) return Math.min(1, Math.abs(a.length - b.length));
  // Loaded here: most runs have nothing to suggest.
  const { distance: levenshtein } = require('fastest-levenshtein') as typeof import('fastest-levenshtein');
  return levenshtein(a, b);
}

/**
 * The known name closest to `name`, if one is close enough to be what was meant: about one edit per three letters,
 * case and separators ignored. Among equals the first wins.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const folded = fold(name);
  let best: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    const other = fold(candidate);
    const edits = folded === other ? 0 : distance(folded, other);
    const length = Math.max(folded.length, other.length);
    if (edits < length && edits <= Math.max(1, Math.floor(length / 3)) && edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** The sentence `Did you mean "x"?` for a `Problem.hint`; undefined when nothing known is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const best = nearest(name, known);
  return best === undefined ? undefined : `Did you mean ${JSON.stringify(best)}?`;
}
