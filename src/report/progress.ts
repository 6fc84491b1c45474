import type { RunProgress } from '../results/fold';
import { printable, truncateTo } from '../support/text-width';

/** Where a run stands, on one line of less than `width` columns: `ADK eval  7/20 cases  ✗ 1  ! 0  running: dim_bedroom (trial 2), …`. */
export function progressText(progress: RunProgress, width: number): string {
  const ended = progress.passed + progress.failed + progress.errors;
  const names = [...new Set(progress.running.map(({ evalId, trial }) => `${printable(evalId)} (trial ${trial + 1})`))];
  const running = names.length === 0 ? '' : `  running: ${names.join(', ')}`;
  return truncateTo(`ADK eval  ${ended}/${progress.cases} cases  ✗ ${progress.failed}  ! ${progress.errors}${running}`, width - 1);
}
