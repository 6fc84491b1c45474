import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { readEventLines } from './event-file';
import type { RunFold } from './fold';

/** Follows the events files of a run's folder while processes append to them. */
export interface EventTail {
  /** Folds what was appended since the last call. With `atEnd`, a last line without its line break counts too. */
  read(atEnd?: boolean): void;
  /** Lines so far that were no events. */
  readonly damaged: number;
}

/** Follows every `events-*.ndjson` of a folder, which need not be there yet, into a fold. */
export function followEvents(folder: string, fold: RunFold): EventTail {
  const files = new Map<string, FileTail>();
  return {
    read(atEnd = false) {
      for (const name of eventFiles(folder)) {
        const tail = files.get(name) ?? new FileTail(join(folder, name));
        files.set(name, tail);
        for (const event of tail.read(atEnd)) fold.add(name, event);
      }
    },
    get damaged() {
      return [...files.values()].reduce((sum, tail) => sum + tail.damaged, 0);
    },
  };
}

function eventFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^events-.*\.ndjson$/.test(name)).sort();
  } catch {
    return []; // nothing was evaluated (yet)
  }
}

class FileTail {
  damaged = 0;
  private offset = 0;
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');

  constructor(private readonly path: string) {}

  read(atEnd: boolean) {
    const text = this.rest + this.appended();
    const end = atEnd ? text.length : text.lastIndexOf('\n') + 1;
    this.rest = text.slice(end);
    const { events, damaged } = readEventLines(text.slice(0, end));
    this.damaged += damaged;
    return events;
  }

  private appended(): string {
    const descriptor = openSync(this.path, 'r');
    try {
      const chunk = Buffer.allocUnsafe(1 << 20);
      let text = '';
      for (let size = 0; (size = readSync(descriptor, chunk, 0, chunk.length, this.offset)) > 0; this.offset += size) text += this.decoder.write(chunk.subarray(0, size));
      return text;
    } finally {
      closeSync(descriptor);
    }
  }
}
