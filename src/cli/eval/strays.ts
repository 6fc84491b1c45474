/**
 * What an agent that runs in this process may do beside answering: end the process, throw where nobody catches, write to stdout.
 * None of it may turn a run green, take other cases with it, or get into the report.
 */
import { toErrorInfo } from '../../support/errors';

/** The watch over one run. */
export interface Strays {
  /** Errors that nobody caught. */
  readonly count: number;
  /** Ends the process, which nobody else may now. */
  readonly exit: (code: number) => never;
  close(): void;
}

/**
 * From now on `process.exit` throws, errors that nobody catches are told, and what is written to stdout goes to stderr.
 *
 * @param say  is told each error that nobody caught, once
 */
export function watchStrays(say: (text: string) => void): Strays {
  const { stdout, stderr } = process;
  const exit = process.exit.bind(process);
  const write = stdout.write;
  const told = new Set<string>();
  let count = 0;
  const onError = (thrown: unknown): void => {
    count += 1;
    const text = `An error that nobody caught, and that belongs to no case: ${toErrorInfo(thrown).message}${placeOf(thrown)}`;
    if (!told.has(text)) say(text);
    told.add(text);
  };
  process.exit = (code) => {
    throw new Error(`process.exit(${code ?? ''}) was called during the evaluation.`);
  };
  stdout.write = stderr.write.bind(stderr);
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  return {
    get count() {
      return count;
    },
    exit,
    close() {
      process.exit = exit;
      stdout.write = write;
      process.off('uncaughtException', onError);
      process.off('unhandledRejection', onError);
    },
  };
}

/** The first place of an error's stack that is code of the user's. */
function placeOf(thrown: unknown): string {
  const { stack } = (thrown ?? {}) as { readonly stack?: unknown };
  const frame = typeof stack === 'string' ? stack.split('\n').find((line) => /^\s+at /.test(line) && !/\(?node:|[/\\]node_modules[/\\]/.test(line)) : undefined;
  const place = frame === undefined ? undefined : /\(?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?$/.exec(frame)?.[1];
  return place === undefined ? '' : ` (${place})`;
}
