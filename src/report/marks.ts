import type { Outcome } from '../results/model';
import type { MessageColors } from './failure-text';

/** `✓`, `✗` or `!`, so that colour is never needed. */
export function outcomeMark(outcome: Outcome, colors: MessageColors): string {
  if (outcome === 'passed') return colors.green('✓');
  return outcome === 'failed' ? colors.red('✗') : colors.yellow('!');
}
