import type { MessageColors } from './failure-text';

/** What the parts of the section share. */
export interface SummaryContext {
  readonly colors: MessageColors;
  readonly width: number;
  readonly cwd: string;
  rerun(result: { readonly evalSetId: string; readonly evalId: string }): string;
}
