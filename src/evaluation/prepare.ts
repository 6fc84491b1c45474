import type { Target } from '../target/types';
import type { EvaluateOptions } from './types';

/**
 * The target as one evaluation uses it: what can only be known by asking has been asked.
 *
 * @throws {JestAdkError} when it cannot be evaluated
 */
export async function prepareTarget(target: Target, { appName, signal }: EvaluateOptions): Promise<Target> {
  return (await target.prepare?.({ appName, signal })) ?? target;
}
