import { runTrials, type RunTrialsOptions } from '../../src/inference/run-trials';
import type { TrialRecord } from '../../src/inference/types';
import type { EvalCase } from '../../src/evalset/types';
import { adkServerTarget, type RemoteAgentOptions } from '../../src/target/adk-server';
import { evalCase } from '../inference/helpers';
import { type FakeServer, startFakeServer } from '../support/fake-server';

/** Runs each case once against the server. */
async function run(url: string, cases: readonly EvalCase[], options: RemoteAgentOptions = {}, more: Partial<RunTrialsOptions> = {}): Promise<{ readonly records: readonly TrialRecord[]; readonly warnings: readonly string[] }> {
  const records: TrialRecord[] = [];
  const target = await adkServerTarget(url, { timeoutMs: 20_000, ...options }).prepare!({});
  const jobs = cases.map((one) => ({ evalCase: one, info: { evalSetId: 'set', evalId: one.evalId, trial: 0 } }));
  const warnings = await runTrials(target, jobs, { concurrency: 4, userId: 'eval_user', turnTimeoutMs: 30_000, ...more }, (record) => void records.push(record));
  return { records: cases.flatMap(({ evalId }) => records.filter((record) => record.evalId === evalId)), warnings };
}

const answers = ({ invocations }: TrialRecord): readonly (string | undefined)[] => invocations.map(({ finalResponse }) => finalResponse?.parts?.map(({ text }) => text).join(''));

describe.each(['python', 'js'] as const)('a server that speaks %s', (dialect) => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await startFakeServer(dialect);
  });
  afterAll(() => server.stop());

  test('a case is run in a session of the server’s, which is deleted', async () => {
    await server.script({ replies: [{ match: 'hello', calls: [{ name: 'greet', args: { toWhom: 'you', snake_key: null } }], responses: [{ name: 'greet', response: { said: 'hi' } }], text: 'Hi!' }] });
    const { records, warnings } = await run(server.url, [evalCase('a', ['hello', 'more'])]);
    expect(warnings).toEqual([]);
    expect(records).toMatchObject([{ endReason: 'completed', ids: { appName: 'my_agent', userId: 'eval_user' } }]);
    expect(records.map(answers)).toEqual([['Hi!', 'echo: more']]);
    expect(records[0]?.invocations[0]?.toolCalls).toMatchObject([{ name: 'greet', args: { toWhom: 'you', snake_key: null }, response: { response: { said: 'hi' } } }]);
    expect((await server.requests()).map(({ method, route, body, status }) => [method, route, body, status])).toEqual([
      ['GET', 'list-apps', undefined, 200],
      ['POST', 'create-session', {}, 200],
      ['POST', 'run', { appName: 'my_agent', userId: 'eval_user', sessionId: records[0]?.ids.sessionId, newMessage: { role: 'user', parts: [{ text: 'hello' }] } }, 200],
      ['POST', 'run', { appName: 'my_agent', userId: 'eval_user', sessionId: records[0]?.ids.sessionId, newMessage: { role: 'user', parts: [{ text: 'more' }] } }, 200],
      ['DELETE', 'delete-session', undefined, dialect === 'js' ? 204 : 200],
    ]);
    expect(await server.stats()).toMatchObject({ sessionsCreated: 1, sessionsLeftOver: 0 });
  });
});
