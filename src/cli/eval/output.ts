/** Where the report goes, and in which form. */
import { resolve } from 'node:path';
import { writeEventLine } from '../../results/event-line';
import { schemaVersion, type EvaluationEvent, type EvaluationResult, type RunResult } from '../../results/model';
import { publishFile } from '../../support/files';
import { stringifyJson } from '../../support/json';
import { redactKnown } from '../../support/secrets';
import type { CliIo } from '../types';
import { resultLines, type Printing } from './print';
import type { Settings } from './settings';

/** The report of one run, while it is made. */
export interface Output {
  /** Hears every event. */
  listener(event: EvaluationEvent): void;
  /** Writes what is left to write. @throws what the file system throws, for `--output` */
  finish(result: EvaluationResult, times: { readonly startedAt: number; readonly durationMs: number }): void;
}

/**
 * The report on stdout, or in the file of `--output`, which appears whole when the run has ended; stdout then gets the short form for people.
 */
export function openOutput(settings: Settings, io: CliIo, printing: Printing): Output {
  const format = settings.get<'pretty' | 'json' | 'ndjson'>('outputFormat');
  const file = settings.get<string>('output');
  const events: string[] = [];
  const pretty = (result: EvaluationResult, colors: boolean): string => resultLines(result, colors ? printing : { ...printing, colors: plainColors }).map((line) => `${line}\n`).join('');
  return {
    listener(event) {
      if (format !== 'ndjson') return;
      const line = `${writeEventLine(event)}\n`;
      if (file === undefined) io.stdout.write(line);
      else events.push(line);
    },
    finish(result, { startedAt, durationMs }) {
      const run: RunResult = { schemaVersion, runId: runId(startedAt), evaluations: [{ result, startedAt, durationMs }] };
      const report = format === 'json' ? `${stringifyJson(run)}\n` : format === 'ndjson' ? events : pretty(result, file === undefined);
      if (file !== undefined) publishFile(resolve(io.cwd, file), (typeof report === 'string' ? [report] : report).map(redactKnown), { overwrite: true });
      if (file !== undefined) io.stdout.write(pretty(result, true));
      else if (typeof report === 'string') io.stdout.write(report);
    },
  };
}

const plain = (text: string): string => text;
/** No colours. */
export const plainColors = { red: plain, yellow: plain, green: plain, dim: plain };

function runId(startedAt: number): string {
  return `${new Date(startedAt).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)}-${process.pid}`;
}
