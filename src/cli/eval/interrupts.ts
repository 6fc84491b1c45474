/** The first Ctrl-C or SIGTERM ends a run in order; the second ends the process. */

/** What was asked for from outside. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** 130 after Ctrl-C, 143 after SIGTERM; undefined when nobody interrupted. */
  exitCode(): 130 | 143 | undefined;
  /** Ends the run without an interrupt: nothing new is started. */
  stop(): void;
  /** Signals are left alone again. */
  close(): void;
}

const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens to the signals of the process. `say` is told about the first; `exit` ends the process at the second. */
export function listenForInterrupts(say: (text: string) => void, exit: (code: number) => never): Interrupts {
  const controller = new AbortController();
  let code: 130 | 143 | undefined;
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const listener = (): void => {
      if (code !== undefined) exit(codes[name]);
      code = codes[name];
      say(`${name}: nothing new is started; finished cases are saved and sessions deleted. Once more ends at once.`);
      controller.abort(new Error(`interrupted by ${name}`));
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    exitCode: () => code,
    stop: () => controller.abort(new Error('a case did not pass, and nothing more was to be started then (--fail-fast)')),
    close: () => {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}
