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

const roleNames = { agent: 'Agent', judge: 'Judge', user: 'Simulated user', environment: 'Simulated tools', generator: 'Generator' } as const;

/** What one role used in a run. */
export interface RoleTotals {
  readonly role: string;
  readonly calls: number;
  readonly cached: number;
  readonly tokens: number;
  /** US dollars; undefined when the price of one of its models is not known. */
  readonly costUsd: number | undefined;
}

/** Calls and tokens by role over a run; empty when nobody but the agent was asked, whose tokens stand elsewhere. */
export function roleTotals(run: Pick<RunResult, 'evaluations'>): readonly RoleTotals[] {
  const usages = run.evaluations.flatMap(({ result }) => (result.usage === undefined ? [] : [result.usage]));
  const totals = (Object.keys(roleNames) as (keyof typeof roleNames)[]).flatMap((role): readonly RoleTotals[] => {
    const models = usages.flatMap((usage) => usage[role] ?? []);
    if (models.length === 0) return [];
    const sum = (of: (model: (typeof models)[number]) => number): number => models.reduce((total, model) => total + of(model), 0);
    const priced = models.every(({ costUsd }) => costUsd !== undefined);
    return [{ role: roleNames[role], calls: sum(({ calls }) => calls), cached: sum(({ cached = 0 }) => cached), tokens: sum(({ totalTokens }) => totalTokens), costUsd: priced ? sum(({ costUsd = 0 }) => costUsd) : undefined }];
  });
  return totals.length === 1 && totals[0]?.role === roleNames.agent ? [] : totals;
}

/** `38 calls, 12,345 tokens, $0.0123`. */
export function roleText({ calls, cached, tokens, costUsd }: RoleTotals): string {
  const kept = cached === 0 ? '' : ` (${countText(cached)} more from the cache)`;
  return `${plural(calls, 'call')}${kept}, ${plural(tokens, 'token')}${costUsd === undefined ? '' : `, $${costUsd.toFixed(4)}`}`;
}

/** Requests to judges that were planned over a run, at most; 0 for none. */
export function plannedJudgeCalls(run: Pick<RunResult, 'evaluations'>): number {
  return run.evaluations.reduce((sum, { result }) => sum + (result.plannedJudgeCalls ?? 0), 0);
}
