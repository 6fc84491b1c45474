/** What was looked at, and what came of it. */
export interface Finding {
  /** E.g. `Node`, `preset`, `server`. */
  readonly check: string;
  /** `problem`: evaluations will not work. `warning`: they may not, or not as one would think. */
  readonly status: 'ok' | 'note' | 'warning' | 'problem';
  /** What was seen; never a secret. */
  readonly message: string;
  /** What to do. Every warning and problem has one. */
  readonly advice?: string;
}

/** What the checks look at. */
export interface Surroundings {
  /** The project: absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is to be evaluated, when it was named: a URL or a module path. */
  readonly target: string | undefined;
  /** For a server; secret. */
  readonly headers: readonly (readonly [string, string])[];
  /** Models that were named, beside those of the target. */
  readonly models: readonly string[];
}
