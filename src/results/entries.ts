import type { Invocation } from '../evalset/types';
import type { AdkCaseResult } from './adk-model';

/** What was expected of a case, from the trial that shows most of it; null when no entry shows any. */
export function expectedOf(entries: readonly AdkCaseResult[]): readonly Invocation[] | null {
  let longest: readonly Invocation[] = [];
  for (const entry of entries) {
    const shown = entry.evalMetricResultPerInvocation.flatMap((each) => each.expectedInvocation ?? []);
    if (shown.length > longest.length) longest = shown;
  }
  return longest.length === 0 ? null : longest;
}
