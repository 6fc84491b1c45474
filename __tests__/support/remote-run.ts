import type { EvalCase } from '../../src/evalset/types';
import { runTrials, type RunTrialsOptions } from '../../src/inference/run-trials';
import type { TrialRecord } from '../../src/inference/types';
import { adkServerTarget, type RemoteAgentOptions } from '../../src/target/adk-server';

/** What came of a run, records in the order of the cases. */
export interface RemoteRun {
  readonly records: readonly TrialRecord[];
  readonly warnings: readonly string[];
}

/** Runs each case once against a server; four at once unless `more` says otherwise. */
export async function runRemote(url: string, cases: readonly EvalCase[], options: RemoteAgentOptions = {}, more: Partial<RunTrialsOptions> = {}): Promise<RemoteRun> {
  const records: TrialRecord[] = [];
  const unprepared = adkServerTarget(url, { timeoutMs: 20_000, ...options });
  const target = (await unprepared.prepare?.({})) ?? unprepared;
  const jobs = cases.map((one) => ({ evalCase: one, info: { evalSetId: 'set', evalId: one.evalId, trial: 0 } }));
  const warnings = await runTrials(target, jobs, { concurrency: 4, userId: 'eval_user', turnTimeoutMs: 30_000, ...more }, (record) => void records.push(record));
  return { records: cases.flatMap(({ evalId }) => records.filter((record) => record.evalId === evalId)), warnings };
}

/** Texts of a trial's answers, turn by turn. */
export function answersOf({ invocations }: TrialRecord): readonly (string | undefined)[] {
  return invocations.map(({ finalResponse }) => finalResponse?.parts?.map(({ text }) => text ?? '').join(''));
}
