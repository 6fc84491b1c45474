import { spawn } from 'node:child_process';
import type { SessionInput } from '../../src/evalset/types';
import { adkServerTarget } from '../../src/target/adk-server';
import { deferred, evalCase, settle } from '../inference/helpers';
import { type FakeServer, startFakeServer } from '../support/fake-server';
import { type ManualServer, says, startManualServer } from '../support/manual-server';
import { ensureBuilt, repoRoot } from '../support/package-under-test';
import { answersOf, runRemote } from '../support/remote-run';

const withInput = (evalId: string, input: object): ReturnType<typeof evalCase> => evalCase(evalId, ['hi'], { sessionInput: { appName: '', userId: '', ...input } as SessionInput });

describe.each(['python', 'js'] as const)('sessions of a server that speaks %s', (dialect) => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await startFakeServer(dialect);
  });
  afterAll(() => server.stop());

  const bodies = async (route: string): Promise<readonly unknown[]> => (await server.requests()).filter((request) => request.route === route).map(({ body }) => body);

  test('the state of the case is sent as it is, and an id never', async () => {
    await server.script({ rejectClientSessionIds: 500 });
    const state = { snake_key: 1, camelKey: { inner_key: null }, 'user:name': 'Ann', big: 12345678901234567890n };
    await runRemote(server.url, [evalCase('none', ['hi']), withInput('empty', {}), withInput('state', { state })], {}, { concurrency: 1 });
    expect(await bodies('create-session')).toEqual([{}, { state: {} }, { state: { ...state, big: 12345678901234567000 } }]);
  });

  test('the run’s app is asked, whatever the case says; a case may name its user', async () => {
    await server.script({});
    const { records } = await runRemote(server.url, [withInput('a', { appName: 'other_app', userId: 'ann@example.com' })]);
    expect(records[0]?.ids).toMatchObject({ appName: 'my_agent', userId: 'ann@example.com' });
    expect((await server.requests()).map(({ url }) => url).filter((url) => url.startsWith('/apps'))).toEqual(['/apps/my_agent/users/ann%40example.com/sessions', expect.stringMatching(/^\/apps\/my_agent\/users\/ann%40example\.com\/sessions\/[\w-]+$/)]);
  });

  test('a pinned session is neither made nor deleted, and its state is not known', async () => {
    await server.script({ sessions: [{ app: 'my_agent', user: 'eval_user', id: 'pinned/one', state: { a: 1 } }] });
    const { records } = await runRemote(server.url, [withInput('a', { sessionId: 'pinned/one' })]);
    expect(records).toMatchObject([{ endReason: 'completed', ids: { sessionId: 'pinned/one' } }]);
    expect(records[0]).not.toHaveProperty('finalState');
    expect(Object.keys((await server.stats()).byRoute)).toEqual(['list-apps', 'run']);
    expect((await server.stats()).sessions).toMatchObject([{ id: 'pinned/one', turns: 1 }]);
  });

  test('a pinned session that is not there is the error of its case', async () => {
    await server.script({});
    const { records } = await runRemote(server.url, [withInput('a', { sessionId: 'gone' }), evalCase('b', ['hi'])]);
    expect(records).toMatchObject([{ endReason: 'error', error: { code: 'http_status', message: expect.stringMatching(/turn 1: POST \/run was answered 404 Not Found: Session not found/) } }, { endReason: 'completed' }]);
  });

  test.each(['srv {{n}} ü#?%', '..', 'a..b', '1', '%2F', 'a\\b'])('the id %j is the server’s choice: used, and encoded in paths', async (id) => {
    await server.script({ sessionId: id });
    const { records, warnings } = await runRemote(server.url, [evalCase('a', ['hi'])]);
    expect([records[0]?.endReason, warnings]).toEqual(['completed', []]);
    expect(records[0]?.ids.sessionId).toBe(id.replace('{{n}}', '1'));
    expect(await server.stats()).toMatchObject({ sessionsDeleted: 1, sessionsLeftOver: 0 });
    if (id === '..') expect((await server.requests()).at(-1)?.url).toBe('/apps/my_agent/users/eval_user/sessions/%2E%2E');
  });

  test('an id that cannot be part of a path is refused and listed, unless sessions are kept', async () => {
    await server.script({ sessionId: 'a/b' });
    const { records, warnings } = await runRemote(server.url, [evalCase('a', ['hi'])]);
    expect(records).toMatchObject([{ endReason: 'error', error: { code: 'bad_session_id', message: expect.stringContaining('the id "a/b", with which it could not be deleted: it contains "/"') } }]);
    expect(warnings).toEqual(['a session of the app "my_agent" could not be deleted (its id cannot be part of a path: it contains "/"): a/b']);
    expect((await server.stats()).runs).toBe(0);
    const kept = await runRemote(server.url, [evalCase('a', ['hi'])], { keepSessions: true });
    expect([kept.records.map(answersOf), kept.warnings]).toEqual([[['echo: hi']], []]);
  });

  test.each<[string, object, object]>([
    ['a turn that fails', { replies: [{ status: 500 }] }, {}],
    ['a turn that is no JSON', { replies: [{ malformed: true }] }, {}],
    ['a turn whose connection breaks', { replies: [{ drop: true }] }, {}],
    ['a turn that takes too long', { replies: [{ hang: true }] }, { timeoutMs: 150 }],
  ])('%s: its session is deleted, later turns are not sent, other cases go on', async (_name, script, options) => {
    const [rule] = (script as { readonly replies: readonly object[] }).replies;
    await server.script({ replies: [{ match: 'bad', ...rule }] });
    const { records, warnings } = await runRemote(server.url, [evalCase('a', ['ok', 'bad', 'never']), evalCase('b', ['ok'])], options);
    expect(records.map(({ endReason }) => endReason)).toEqual(['error', 'completed']);
    expect(records[0]?.invocations.map(({ outcome }) => outcome)).toEqual(['answered', 'error', 'not_run']);
    expect(warnings).toEqual([]);
    expect(await server.stats()).toMatchObject({ runs: 3, sessionsCreated: 2, sessionsDeleted: 2, sessionsLeftOver: 0 });
  });

  test('keepSessions leaves them', async () => {
    await server.script({});
    const { warnings } = await runRemote(server.url, [evalCase('a', ['hi']), evalCase('b', ['hi'])], { keepSessions: true });
    expect(warnings).toEqual([]);
    expect(await server.stats()).toMatchObject({ sessionsLeftOver: 2, byRoute: expect.not.objectContaining({ 'delete-session': 1 }) });
  });

  test('a delete that fails is a warning with the ids, one line for each cause', async () => {
    await server.script({ sessionId: 's{{n}}', deleteSession: [{ match: { session: 's2' }, status: 403 }, { status: 500 }] });
    const { records, warnings } = await runRemote(server.url, [evalCase('a', ['hi']), evalCase('b', ['hi']), evalCase('c', ['hi'])], {}, { concurrency: 1 });
    expect(records.map(({ endReason, warnings: own }) => [endReason, own])).toEqual(Array(3).fill(['completed', []]));
    expect([...warnings].sort()).toEqual([
      '2 sessions of the app "my_agent" could not be deleted (was answered 500 Internal Server Error: scripted 500): s1, s3',
      'a session of the app "my_agent" could not be deleted (was answered 403 Forbidden: scripted 403): s2',
    ]);
  });

  test('a delete that hangs is given up on', async () => {
    await server.script({ sessionId: 's{{n}}', deleteSession: { hang: true } });
    const { warnings } = await runRemote(server.url, [evalCase('a', ['hi'])], { timeoutMs: 200 });
    expect(warnings).toEqual([expect.stringMatching(/could not be deleted \((was not answered within 200 ms|the time for it was over)\): s1$/)]);
  });

  test('busy or not there at first: the session is made at another attempt; other failures are final', async () => {
    await server.script({ createSession: [{ status: 503, times: 1, headers: { 'retry-after': '0' } }, { status: 429, times: 1 }, { match: { user: 'ann' }, status: 500 }] });
    const { records } = await runRemote(server.url, [evalCase('a', ['hi'])]);
    expect([records[0]?.endReason, (await server.stats()).byRoute['create-session']]).toEqual(['completed', 3]);
    const failed = await runRemote(server.url, [withInput('b', { userId: 'ann' })]);
    expect(failed.records[0]?.error).toEqual({ code: 'http_status', message: 'opening the session failed: POST /apps/my_agent/users/ann/sessions was answered 500 Internal Server Error: scripted 500.' });
    expect((await server.stats()).byRoute).toMatchObject({ 'create-session': 4, 'delete-session': 1 });
  });

  test.each([429, 503, 500, 502])('a turn that is answered %i is not sent again', async (status) => {
    await server.script({ replies: [{ status, headers: { 'retry-after': '0' } }] });
    const { records } = await runRemote(server.url, [evalCase('a', ['hi'])], { retries: 5 });
    expect([records[0]?.error?.code, (await server.stats()).runs]).toEqual(['http_status', 1]);
  });

  test.each<[string, unknown]>([
    ['no id', { appName: 'a' }],
    ['an empty id', { id: '' }],
    ['an id that is a number', { id: 7 }],
    ['a list', [{ id: 'x' }]],
    ['a text', 'x'],
  ])('a session with %s is none', async (_name, body) => {
    await server.script({ createSession: { body } });
    const { records } = await runRemote(server.url, [evalCase('a', ['hi'])]);
    expect(records[0]?.error).toEqual({ code: 'http_answer', message: expect.stringContaining(`was answered 200 OK with application/json, which is no session: it has no id: ${JSON.stringify(JSON.stringify(body))}`) });
  });

  test('what is left in the state is told without asking: what the server made of it, then what the events say', async () => {
    await server.script({ replies: [{ match: 'set', state: { lamp: 'on', 'temp:x': 1, 'user:n': null }, text: 'ok' }] });
    const { records } = await runRemote(server.url, [evalCase('a', ['set', 'hi'], { sessionInput: { appName: '', userId: '', state: { lamp: 'off', kept: [1] } } as SessionInput })]);
    expect(records[0]?.finalState).toEqual({ lamp: 'on', kept: [1], 'user:n': null });
    expect((await server.stats()).byRoute).not.toHaveProperty('get-session');
  });

  test('header values are in no record and no warning', async () => {
    await server.script({ replies: [{ match: 'bad', status: 500, body: { detail: 'you sent {{header.authorization}}' } }, { status: 500, raw: 'key s3cret-k3y' }], deleteSession: { status: 500, raw: 'no, Bearer s3cret-k3y' } });
    const run = await runRemote(server.url, [evalCase('a', ['bad']), evalCase('b', ['other'])], { headers: { Authorization: 'Bearer s3cret-k3y' } });
    expect(JSON.stringify(run)).not.toContain('s3cret-k3y');
    expect(JSON.stringify(run)).toContain('[redacted]');
  });
});

