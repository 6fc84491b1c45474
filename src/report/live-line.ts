/** A line at the end of the output that is written anew again and again and gives way to whatever else is written. */
export interface LiveLine {
  /** Shows a text of one line, in place of the one shown before. */
  show(text: string): void;
  /** Takes the line away and the hands off the streams. */
  close(): void;
}

/** The part of a stream that is needed; `process.stdout` and `process.stderr` have it. */
export interface LineStream {
  write: NodeJS.WriteStream['write'];
}

/** Up one line, erase it. */
const erase = '\u001b[1A\u001b[2K';

/**
 * Opens a live line on a terminal. Writes of others to `target` erase it first. Writes to the `others`, whose order among themselves nobody knows when
 * they are buffered, leave it where it is: better a stale line than one of theirs erased.
 */
export function openLiveLine(target: LineStream, others: readonly LineStream[]): LiveLine {
  let shown = false;
  const write = target.write.bind(target);
  const undo = [
    intercept(target, () => {
      if (shown) write(erase);
      shown = false;
    }),
    ...others.map((stream) => intercept(stream, () => { shown = false; })),
  ];
  return {
    show(text) {
      write(`${shown ? erase : ''}${text}\n`);
      shown = true;
    },
    close() {
      if (shown) write(erase);
      shown = false;
      for (const restore of undo) restore();
    },
  };
}

/** Calls `before` ahead of every write; returns what undoes it, unless somebody replaced `write` after us. */
function intercept(stream: LineStream, before: () => void): () => void {
  const original = stream.write;
  // Both signatures of `write` are passed on as they came.
  const replacement = function (this: unknown, ...args: unknown[]): boolean {
    before();
    return Reflect.apply(original, stream, args) as boolean;
  } as LineStream['write'];
  stream.write = replacement;
  return () => {
    if (stream.write === replacement) stream.write = original;
  };
}
