import type { RunEvaluation, RunResult } from '../results/model';

/** Tokens of a run as its models reported them. `total` counts also what is neither prompt nor answer. */
export interface TokenTotals {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** Sums what the models of a run reported; undefined when none reported anything. */
export function tokenTotals(run: Pick<RunResult, 'evaluations'>): TokenTotals | undefined {
  const sum = { input: 0, output: 0, total: 0 };
  let reported = false;
  for (const { usage } of usages(run)) {
    const { promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage;
    sum.input += promptTokenCount + toolUsePromptTokenCount;
    sum.output += candidatesTokenCount + thoughtsTokenCount;
    sum.total += usage.totalTokenCount ?? promptTokenCount + toolUsePromptTokenCount + candidatesTokenCount + thoughtsTokenCount;
    reported = true;
  }
  return reported ? sum : undefined;
}

function usages(run: Pick<RunResult, 'evaluations'>) {
  return run.evaluations
    .flatMap(({ result }) => result.sets)
    .flatMap((set) => set.cases)
    .flatMap((each) => each.trials)
    .flatMap(({ trial }) => trial.invocations)
    .flatMap((invocation) => invocation.usageByModel);
}

/** Milliseconds during which at least one evaluation was under way: evaluations that ran side by side count once. */
export function evaluationTime(evaluations: readonly RunEvaluation[]): number {
  const spans = evaluations.flatMap(({ startedAt, durationMs }) => (startedAt === undefined || durationMs === undefined ? [] : [[startedAt, startedAt + durationMs] as const]));
  let sum = 0;
  let until = -Infinity;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}

/** `850 ms`, `3.2 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Whole numbers with a separator between thousands, the same on every machine: `12,345`. */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 case`, `2 cases`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
