/** The plan of a run, without running it. */
import { relative } from 'node:path';
import { sessionsOf, writtenTurns } from '../../evalset/turns';
import type { EvalCase } from '../../evalset/types';
import { policyName } from '../../evaluation/verdict';
import { plural } from '../../report/totals';
import type { EvalPlan } from '../../evaluation/types';
import { pythonFloat } from '../../support/numbers';
import { printable } from '../../support/text-width';
import type { Call } from './request';
import type { Settings } from './settings';

/** What a run would do, as plain data. */
export interface PlanReport {
  readonly target: string;
  readonly appName: string | null;
  readonly passPolicy: string;
  readonly numRuns: number;
  readonly parallelism: number;
  readonly sets: readonly {
    readonly evalSetId: string;
    readonly file: string | null;
    readonly config: string;
    readonly metrics: Readonly<Record<string, number | null>>;
    readonly cases: readonly string[];
    /** Cases that cannot be run, and why. */
    readonly refused: Readonly<Record<string, string>>;
    readonly warnings: readonly string[];
  }[];
  /** Requests to the server; without those to a local agent there are none. */
  readonly requests: { readonly listApps: number; readonly sessions: number; readonly turns: number; readonly memory?: number; readonly deletes: number };
  readonly judgeCalls: number;
}

/** Counts what a plan comes to. */
export function planReport(plan: EvalPlan, settings: Settings, call: Call): PlanReport {
  const runnable = plan.sets.flatMap((set) => set.cases.filter(({ error }) => error === undefined).map(({ evalCase }) => evalCase));
  const made = runnable.reduce((sum, evalCase) => sum + sessionsMade(evalCase), 0) * plan.numRuns;
  const turns = runnable.reduce((sum, evalCase) => sum + (writtenTurns(evalCase)?.length ?? 0), 0) * plan.numRuns;
  const remembered = runnable.reduce((sum, evalCase) => sum + sessionsOf(evalCase).filter(({ addToMemory }) => addToMemory).length, 0) * plan.numRuns;
  return {
    target: settings.target,
    appName: plan.options.appName ?? plan.target.appName ?? null,
    passPolicy: policyName(plan.passPolicy),
    numRuns: plan.numRuns,
    parallelism: plan.concurrency,
    sets: plan.sets.map((set) => ({
      evalSetId: set.loaded.value.evalSetId,
      file: set.loaded.file === '' ? null : set.loaded.file,
      config: set.configChoice.file ?? set.configChoice.reason,
      metrics: Object.fromEntries(set.metrics.filter(({ metric }) => metric.neverJudged !== true).map(({ metric, threshold }) => [metric.name, threshold])),
      cases: set.cases.map(({ evalCase }) => evalCase.evalId),
      refused: Object.fromEntries(set.cases.flatMap(({ evalCase, error }) => (error === undefined ? [] : [[evalCase.evalId, error.message]]))),
      warnings: set.warnings,
    })),
    requests: call.remote
      ? { listApps: plan.target.appName === undefined && plan.options.appName === undefined ? 1 : 0, sessions: made, turns, ...(remembered === 0 ? {} : { memory: remembered }), deletes: settings.get<boolean>('keepSessions') === true ? 0 : made }
      : { listApps: 0, sessions: 0, turns: 0, deletes: 0 },
    judgeCalls: plan.judgeCalls,
  };
}

/** Sessions that one trial of a case makes: those that are neither pinned nor resumed. */
function sessionsMade(evalCase: EvalCase): number {
  return sessionsOf(evalCase).filter(({ resumes, input }) => resumes === undefined && (input?.sessionId ?? '') === '').length;
}

/** The plan for people. */
export function planLines(report: PlanReport, cwd: string): readonly string[] {
  const { requests } = report;
  const total = requests.listApps + requests.sessions + requests.turns + (requests.memory ?? 0) + requests.deletes;
  const cases = report.sets.reduce((sum, set) => sum + set.cases.length, 0);
  return [
    `target: ${report.target}, app: ${report.appName ?? (/^https?:/i.test(report.target) ? 'the only one that the server lists' : 'as the agent says')}`,
    ...report.sets.flatMap((set) => [
      `${printable(set.evalSetId)}${set.file === null ? '' : ` (${relative(cwd, set.file)})`}: ${plural(set.cases.length, 'case')}; config: ${set.config.startsWith(cwd) ? relative(cwd, set.config) : set.config}`,
      `  metrics: ${Object.entries(set.metrics).map(([name, threshold]) => `${printable(name)} ${threshold === null ? 'recorded' : pythonFloat(threshold)}`).join(', ')}`,
      `  cases: ${set.cases.map(printable).join(', ')}`,
      ...Object.entries(set.refused).map(([evalId, why]) => `  ! ${printable(evalId)}: ${printable(why)}`),
      ...set.warnings.map((warning) => `  warning: ${printable(warning)}`),
    ]),
    `${plural(cases, 'case')} × ${plural(report.numRuns, 'trial')}, ${report.parallelism} at once, pass policy ${report.passPolicy}`,
    `${plural(total, 'request')}: ${requests.listApps} to list apps, ${requests.sessions} to make sessions, ${requests.turns} turns, ${requests.memory === undefined ? '' : `${requests.memory} to remember sessions, `}${requests.deletes} to delete sessions; ${plural(report.judgeCalls, 'judge call')}`,
    'Nothing was sent.',
  ];
}
