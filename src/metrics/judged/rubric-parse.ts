/** Verdicts on rubrics in a judge's answer: JSON by id, or the line form of google-adk 2.13 as a fallback. */
import type { Rubric } from '../../evalset/types';
import { findJson } from '../../judge/json-answer';
import { spaces, trimmed } from './spaces';

/** What one sample says of one rubric. */
export interface RubricVerdict {
  readonly rubricId: string;
  /** 1, 0, or null when the judge took no side. */
  readonly score: number | null;
  readonly rationale?: string | undefined;
  /** As the judge put it. */
  readonly verdict?: string;
}

/** Verdicts that a judge is asked for. One that does not apply counts as fulfilled. */
const verdictScores: Readonly<Record<string, number | null>> = { yes: 1, no: 0, not_applicable: 1, cannot_tell: null };

/** The words a judge may answer with. */
export const verdictWords: readonly string[] = Object.keys(verdictScores);

/** Verdicts of a JSON answer. Ids that were not asked about are left out; of several verdicts on one id the first counts. Undefined without any list of verdicts. */
export function parseVerdicts(text: string, rubrics: readonly Rubric[]): readonly RubricVerdict[] | undefined {
  return findJson(text, ({ verdicts }) => {
    if (!Array.isArray(verdicts)) return undefined;
    const found = new Map<string, RubricVerdict>();
    for (const entry of verdicts as unknown[]) {
      const { id, verdict, rationale } = (typeof entry === 'object' && entry !== null ? entry : {}) as { readonly id?: unknown; readonly verdict?: unknown; readonly rationale?: unknown };
      const rubricId = typeof id === 'number' ? String(id) : id;
      const word = typeof verdict === 'boolean' ? (verdict ? 'yes' : 'no') : typeof verdict === 'string' ? verdict.trim().toLowerCase().replace(/[ -]/g, '_') : '';
      if (typeof rubricId !== 'string' || found.has(rubricId) || !rubrics.some((rubric) => rubric.rubricId === rubricId) || !Object.hasOwn(verdictScores, word)) continue;
      found.set(rubricId, { rubricId, score: verdictScores[word] ?? null, verdict: word, ...(typeof rationale === 'string' ? { rationale } : {}) });
    }
    return found.size === 0 ? undefined : [...found.values()];
  });
}

/** Line breaks here are U+000A alone, as in the reference. */
const propertyLine = new RegExp(`(?<=^|\\n)[${spaces}]*Property: ([^\\n]*)`, 'g');
const idLine = new RegExp(`(?<=^|\\n)[${spaces}]*ID: ([^\\n]*)`, 'g');

/**
 * Verdicts of an answer in lines: `ID: `, `Property: `, `Rationale: `, `Verdict: ` for each rubric. The whole answer counts for nothing when the counts differ.
 * A verdict belongs to the rubric with its id, else to the one with its text.
 *
 * @returns one entry per verdict that belongs to a rubric, in the order of the answer; undefined when the answer cannot be read
 */
export function parseVerdictLines(text: string, rubrics: readonly Rubric[]): readonly RubricVerdict[] | undefined {
  const properties = [...text.matchAll(propertyLine)];
  const rationales = [...text.matchAll(/Rationale: ([^\n]*)/g)].map(([, value = '']) => trimmed(value));
  const verdicts = [...text.matchAll(/Verdict: ([^\n]*)/g)].map(([, value = '']) => trimmed(value));
  if (properties.length === 0 || properties.length !== rationales.length || properties.length !== verdicts.length) return undefined;
  const ids = [...text.matchAll(idLine)];
  return properties.flatMap((property, index): readonly RubricVerdict[] => {
    const from = index === 0 ? 0 : (properties[index - 1]?.index ?? 0);
    const id = ids.filter((one) => one.index >= from && one.index < property.index).at(-1)?.[1];
    const rubric = rubricFor(trimmed(id ?? ''), trimmed(property[1] ?? ''), rubrics);
    const verdict = verdicts[index] ?? '';
    return rubric === undefined ? [] : [{ rubricId: rubric.rubricId, score: scoreOf(verdict), rationale: rationales[index] ?? '', verdict }];
  });
}

function scoreOf(verdict: string): number | null {
  const word = verdict.toLowerCase();
  if (word.includes('yes')) return 1;
  return word.includes('no') ? 0 : null;
}

function rubricFor(id: string, text: string, rubrics: readonly Rubric[]): Rubric | undefined {
  const exact = id === '' ? undefined : rubrics.find(({ rubricId }) => rubricId === id);
  if (exact !== undefined) return exact;
  const wanted = normalised(text);
  return rubrics.findLast(({ rubricContent }) => normalised(rubricContent.textProperty ?? '') === wanted);
}

const spaceRun = new RegExp(`[${spaces}]+`, 'g');

/** Texts are compared without typographic quotes and dashes, decoration and case. */
function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/[\u2013\u2014]/g, '-')
    .replace(spaceRun, ' ')
    .replace(/^[ *_`#>\-•'"]+|[ *_`#>\-•'"]+$/g, '')
    .toLowerCase();
}
