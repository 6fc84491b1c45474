/** Sentences and labels in a judge's answers: JSON, or the marked forms of google-adk 2.13 as a fallback. */
import { findJson } from '../../judge/json-answer';
import { trimmed } from './spaces';

/** A sentence and what the judge says of it. */
export interface SentenceLabel {
  /** Number of the sentence, from 1; undefined in free text, which repeats the sentence. */
  readonly id?: number;
  readonly sentence?: string;
  readonly label: string;
  readonly rationale?: string | undefined;
  readonly supportingExcerpt: string | null;
  readonly contradictingExcerpt: string | null;
}

const positive: readonly string[] = ['supported', 'not_applicable'];
const negative: readonly string[] = ['unsupported', 'contradictory', 'disputed'];

/** The words a judge may answer with. */
export const labelWords: readonly string[] = [...positive, ...negative];

/** 1 for a label that is fine, 0 for one that is not, null for a word that is none. */
export function labelScore(label: string): number | null {
  const word = trimmed(label).toLowerCase();
  if (positive.includes(word)) return 1;
  return negative.includes(word) ? 0 : null;
}

/** Sentences that a judge marked: the list of a JSON answer, or what stands between `sentence` tags, as it is. */
export function parseSentences(text: string): readonly string[] {
  const listed = findJson(text, ({ sentences }) => (Array.isArray(sentences) && sentences.every((one) => typeof one === 'string') ? (sentences as readonly string[]) : undefined));
  return listed ?? taggedSentences(text);
}

/** Spans between `<sentence>` and `</sentence>`, the shortest ones, empty ones too. */
export function taggedSentences(text: string): readonly string[] {
  return [...text.matchAll(/<sentence>([\s\S]*?)<\/sentence>/g)].map(([, sentence = '']) => sentence);
}

/** Labels of a JSON answer by number; numbers that were not asked about and words that are no label are left out. Undefined without a list of labels. */
export function parseLabels(text: string, count: number): readonly SentenceLabel[] | undefined {
  return findJson(text, ({ labels }) => {
    if (!Array.isArray(labels)) return undefined;
    const found = new Map<number, SentenceLabel>();
    for (const entry of labels as unknown[]) {
      const { id, label, rationale, supporting_excerpt: supporting, contradicting_excerpt: contradicting } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
      const number = Number(id);
      const word = typeof label === 'string' ? label.trim().toLowerCase().replace(/[ -]/g, '_') : '';
      if (!Number.isInteger(number) || number < 1 || number > count || found.has(number) || !labelWords.includes(word)) continue;
      found.set(number, { id: number, label: word, rationale: textOrNull(rationale) ?? undefined, supportingExcerpt: textOrNull(supporting), contradictingExcerpt: textOrNull(contradicting) });
    }
    return found.size === 0 ? undefined : [...found.values()];
  });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && !/^null$/i.test(value.trim()) ? value : null;
}

/** Fields of a block, in their order; each directly followed by a colon. */
const block = /sentence:([\s\S]*?)\nlabel:([\s\S]*?)\nrationale:([\s\S]*?)\nsupporting_excerpt:([\s\S]*?)\ncontradicting_excerpt:([\s\S]*?)(?=\nsentence:|$)/giu;

/** Labels of an answer in blocks of five lines. A block that lacks a field swallows the next one. */
export function parseLabelBlocks(text: string): readonly SentenceLabel[] {
  return [...trimmed(text).matchAll(block)].map(([, sentence = '', label = '', rationale = '', supporting = '', contradicting = '']) => ({
    sentence: trimmed(sentence),
    label: trimmed(label),
    rationale: trimmed(rationale),
    supportingExcerpt: excerpt(supporting),
    contradictingExcerpt: excerpt(contradicting),
  }));
}

function excerpt(text: string): string | null {
  const words = trimmed(text);
  return words.toLowerCase() === 'null' ? null : words;
}
