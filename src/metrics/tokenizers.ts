import { stem } from './porter';

/** How a response is cut into tokens. `rouge` is the reference's own and the default. */
export type TokenizerName = 'rouge' | 'unicode' | 'characters' | 'whitespace';

/** Every tokenizer name, in the order in which messages list them. */
export const tokenizerNames: readonly TokenizerName[] = ['rouge', 'unicode', 'characters', 'whitespace'];

/**
 * Cuts a text into comparable tokens. All tokenizers fold compatibility forms (NFKC) and case first.
 *
 * - `rouge`: letters, digits and marks; CJK per character, Thai, Lao, Khmer and Burmese per cluster; ASCII words are stemmed
 * - `unicode`: words as `Intl.Segmenter` finds them, for languages written without spaces
 * - `characters`: one token for each letter, digit or cluster
 * - `whitespace`: whatever stands between blanks, punctuation included
 *
 * @param text  any text
 * @param tokenizer  how it is cut
 * @param locale  BCP 47 tag for `unicode` and `characters`; the segmenter finds the script by itself without one
 */
export function tokenize(text: string, tokenizer: TokenizerName = 'rouge', locale = 'und'): string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  switch (tokenizer) {
    case 'rouge':
      return rougeTokens(folded);
    case 'unicode':
      return segments(folded, locale, 'word').filter((item) => item.isWordLike === true).map((item) => item.segment);
    case 'characters':
      return segments(folded, locale, 'grapheme').map((item) => item.segment).filter((segment) => /[\p{L}\p{N}\p{M}]/u.test(segment));
    case 'whitespace':
      return split(folded);
  }
}

function segments(text: string, locale: string, granularity: 'word' | 'grapheme'): Intl.SegmentData[] {
  return [...new Intl.Segmenter(locale, { granularity }).segment(text)];
}

const kept = /[\p{L}\p{N}\p{M}]/u;
const mark = /\p{M}/u;
// Each member is a token, whatever its category: ideographs, kana with their marks, Hangul syllables.
const alone = /[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]/u;
// A base character begins a token and leaves it open for its marks: Thai, Lao, Khmer, Burmese.
const clustered = /[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]/u;

function rougeTokens(folded: string): string[] {
  let spaced = '';
  for (const character of folded) {
    if (alone.test(character)) spaced += ` ${character} `;
    else if (clustered.test(character)) spaced += mark.test(character) ? character : ` ${character}`;
    else spaced += kept.test(character) ? character : ' ';
  }
  return split(spaced).map((token) => (token.length > 3 && /^[\x00-\x7f]+$/.test(token) ? stem(token) : token));
}

function split(text: string): string[] {
  return text.split(/\s+/u).filter((token) => token !== '');
}
