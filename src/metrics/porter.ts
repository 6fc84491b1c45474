/**
 * Porter stemmer in the variant that NLTK calls its extensions, which the reference's ROUGE uses. Source: M. F. Porter 1980 and the
 * deviations listed in docs/metrics.md. Words are lower-case ASCII letters and digits; digits count as consonants.
 */

type Condition = (stem: string) => boolean;
type Rule = readonly [suffix: string, replacement: string, condition?: Condition];

const fixedForms: ReadonlyMap<string, string> = new Map([
  ['skies', 'sky'], ['sky', 'sky'], ['dying', 'die'], ['lying', 'lie'], ['tying', 'tie'], ['news', 'news'],
  ['inning', 'inning'], ['innings', 'inning'], ['outing', 'outing'], ['outings', 'outing'], ['canning', 'canning'], ['cannings', 'canning'],
  ['howe', 'howe'], ['proceed', 'proceed'], ['exceed', 'exceed'], ['succeed', 'succeed'],
]);

/** `y` is a consonant at the start and after a vowel. */
function isConsonant(word: string, index: number): boolean {
  const letter = word.charAt(index);
  if ('aeiou'.includes(letter)) return false;
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1);
}

/** Porter's m: how often a vowel is followed by a consonant. */
function measure(stem: string): number {
  let count = 0;
  let afterVowel = false;
  for (let i = 0; i < stem.length; i += 1) {
    const consonant = isConsonant(stem, i);
    if (consonant && afterVowel) count += 1;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i += 1) if (!isConsonant(stem, i)) return true;
  return false;
}

function endsInDoubleConsonant(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);
}

/** Porter's *o, which here also holds for two letters, vowel and consonant. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (word.length === 2) return !isConsonant(word, 0) && isConsonant(word, 1);
  return word.length >= 3 && isConsonant(word, last - 2) && !isConsonant(word, last - 1) && isConsonant(word, last) && !'wxy'.includes(word.charAt(last));
}

/** The first suffix that the word ends in decides, also when its condition then fails. */
function applyFirst(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const stem = word.slice(0, word.length - rule[0].length);
  return rule[2] === undefined || rule[2](stem) ? stem + rule[1] : word;
}

const positive: Condition = (stem) => measure(stem) > 0;
const long: Condition = (stem) => measure(stem) > 1;

const pluralRules: readonly Rule[] = [['sses', 'ss'], ['ies', 'i'], ['ss', 'ss'], ['s', '']];

function plural(word: string): string {
  return word.length === 4 && word.endsWith('ies') ? word.slice(0, -1) : applyFirst(word, pluralRules);
}

function pastAndGerund(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith('eed')) return positive(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const suffix = ['ed', 'ing'].find((ending) => word.endsWith(ending) && hasVowel(word.slice(0, -ending.length)));
  return suffix === undefined ? word : repair(word.slice(0, -suffix.length));
}

function repair(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDoubleConsonant(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function finalY(word: string): string {
  return applyFirst(word, [['y', 'i', (stem) => stem.length > 1 && isConsonant(stem, stem.length - 1)]]);
}

const doubleSuffixRules: readonly Rule[] = [
  ['ational', 'ate', positive], ['tional', 'tion', positive], ['enci', 'ence', positive], ['anci', 'ance', positive], ['izer', 'ize', positive],
  ['bli', 'ble', positive], ['alli', 'al', positive], ['entli', 'ent', positive], ['eli', 'e', positive], ['ousli', 'ous', positive],
  ['ization', 'ize', positive], ['ation', 'ate', positive], ['ator', 'ate', positive], ['alism', 'al', positive], ['iveness', 'ive', positive],
  ['fulness', 'ful', positive], ['ousness', 'ous', positive], ['aliti', 'al', positive], ['iviti', 'ive', positive], ['biliti', 'ble', positive],
  // m is measured with the l of `logi`.
  ['fulli', 'ful', positive], ['logi', 'log', (stem) => positive(`${stem}l`)],
];

function doubleSuffix(word: string): string {
  if (word.endsWith('alli') && positive(word.slice(0, -4))) return doubleSuffix(word.slice(0, -2));
  return applyFirst(word, doubleSuffixRules);
}

const adjectiveRules: readonly Rule[] = [
  ['icate', 'ic', positive], ['ative', '', positive], ['alize', 'al', positive], ['iciti', 'ic', positive], ['ical', 'ic', positive],
  ['ful', '', positive], ['ness', '', positive],
];

const endingRules: readonly Rule[] = [
  ['al', '', long], ['ance', '', long], ['ence', '', long], ['er', '', long], ['ic', '', long], ['able', '', long], ['ible', '', long],
  ['ant', '', long], ['ement', '', long], ['ment', '', long], ['ent', '', long], ['ion', '', (stem) => long(stem) && /[st]$/.test(stem)],
  ['ou', '', long], ['ism', '', long], ['ate', '', long], ['iti', '', long], ['ous', '', long], ['ive', '', long], ['ize', '', long],
];

function finalE(word: string): string {
  return applyFirst(word, [['e', '', (stem) => long(stem) || (measure(stem) === 1 && !endsShort(stem))]]);
}

function finalL(word: string): string {
  return applyFirst(word, [['ll', 'l', (stem) => long(`${stem}l`)]]);
}

/** Stem of a lower-case ASCII word; words of one or two letters come back as they are. */
export function stem(word: string): string {
  const fixed = fixedForms.get(word);
  if (fixed !== undefined) return fixed;
  if (word.length <= 2) return word;
  const suffixesLeft = doubleSuffix(finalY(pastAndGerund(plural(word))));
  return finalL(finalE(applyFirst(applyFirst(suffixesLeft, adjectiveRules), endingRules)));
}
