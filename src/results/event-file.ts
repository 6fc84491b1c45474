import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { redactKnown } from '../support/secrets';
import { parseEventLine, writeEventLine, type StoredEvent } from './event-line';
import type { EvaluationEvent } from './model';

/** Appends events to a file, one JSON line each. */
export interface EventWriter {
  /** Writes one event; throws what the file system throws. */
  write(event: EvaluationEvent): void;
  close(): void;
}

/**
 * Opens an events file for appending, creating it (mode 0600) when missing; its folder must exist.
 * Every event is one write of one whole line, so that writers in several processes never mix within a line.
 */
export function openEventWriter(file: string): EventWriter {
  const descriptor = openSync(file, 'a', 0o600);
  let open = true;
  return {
    write(event) {
      if (!open) return;
      const line = Buffer.from(`${redactKnown(writeEventLine(event))}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written);
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/** What an events file holds. `damaged` counts lines that are no event, such as the last line of a process that was killed. */
export interface EventFileContent {
  readonly events: readonly StoredEvent[];
  readonly damaged: number;
}

/** Reads a whole events file, in order. */
export function readEventFile(file: string): EventFileContent {
  return readEventLines(readFileSync(file, 'utf8'));
}

/** Reads the text of an events file, or a piece of it that ends with a line break. */
export function readEventLines(text: string): EventFileContent {
  const events: StoredEvent[] = [];
  let damaged = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const event = parseEventLine(line);
    if (event === undefined) damaged += 1;
    else events.push(event);
  }
  return { events, damaged };
}
