import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

type Reporters = readonly (string | readonly [string, ...unknown[]])[] | undefined;

/** True when our reporter is among those of the run. */
export function hasReporter(reporters: Reporters): boolean {
  return (reporters ?? []).some((one) => /[/\\](jest-adk[/\\]reporter|environment[/\\]reporter(\.js)?)$/.test(`/${typeof one === 'string' ? one : one[0]}`));
}

/** Says once per run, over all its workers, that results are not summed up because the reporter is missing. */
export function remindOfReporter(reporters: Reporters, runFolder: string): void {
  if (hasReporter(reporters)) return;
  try {
    closeSync(openSync(join(runFolder, 'reminded'), 'wx'));
  } catch {
    // Another worker, or an earlier file of this one, has said it.
    return;
  }
  process.stderr.write('jest-adk: this run has evaluations but no summary of them: add "jest-adk/reporter" to `reporters` at the root of Jest\'s config.\n');
}
