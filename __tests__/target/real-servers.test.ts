import { createAgentEvaluator } from '../../src/agent-evaluator';
import type { EvalSetResult } from '../../src/results/model';
import { adkServerTarget, type RemoteAgentOptions } from '../../src/target/adk-server';
import { hostOf } from '../evaluation/planned';
import { turn } from '../support/eval-sets';
import { startChildServer } from '../support/fake-server';
import { realInstalls } from '../package/packed';
import { pythonWithAdk } from '../support/python';
import { installDevtools, type RealServer, startPythonServer, startTypeScriptServer } from '../support/real-servers';

jest.setTimeout(120_000);

/** What the models of both agents answer, whatever the SDK in front of them. */
const model = {
  replies: [
    { match: { functionResponse: 'turn_on' }, text: 'The lamp is on.' },
    { match: { contains: 'broken' }, status: 500, message: 'the model is broken' },
    { match: { contains: 'lamp', system: 'The user is in the kitchen.' }, calls: [{ name: 'turn_on', args: { room: 'kitchen' } }] },
    { match: { contains: 'lamp' }, calls: [{ name: 'turn_on', args: { room: 'hall' } }] },
    { match: { contains: 'thanks' }, text: 'You are welcome.' },
    { match: { contains: 'silent' }, empty: true },
  ],
};

const kitchen = { name: 'turn_on', args: { room: 'kitchen' } };
const evalSet = {
  eval_set_id: 'lamps',
  eval_cases: [
    { eval_id: 'on', session_input: { app_name: 'another', user_id: '', state: { place: 'kitchen' } }, conversation: [turn('the lamp, please', 'The lamp is on.', [kitchen]), turn('thanks', 'You are welcome.')], final_session_state: { place: 'kitchen', last_room: 'kitchen' } },
    { eval_id: 'wrong_room', session_input: { app_name: '', user_id: 'ann@example.com', state: { place: 'hall' } }, conversation: [turn('the lamp, please', 'The lamp is on.', [kitchen])], final_session_state: { last_room: 'kitchen' } },
    { eval_id: 'broken', session_input: { app_name: '', user_id: '', state: { place: 'attic' } }, conversation: [turn('thanks', 'You are welcome.'), turn('broken?', 'No.')] },
    { eval_id: 'gone', session_input: { app_name: '', user_id: '', session_id: 'nobody-made-it' }, conversation: [turn('thanks', 'You are welcome.')] },
  ],
};
const config = { criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.8, final_session_state_match: 1 } };

let models: Awaited<ReturnType<typeof startChildServer>>;
beforeAll(async () => {
  models = await startChildServer('fake-gemini.mjs');
  await fetch(`${models.url}/__script`, { method: 'POST', body: JSON.stringify(model) });
});
afterAll(() => models.stop());

async function evaluate(url: string, options: RemoteAgentOptions = {}): Promise<EvalSetResult> {
  const agent = adkServerTarget(url, { timeoutMs: 60_000, ...options });
  const { sets } = await createAgentEvaluator(hostOf()).evaluateEvalSet({ agent, evalSet, config, numRuns: 1, userId: 'eval_user', throwOnFailure: false });
  return sets[0] as EvalSetResult;
}

/** Outcome and scores of each case: what has to be the same behind every server. */
const scores = ({ cases }: EvalSetResult): object => Object.fromEntries(cases.map(({ evalId, outcome, metrics }) => [evalId, [outcome, ...Object.keys(config.criteria).map((name) => metrics.find(({ metricName }) => metricName === name)?.score)]]));

const expected = {
  on: ['passed', 1, 1, 1],
  wrong_room: ['failed', 0, 1, 0],
  broken: ['error', 1, 1, null],
  gone: ['error', null, null, null],
};

/** Sessions that a user has left on the server. */
async function sessionsLeft(url: string, user: string): Promise<number> {
  const listed = (await (await fetch(`${url}/apps/lamp_agent/users/${encodeURIComponent(user)}/sessions`)).json()) as readonly unknown[] | { readonly sessions: readonly unknown[] };
  return 'sessions' in listed ? listed.sessions.length : listed.length;
}

function behaves(server: () => RealServer, errors: { readonly broken: RegExp; readonly brokenStream: RegExp; readonly gone: RegExp }): void {
  test('an eval set is scored: state sent, tools seen, users kept apart, nothing left on the server', async () => {
    const result = await evaluate(server().url);
    expect([scores(result), result.appName, result.warnings]).toEqual([expected, 'lamp_agent', []]);
    const [, , broken, gone] = result.cases;
    expect([broken?.trials[0]?.error?.message, gone?.trials[0]?.error?.message]).toEqual([expect.stringMatching(errors.broken), expect.stringMatching(errors.gone)]);
    expect([await sessionsLeft(server().url, 'eval_user'), await sessionsLeft(server().url, 'ann@example.com')]).toEqual([0, 0]);
  });

  test('by a stream it is the same', async () => {
    const result = await evaluate(server().url, { stream: true });
    expect([scores(result), result.warnings]).toEqual([expected, []]);
    expect(result.cases[2]?.trials[0]?.error?.message).toMatch(errors.brokenStream);
    expect(await sessionsLeft(server().url, 'eval_user')).toBe(0);
  });

  test('an app that the server does not have is an error of each case, in the server’s words', async () => {
    const result = await evaluate(server().url, { appName: 'no_such_app' });
    expect(result.cases.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'error']);
    expect(result.cases[0]?.trials[0]?.error?.message).toMatch(/was answered (404 Not Found|500 Internal Server Error): .+/);
  });
}

(pythonWithAdk() === null ? describe.skip : describe)('google-adk’s `adk api_server` (needs JEST_ADK_PYTHON)', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startPythonServer(models.url);
  });
  afterAll(() => server?.stop());
  behaves(() => server, {
    broken: /^turn 2: POST \/run was answered 500 Internal Server Error: Internal Server Error\.$/,
    brokenStream: /^turn 2: POST \/run_sse ended with an error: .*the model is broken/,
    gone: /^turn 1: POST \/run was answered 404 Not Found: Session not found/,
  });
});

(realInstalls ? describe : describe.skip)('`adk api_server` of @google/adk-devtools (needs a package registry: JEST_ADK_INSTALL_TESTS=1)', () => {
  let server: RealServer;
  let installed: ReturnType<typeof installDevtools>;
  beforeAll(async () => {
    installed = installDevtools();
    server = await startTypeScriptServer(installed.folder, models.url);
  }, 600_000);
  afterAll(async () => {
    await server?.stop();
    installed?.remove();
  });
  behaves(() => server, {
    broken: /^turn 2: .*the model is broken/,
    brokenStream: /^turn 2: .*the model is broken/,
    gone: /^turn 1: POST \/run was answered 404 Not Found: Session not found: nobody-made-it\.$/,
  });
});
