import { toErrorInfo } from './errors';

/**
 * Why something was aborted, to put behind the sentence that says so: `: the test ended before this call did`.
 *
 * @param reason  of the `AbortSignal`
 * @returns without a full stop; empty when whoever aborted gave no reason
 */
export function abortReason(reason: unknown): string {
  const { name } = (reason ?? {}) as { name?: unknown };
  if (reason === undefined || reason === null || name === 'AbortError') return ''; // what `abort()` puts there by itself
  return `: ${toErrorInfo(reason).message.replace(/\.$/, '')}`;
}
