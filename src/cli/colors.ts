import type { MessageColors } from '../report/failure-text';
import type { CliIo, CliStream } from './types';

/**
 * Colours for a stream: as asked for, else by NO_COLOR and FORCE_COLOR, else if it is a terminal that has them.
 *
 * @returns undefined for none
 */
export function terminalColors({ env }: CliIo, stream: CliStream, wanted: boolean | undefined): MessageColors | undefined {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env;
  const byVariable = NO_COLOR !== '' || FORCE_COLOR === '0' ? false : FORCE_COLOR !== '' ? true : undefined;
  if (!(wanted ?? byVariable ?? (stream.isTTY === true && TERM !== 'dumb'))) return undefined;
  const { createColors } = require('picocolors') as typeof import('picocolors');
  const { red, yellow, green, dim } = createColors(true);
  return { red, yellow, green, dim };
}
