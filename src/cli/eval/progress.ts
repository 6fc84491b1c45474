import { openLiveLine } from '../../report/live-line';
import { durationText } from '../../report/totals';
import { createRunFold, type RunProgress } from '../../results/fold';
import type { EvaluationListener } from '../../results/model';
import { truncateTo } from '../../support/text-width';
import type { CliIo } from '../types';

/** Progress of a run on stderr. */
export interface Progress {
  readonly listener: EvaluationListener;
  /** Takes the live line away. */
  close(): void;
}

/** Where no terminal shows a live line, a line at most this often. */
const sparseMs = 10_000;

/** Shows how far a run is: a live line on a terminal, else a line now and then. */
export function showProgress({ stdout, stderr }: CliIo): Progress {
  const fold = createRunFold('');
  const begun = Date.now();
  const terminal = stderr.isTTY === true;
  const line = terminal ? openLiveLine(stderr as NodeJS.WriteStream, stdout.isTTY === true ? [stdout as NodeJS.WriteStream] : []) : undefined;
  let last = begun;
  return {
    listener(event) {
      fold.add('', event);
      if (event.type === 'run_ended') return;
      const text = (): string => progressLine(fold.progress(), Date.now() - begun);
      if (line !== undefined) line.show(truncateTo(text(), (stderr.columns ?? 80) - 1));
      else if (event.type === 'trial_ended' && event.at - last >= sparseMs) {
        last = event.at;
        stderr.write(`${text()}\n`);
      }
    },
    close: () => line?.close(),
  };
}

/** `12 of 40 trials, 1 case failed, 0 errors, 4 running, about 12.0 s left`. */
function progressLine({ trials, trialsEnded, failed, errors, running }: RunProgress, elapsedMs: number): string {
  const left = trialsEnded === 0 ? '' : `, about ${durationText((elapsedMs / trialsEnded) * (trials - trialsEnded))} left`;
  return `${trialsEnded} of ${trials} trials, ${failed} failed, ${errors} errors, ${running.length} running${left}`;
}
