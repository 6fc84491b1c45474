/** Reads one-word verdicts in free text, for judges that do not answer with JSON. The forms are those of google-adk 2.13's parsers. */

import { spaces, trimmed } from './spaces';

/** A verdict; undefined where the text has none. */
export type Validity = 'valid' | 'invalid';

interface Words {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const matchWords: Words = { valid: ['valid', 'true'], invalid: ['invalid', 'almost', 'false', 'partially_valid', 'partially'] };
const turnWords: Words = { valid: ['true', 'valid'], invalid: ['false', 'invalid', 'almost', 'partially_valid', 'partially valid', 'partially'] };

/**
 * The verdict of `final_response_match_v2` in a text: the first readable value of the key `is_the_agent_response_valid`, else that of
 * `is_the_agent_response_invalid`, of which anything but true or invalid means valid.
 *
 * @param anyCase  words in any case count, too
 */
export function parseResponseValidity(text: string, anyCase: boolean): Validity | undefined {
  const fold = (word: string): string => (anyCase ? word.toLowerCase() : word);
  const value = firstValue(text, 'is_the_agent_response_valid');
  if (value !== undefined) return readWord(fold(value), matchWords);
  const opposite = firstValue(text, 'is_the_agent_response_invalid');
  if (opposite === undefined) return undefined;
  return ['true', 'invalid'].includes(fold(opposite)) ? 'invalid' : 'valid';
}

const some = `[${spaces}]*`;

/** After the key: brackets, quotes, the value, and a comma, a line break or a brace behind it. */
function firstValue(text: string, key: string): string | undefined {
  const pattern = new RegExp(`"${key}":${some}\\[*${some}"*([^"^\\]${spaces}]*)"*${some}\\]*${some}[,\\n}]`);
  const value = pattern.exec(text)?.[1];
  return value?.replace(/[,}]+$/, '');
}

const turnValue = new RegExp(`"is_valid":${some}\\[*${some}"*([^"\\]]*)"*${some}\\]*${some}[,\\n}]`);

/** The verdict of `per_turn_user_simulator_quality_v1` in a text: the value of the key `is_valid`, up to the first comma, line break or brace, in any case. */
export function parseTurnValidity(text: string): Validity | undefined {
  const value = turnValue.exec(text)?.[1];
  if (value === undefined) return undefined;
  const whole = readWord(clean(value), turnWords);
  // A value without quotes runs on into what follows.
  return whole ?? readWord(clean(value.split(/[,\n}]/, 1)[0] ?? ''), turnWords);
}

const edges = new RegExp(`^[}${spaces}]+|[}${spaces}]+$`, 'g');

function clean(value: string): string {
  return trimmed(value.replace(edges, '').replaceAll(',', '')).toLowerCase();
}

function readWord(word: string, { valid, invalid }: Words): Validity | undefined {
  if (valid.includes(word)) return 'valid';
  return invalid.includes(word) ? 'invalid' : undefined;
}
