import { createHash } from 'node:crypto';
import { JestAdkError, type Problem } from './errors';
import { pythonFloat } from './numbers';
import type { Profile } from './profile';

/** May the value name a folder or be part of a file name on every platform's terms (formats of google-adk, app names and ids)? */
export function isSafeSegment(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && !/[\0/\\]/.test(value) && !/^[A-Za-z]:/.test(value);
}

/** What is wrong with an app name, set id or result id that is used in a path; undefined when nothing is. `what` names it: "eval set id". */
function pathSegmentProblem(value: string, what: string): Problem | undefined {
  if (isSafeSegment(value)) return undefined;
  const seen = JSON.stringify(value);
  return {
    code: 'unsafe_id',
    message: value === '' ? `The ${what} is empty.` : `The ${what} ${seen} cannot be used as a file name.`,
    hint: 'It must not be empty, "." or "..", contain "/", "\\" or NUL, or start with a drive such as "C:".',
  };
}

/**
 * Refuses an app name, set id or result id that would leave its folder or name a drive.
 *
 * @throws {JestAdkError} `unsafe_id`
 */
export function checkPathSegment(value: string, what: string): void {
  const problem = pathSegmentProblem(value, what);
  if (problem !== undefined) throw new JestAdkError(problem.code, [problem]);
}

/**
 * Checks the id of an eval set that is about to be created. google-adk allows ASCII letters, digits and `_` only; we allow
 * whatever can be read back.
 *
 * @throws {JestAdkError} `unsafe_id`
 */
export function checkNewEvalSetId(id: string, profile: Profile): void {
  if (profile.name !== 'google-adk') return checkPathSegment(id, 'eval set id');
  if (/^[a-zA-Z0-9_]+$/.test(id)) return;
  const message = `The eval set id ${JSON.stringify(id)} cannot be created.`;
  throw new JestAdkError('unsafe_id', [{ code: 'unsafe_id', message, hint: 'Use ASCII letters, digits and "_" only.' }]);
}

/** Names that Windows keeps for devices, with or without an extension. */
const reservedOnWindows = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?= *(\.|$))/i;

/**
 * A file name made of any text, safe on Linux, macOS and Windows: no separators, no characters that a platform forbids, no
 * reserved names, no blanks or dots at the end. A name longer than `maxBytes` UTF-8 bytes is cut and ends in a hash of the whole.
 */
export function safeFileName(text: string, maxBytes = 180): string {
  let name = text.replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\p{Cs}]/gu, '_');
  name = name.replace(/[. ]+$/u, (end) => '_'.repeat(end.length)).replace(/^ +/, (start) => '_'.repeat(start.length));
  if (name === '' || reservedOnWindows.test(name)) name = `_${name}`;
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  let kept = '';
  let bytes = hash.length + 1;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return `${kept}-${hash}`;
}

/** Id, name and file name that google-adk gives a result saved at `seconds` since the epoch. */
export function adkResultName(appName: string, evalSetId: string, seconds: number): { readonly id: string; readonly name: string; readonly file: string } {
  const id = `${appName}_${evalSetId}_${pythonFloat(seconds)}`;
  const name = id.replaceAll('/', '_');
  return { id, name, file: `${name}.evalset_result.json` };
}
