import { join, sep } from 'node:path';

/** Folder of this package's compiled code. */
const ownCode = join(__dirname, '..') + sep;

/** Errors that we make: their stacks lead through our code, which is of no interest to whoever reads them. */
const ourNames = new Set(['Error', 'JestAdkError', 'AgentEvaluationError']);

/** Marks an error that points somewhere already; its copy in another realm bears the mark too. */
const placed = Symbol('placed');

/** Lets an error point at a place that is no call, such as an eval case in its file. */
export function atPlace(error: Error, stack: string): Error {
  error.stack = stack;
  return Object.defineProperty(error, placed, { value: true });
}

/** Frames of an error below those of this package, of `expect` and of Node. */
function framesOf({ stack = '' }: Error): readonly string[] {
  const isOurs = (line: string): boolean => line.includes(ownCode) || /[\\/](node_modules|packages)[\\/]expect[\\/]|node:internal/.test(line);
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !isOurs(line));
}

/**
 * Lets an error point at the call of the test that it belongs to, so that Jest shows that line: an asynchronous call has no frame of the
 * test in its stack.
 *
 * @param thrown    returned as it is when it is no error
 * @param callSite  an error made when the call was
 */
export function atCallSite(thrown: unknown, callSite: Error): unknown {
  const frames = framesOf(callSite);
  if (frames.length === 0 || typeof thrown !== 'object' || thrown === null || typeof (thrown as Partial<Error>).stack !== 'string') return thrown;
  const error = thrown as Error;
  if (placed in error) return error;
  const head = ourNames.has(error.name) ? `${error.name}: ${error.message}` : error.stack;
  Object.defineProperty(error, 'stack', { value: `${head}\n${frames.join('\n')}`, configurable: true, writable: true });
  return error;
}
