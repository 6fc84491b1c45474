import type { EvaluateOptions, Host } from '../src/evaluation/types';
import type * as Core from '../src/index';
import type { Sandbox, Watched } from './bridge';

/** One test file, as those see it who evaluate for it. `FileSession` is the one there is. */
export interface FileWorld {
  /** Options of the project, under those of a call. */
  readonly defaults: EvaluateOptions;
  readonly sandbox: Sandbox;
  /** The core; loaded once per worker, at the first use. */
  core(): typeof Core;
  /** The world of the file, for one evaluation. */
  host(testName?: string): Host;
  /** Runs something that the calling test has to await. */
  watch<T>(call: Watched, work: (signal: AbortSignal) => Promise<T>, viaExpect?: boolean): Promise<T>;
  /** Runs something of the core; what it throws is an error of the sandbox. */
  translating<T>(work: () => T): T;
}
