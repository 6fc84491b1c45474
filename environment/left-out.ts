/**
 * JEST_ADK_ONLY over a whole run. A file or a test without the wanted cases is skipped, which is fine as long as another one has them;
 * the workers note what there was, so that the reporter can say so when none had.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Code of the refusal of an evaluation that has none of the wanted cases. */
const code = 'nothing_selected';

/** Whether a test has failed for nothing but that its evaluations have none of the wanted cases. Errors as Jest keeps them: alone, or with a place. */
export function onlyLeftOut(errors: readonly unknown[]): boolean {
  return errors.length > 0 && errors.map((one): unknown => (Array.isArray(one) ? one[0] : one)).every(isLeftOut);
}

function isLeftOut(error: unknown): boolean {
  const { problems } = (error ?? {}) as { readonly problems?: readonly { readonly code?: unknown }[] };
  return Array.isArray(problems) && problems.length > 0 && problems.every((problem) => problem.code === code);
}

/** Notes in the folder of the run which cases could have been wanted; never throws. */
export function noteCases(runFolder: string, evalIds: readonly string[], workerId: string = process.env['JEST_WORKER_ID'] ?? '1'): void {
  try {
    appendFileSync(join(runFolder, `cases-${workerId}.ndjson`), `${JSON.stringify(evalIds)}\n`);
  } catch {
    // The line at the end of the run then names no ids.
  }
}

/** Ids of all cases that were noted, each once, in no particular order. */
function notedCases(runFolder: string): string[] {
  try {
    const lines = readdirSync(runFolder).filter((name) => /^cases-.*\.ndjson$/.test(name)).flatMap((name) => readFileSync(join(runFolder, name), 'utf8').split('\n'));
    return [...new Set(lines.filter((line) => line !== '').flatMap((line) => JSON.parse(line) as string[]))];
  } catch {
    return [];
  }
}

/**
 * Why a run that JEST_ADK_ONLY narrows has evaluated nothing.
 *
 * @param wanted  the ids asked for
 */
export function nothingEvaluated(wanted: readonly string[], asked: string, runFolder: string): string {
  const { didYouMean } = require('../src/support/nearest') as typeof import('../src/support/nearest');
  const known = notedCases(runFolder);
  const said = `no case was evaluated; JEST_ADK_ONLY asks for ${JSON.stringify(asked)} alone.`;
  if (known.length === 0) return `${said} No test of this run looked at an eval set.`;
  if (known.some((id) => wanted.includes(id))) return `${said} It is in an eval set of this run, but its test was not run.`;
  const hints = wanted.flatMap((id) => didYouMean(id, known) ?? []);
  const shown = known.slice(0, 20).map((id) => JSON.stringify(id)).join(', ');
  return [said, ...new Set(hints), `Cases of this run: ${shown}${known.length > 20 ? `, … (${known.length})` : ''}.`].join(' ');
}
