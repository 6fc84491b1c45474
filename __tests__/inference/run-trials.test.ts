import { runTrials, type RunTrialsOptions, type TrialJob } from '../../src/inference/run-trials';
import type { TrialRecord } from '../../src/inference/types';
import { type AgentFunction, functionTarget } from '../../src/target/function-target';
import type { Target } from '../../src/target/types';
import { deferred, evalCase, settle } from './helpers';

const jobs = (ids: readonly string[], numRuns = 1): TrialJob[] =>
  ids.flatMap((id) => Array.from({ length: numRuns }, (_unused, trial) => ({ evalCase: evalCase(id, [id]), info: { evalSetId: 's', evalId: id, trial } })));

function watched(fn: AgentFunction): { target: Target; closed: () => number } {
  let closed = 0;
  return { target: { ...functionTarget(fn), close: async () => void (closed += 1) }, closed: () => closed };
}

async function collect(target: Target, list: Iterable<TrialJob>, options: Partial<RunTrialsOptions> = {}): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  await runTrials(target, list, { concurrency: 4, ...options }, (record) => void records.push(record));
  return records;
}

test('at most `concurrency` trials at once, started in order', async () => {
  const gates = new Map<string, ReturnType<typeof deferred>>();
  const started: string[] = [];
  const { target } = watched(async (turn) => {
    const gate = deferred();
    gates.set(turn.text, gate);
    started.push(turn.text);
    await gate.promise;
    return 'ok';
  });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const running = collect(target, jobs(ids), { concurrency: 2 });
  await settle();
  expect(started).toEqual(['a', 'b']);
  for (const [index, id] of ids.entries()) {
    gates.get(id)?.resolve();
    await settle();
    expect(started.length).toBe(Math.min(index + 3, 5));
  }
  expect(started).toEqual(ids);
  expect(await running).toHaveLength(5);
});

test('D46 a case that fails stops no other, and nothing is rejected', async () => {
  const { target, closed } = watched((turn) => {
    if (turn.text === 'a') throw new Error('RefreshError: reauth');
    return 'ok';
  });
  const records = await collect(target, jobs(['a', 'b', 'c']));
  expect(records.map((record) => record.endReason).sort()).toEqual(['completed', 'completed', 'error']);
  expect(records.find((record) => record.evalId === 'a')?.error?.message).toContain('reauth');
  expect(closed()).toBe(1);
});

test('exclusive hooks imply one trial at a time, over all evaluations of the process', async () => {
  let now = 0;
  let most = 0;
  const hooks = {
    exclusive: true,
    beforeTrial: () => void (most = Math.max(most, (now += 1))),
    afterTrial: () => void (now -= 1),
  };
  const [one, two] = [watched(async () => 'ok'), watched(async () => 'ok')];
  await Promise.all([collect(one.target, jobs(['a', 'b'], 2), hooks), collect(two.target, jobs(['c', 'd'], 2), hooks)]);
  expect(most).toBe(1);
});

test('the target is closed once, after the last trial, whatever the callbacks do', async () => {
  const log: string[] = [];
  const target: Target = { ...functionTarget(() => 'ok'), close: async () => void log.push('closed') };
  const running = runTrials(target, jobs(['a', 'b'], 2), { concurrency: 3 }, (record) => {
    log.push(`${record.evalId}${record.trial}`);
    if (record.trial === 0) throw new Error(`listener ${record.evalId}`);
  });
  await expect(running).rejects.toThrow('listener a');
  expect(log).toHaveLength(5);
  expect(log.at(-1)).toBe('closed');
});

test('a target that cannot be closed is a warning', async () => {
  const target: Target = { ...functionTarget(() => 'ok'), close: () => Promise.reject(new Error('socket busy')) };
  expect(await runTrials(target, jobs(['a']), { concurrency: 1 }, () => undefined)).toEqual(['closing the agent failed: socket busy']);
});

test('an aborted evaluation ends its trials; the rest is recorded as aborted without contacting the agent', async () => {
  const controller = new AbortController();
  let calls = 0;
  const { target } = watched(() => {
    calls += 1;
    return new Promise(() => undefined);
  });
  const running = collect(target, jobs(['a', 'b', 'c']), { concurrency: 1, signal: controller.signal });
  await settle();
  controller.abort();
  expect((await running).map((record) => record.endReason)).toEqual(['aborted', 'aborted', 'aborted']);
  expect(calls).toBe(1);
});

test('D60 two evaluations after each other and at once', async () => {
  const { target } = watched(async (turn) => turn.text);
  const both = await Promise.all([collect(target, jobs(['a', 'b'])), collect(target, jobs(['c']))]);
  expect(both.map((records) => records.length)).toEqual([2, 1]);
  expect(await collect(target, jobs(['d']))).toHaveLength(1);
});
