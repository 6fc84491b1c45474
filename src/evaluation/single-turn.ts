import type { Content } from '../evalset/types';
import { runTrials } from '../inference/run-trials';
import type { TrialRecord } from '../inference/types';
import { refusal } from '../support/errors';
import { checkOptions, turnOptionProblems } from './options';
import { defaultParts, type PlanParts } from './parts';
import { prepareTarget } from './prepare';
import { Problems } from './problems';
import type { EvaluateOptions, Host } from './types';

/** What a single turn starts from. */
export interface TurnStart {
  readonly content: Content;
  /** State of the session before the turn. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The options as the caller wrote them, those about the answer too: checked before anybody is asked. */
  readonly given?: object;
}

/**
 * Asks a target for one turn, in a session of its own. Nothing is scored or saved.
 *
 * @throws {JestAdkError} for what is no target, and for wrong options
 */
export async function runSingleTurn(target: unknown, start: TurnStart, options: EvaluateOptions, host: Host, parts: PlanParts = defaultParts()): Promise<TrialRecord> {
  const problems = new Problems();
  const { checked, problems: wrong } = checkOptions(options);
  problems.add(...(start.given === undefined ? [] : turnOptionProblems(start.given)), ...wrong);
  const resolved = await problems.collectAsync(() => parts.resolveTarget(target, host, options));
  problems.throwIfAny();
  if (resolved === undefined) throw refusal('no_target', 'There is nothing to ask.');
  const evalCase = {
    evalId: 'turn',
    conversation: [{ invocationId: 'turn', userContent: start.content, creationTimestamp: 0 }],
    creationTimestamp: 0,
    ...(start.state !== undefined && { sessionInput: { appName: '', userId: '', state: start.state as never } }),
  };
  let record: TrialRecord | undefined;
  await runTrials(
    await prepareTarget(resolved, options),
    [{ evalCase, info: { evalSetId: '', evalId: evalCase.evalId, trial: 0 } }],
    {
      concurrency: 1,
      appName: options.appName,
      userId: options.userId,
      turnTimeoutMs: checked.turnTimeoutMs,
      unlimited: host.unlimited,
      finalResponseFrom: options.finalResponseFrom,
      signal: options.signal,
    },
    (ended) => void (record = ended),
  );
  if (record === undefined) throw refusal('no_record', 'The turn gave no record.');
  return record;
}
