import type { Issue } from './issues';
import type { Origin } from './origin';

/** How a value is read. */
export interface ReadOptions {
  /** Exactly as google-adk reads: silences, both alternatives of a union, `missing` under the camelCase name. */
  readonly reference?: boolean;
  /** A key that is nearly a known one is an unknown key like others, where unknown keys are dropped or kept. */
  readonly misspeltKeysPass?: boolean;
  /** Where the value stands; the top of its file when left out. */
  readonly origin?: Origin | undefined;
  /** Finds a built-in persona by id. */
  readonly persona?: (id: string) => object | undefined;
  /** Says what is wrong with a simulator's template; undefined when nothing is. */
  readonly checkInstructions?: (text: string) => string | undefined;
  /** Seconds since the epoch, for events without a time. */
  readonly now?: () => number;
}

/** A value in its canonical camelCase form, or everything that is wrong with it. Notes are worth a warning and nothing more. */
export interface ReadOutcome {
  readonly value: unknown;
  readonly issues: readonly Issue[];
  readonly notes: readonly Issue[];
}