describe('sessions and time', () => {
  let server: ManualServer;
  beforeEach(async () => {
    server = await startManualServer();
  });
  afterEach(() => server.close());
  const app = { appName: 'app' };

  test('the delete is not in the slot: the next case starts, and the run waits for it at the end', async () => {
    let ended = false;
    const running = runRemote(server.url, [evalCase('a', ['1']), evalCase('b', ['2'])], app, { concurrency: 1 }).finally(() => (ended = true));
    const deletes = [];
    for (const id of ['s1', 's2']) {
      (await server.next('POST /apps')).answer({ id });
      (await server.next('POST /run')).answer(says(id));
      deletes.push(await server.next(`DELETE /apps/app/users/eval_user/sessions/${id}`));
    }
    await settle();
    expect(ended).toBe(false);
    for (const one of deletes) one.answer(null);
    expect((await running).records.map(answersOf)).toEqual([['s1'], ['s2']]);
  });

  test('never more turns at once than slots, and as many', async () => {
    const running = runRemote(server.url, Array.from({ length: 5 }, (_unused, index) => evalCase(`${index}`, ['hi'])), app, { concurrency: 3 });
    const inFlight = [];
    for (let count = 0; count < 3; count += 1) {
      (await server.next('POST /apps')).answer({ id: `s${count}` });
      inFlight.push(await server.next('POST /run'));
    }
    await settle();
    expect(server.waiting).toEqual([]);
    for (let count = 3; count < 5; count += 1) {
      inFlight.shift()?.answer(says('x'));
      (await server.next('DELETE')).answer(null);
      (await server.next('POST /apps')).answer({ id: `s${count}` });
      inFlight.push(await server.next('POST /run'));
    }
    for (const one of inFlight) one.answer(says('x'));
    for (let count = 0; count < 3; count += 1) (await server.next('DELETE')).answer(null);
    expect((await running).records.map(({ endReason }) => endReason)).toEqual(Array(5).fill('completed'));
  });

  test('aborted in a turn: the server sees the disconnect, the session is deleted, nothing new starts', async () => {
    const controller = new AbortController();
    const running = runRemote(server.url, [evalCase('a', ['1', '2']), evalCase('b', ['3'])], app, { concurrency: 1, signal: controller.signal });
    (await server.next('POST /apps')).answer({ id: 's1' });
    const turn = await server.next('POST /run');
    controller.abort();
    await turn.closed;
    (await server.next('DELETE /apps/app/users/eval_user/sessions/s1')).answer(null);
    const { records, warnings } = await running;
    expect(records.map(({ endReason }) => endReason)).toEqual(['aborted', 'aborted']);
    expect([warnings, server.waiting]).toEqual([[], []]);
  });

  test('aborted while a session is made: what comes after all is deleted', async () => {
    const controller = new AbortController();
    const running = runRemote(server.url, [evalCase('a', ['1'])], app, { signal: controller.signal });
    const create = await server.next('POST /apps');
    controller.abort();
    await settle();
    create.answer({ id: 'late' });
    (await server.next('DELETE /apps/app/users/eval_user/sessions/late')).answer(null);
    const { records, warnings } = await running;
    expect([records.map(({ endReason }) => endReason), warnings]).toEqual([['aborted'], []]);
  });

  test('a session that came too late for its trial is deleted', async () => {
    const over = deferred();
    const running = runRemote(server.url, [evalCase('a', ['1'])], app, { caseTimeoutMs: 100, afterTrial: () => over.resolve() });
    const create = await server.next('POST /apps');
    await over.promise;
    create.answer({ id: 'late' });
    (await server.next('DELETE')).answer(null);
    expect((await running).records[0]?.endReason).toBe('case_limit');
  });

  test('it is deleted as soon as it is there, while other cases run', async () => {
    const over = deferred();
    const running = runRemote(server.url, [evalCase('a', ['1']), evalCase('b', ['2'])], app, { concurrency: 1, caseTimeoutMs: 1_000, afterTrial: ({ evalId }) => void (evalId === 'a' && over.resolve()) });
    const create = await server.next('POST /apps');
    await over.promise;
    (await server.next('POST /apps')).answer({ id: 's2' });
    const turn = await server.next('POST /run');
    create.answer({ id: 'late' });
    (await server.next('DELETE /apps/app/users/eval_user/sessions/late')).answer(null);
    turn.answer(says('x'));
    (await server.next('DELETE')).answer(null);
    expect((await running).records.map(({ endReason }) => endReason)).toEqual(['case_limit', 'completed']);
  });

  test('one that is never made is given up on when the time for closing is over', async () => {
    const running = runRemote(server.url, [evalCase('a', ['1'])], app, { turnTimeoutMs: 150 });
    const create = await server.next('POST /apps');
    const { warnings } = await running;
    await create.closed;
    expect(warnings).toEqual([expect.stringContaining('timed out in closing the agent'), expect.stringContaining('may be left on the server')]);
  }, 3_000);

  test('a target that is closed when there is no time left tells at once what is left', async () => {
    const target = await adkServerTarget(server.url, app).prepare?.({});
    const opening = target?.openSession({ userId: 'ann' }, new AbortController().signal);
    (await server.next('POST /apps')).answer({ id: 's1', state: { 'user:name': 'Ann' } });
    const session = await opening;
    expect(await session?.state?.()).toEqual({ 'user:name': 'Ann' });
    expect(await target?.close(AbortSignal.abort())).toEqual(['a session of the app "app" could not be deleted (the time for it was over): s1']);
    expect(server.waiting).toEqual([]);
  });

  test('many deletes at once are no leak of listeners, of which Node would warn', async () => {
    ensureBuilt();
    const script = `
      const { adkServerTarget } = require('./dist/src/target/adk-server');
      adkServerTarget('${server.url}', { appName: 'app' }).prepare({}).then(async (target) => {
        const signal = new AbortController().signal;
        for (let count = 0; count < 20; count += 1) await (await target.openSession({ userId: 'ann' }, signal)).close();
        console.log(JSON.stringify(await target.close()));
      });`;
    const child = spawn(process.execPath, ['-e', script], { cwd: repoRoot });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    for (let count = 0; count < 20; count += 1) (await server.next('POST /apps')).answer({ id: `s${count}` });
    const deletes = [];
    for (let count = 0; count < 20; count += 1) deletes.push(await server.next('DELETE'));
    for (const one of deletes) one.answer(null);
    await new Promise((resolve) => child.once('close', resolve));
    expect(said).toBe('[]\n');
  }, 60_000);

  test('a session that is never made: the run ends when the time for requests is over', async () => {
    const controller = new AbortController();
    const running = runRemote(server.url, [evalCase('a', ['1'])], { ...app, timeoutMs: 200 }, { signal: controller.signal });
    const create = await server.next('POST /apps');
    controller.abort();
    const { records, warnings } = await running;
    expect([records[0]?.endReason, warnings]).toEqual(['aborted', ['a session of the app "app" may be left on the server: the request for it was not answered, so the id is not known']]);
    await create.closed;
  });

  test('when the time for closing is over, what is left is listed at once', async () => {
    const running = runRemote(server.url, [evalCase('a', ['1'])], app, { turnTimeoutMs: 300 });
    (await server.next('POST /apps')).answer({ id: 's1' });
    (await server.next('POST /run')).answer(says('x'));
    const deleting = await server.next('DELETE');
    const { records, warnings } = await running;
    await deleting.closed;
    expect(records[0]?.endReason).toBe('completed');
    expect(warnings).toEqual([expect.stringContaining('timed out in closing the agent'), 'a session of the app "app" could not be deleted (the time for it was over): s1']);
  });

  test('two evaluations of one agent do not close each other', async () => {
    const first = runRemote(server.url, [evalCase('a', ['1'])], app);
    const second = runRemote(server.url, [evalCase('b', ['2'])], app);
    const [one, two] = [await server.next('POST /apps'), await server.next('POST /apps')];
    one.answer({ id: 's1' });
    (await server.next('POST /run')).answer(says('one'));
    (await server.next('DELETE')).answer(null);
    await Promise.race([first, second]);
    two.answer({ id: 's2' });
    (await server.next('POST /run')).answer(says('two'));
    (await server.next('DELETE')).answer(null);
    expect([...(await first).records, ...(await second).records].flatMap(answersOf).sort()).toEqual(['one', 'two']);
  });
});

test('the server dies between two turns: the case fails, and what could not be deleted is told', async () => {
  const server = await startManualServer();
  const gone = deferred();
  const running = runRemote(server.url, [evalCase('a', ['1', '2'])], { appName: 'app' }, { onTurn: () => gone.resolve() });
  (await server.next('POST /apps')).answer({ id: 's1' });
  (await server.next('POST /run')).answer(says('x'));
  const second = await server.next('POST /run');
  await server.close();
  await second.closed;
  const { records, warnings } = await running;
  expect(records[0]).toMatchObject({ endReason: 'error', error: { code: 'http_reset' } });
  expect(warnings).toEqual([expect.stringMatching(/^a session of the app "app" could not be deleted \(found nobody listening: .*\): s1$/)]);
});
