import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentEvaluator } from '../../src/agent-evaluator';
import { commandFolder, removeCommandFolders, type CommandRun } from '../support/command';
import { bodyOf, serve } from '../support/http-server';
import { linkSdk } from '../support/sdk-project';
import { hostOf } from './planned';

jest.setTimeout(120_000);
afterAll(removeCommandFolders);

/** The real SDK: its model calls the tool that the text names, as `tool {"args": 1}`, and answers with what came back, or with what the session heard before. */
const agent = `
const { BaseLlm, FunctionTool, LlmAgent } = require('@google/adk');
const { z } = require('zod');
class Scripted extends BaseLlm {
  constructor() { super({ model: 'scripted' }); }
  async *generateContentAsync({ contents }) {
    const parts = contents.at(-1)?.parts ?? [];
    const answers = parts.filter((part) => part.functionResponse).map((part) => JSON.stringify(part.functionResponse.response));
    const text = parts.map((part) => part.text ?? '').join(' ');
    if (answers.length > 0) yield { content: { role: 'model', parts: [{ text: answers.join(' ') }] } };
    else if (text.includes('{')) { const [name, ...args] = text.split(' '); yield { content: { role: 'model', parts: [{ functionCall: { name, args: JSON.parse(args.join(' ')) } }] } }; }
    else yield { content: { role: 'model', parts: [{ text: contents.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts[0].text ?? []).join(' | ') }] } };
  }
  connect() { return Promise.reject(new Error('none')); }
}
const tool = (name, execute) => new FunctionTool({ name, description: name, parameters: z.object({}).passthrough(), execute });
exports.rootAgent = new LlmAgent({ name: 'root', model: new Scripted(), instruction: 'call', tools: [
  tool('recall', async ({ query }, context) => ({ memories: (await context.searchMemory(query)).memories.map(({ content }) => content.parts[0].text) })),
  tool('save', async ({ name, text }, context) => { await context.saveArtifact('user:' + name, { text }); return { saved: name }; }),
  tool('load', async ({ name }, context) => (await context.loadArtifact('user:' + name)) ?? { missing: name }),
  tool('note', ({ key, value }, context) => { context.state.set(key, value); return {}; }),
  tool('look', ({ key }, context) => ({ value: context.state.get(key) ?? null })),
] });
`;

/** A function that answers with what it knows. */
const fn = 'exports.rootAgent = function lamp(turn, session) { session.memory.heard = [...(session.memory.heard ?? []), turn.text]; session.state["user:turns"] = (session.state["user:turns"] ?? 0) + 1; session.state.own = (session.state.own ?? 0) + 1; return `${session.memory.heard.join(", ")} own ${session.state.own} user ${session.state["user:turns"]}`; };';

interface Trial {
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly metrics: readonly { readonly score: number | null; readonly explanation?: readonly string[] }[];
  readonly trial: { readonly invocations: readonly { readonly outcome: string; readonly session?: number; readonly finalResponse?: { readonly parts?: readonly { readonly text?: string }[] } }[]; readonly sessions?: readonly object[]; readonly artifacts?: readonly string[] };
}

interface Ran extends CommandRun {
  readonly trials: readonly Trial[];
  readonly answers: readonly (string | undefined)[];
}

type Session = { readonly says: readonly string[] } & Readonly<Record<string, unknown>>;

const turnOf = (text: string): object => ({ user_content: { role: 'user', parts: [{ text }] } });
const sessionOf = ({ says, ...more }: Session): object => ({ ...more, conversation: says.map(turnOf) });

async function run(sessions: readonly Session[], { module = agent, more = {}, criteria = { total_model_calls: 100 }, flags = [], target = './agent.cjs', numRuns = 1 }: { readonly module?: string; readonly more?: object; readonly criteria?: object; readonly flags?: readonly string[]; readonly target?: string; readonly numRuns?: number } = {}): Promise<Ran> {
  const folder = commandFolder({
    'package.json': {},
    'agent.cjs': module,
    'evals/a.test.json': { eval_set_id: 'a', eval_cases: [{ eval_id: 'c', sessions: sessions.map(sessionOf), ...more }] },
    'evals/test_config.json': { criteria },
  });
  linkSdk(folder.dir);
  const ran = await folder.run(['eval', target, 'evals', '--num-runs', String(numRuns), '--output-format', 'json', '--output', 'out.json', ...flags]);
  const report = existsSync(join(folder.dir, 'out.json')) ? (JSON.parse(readFileSync(join(folder.dir, 'out.json'), 'utf8')) as { evaluations: { result: { sets: { cases: { trials: readonly Trial[] }[] }[] } }[] }) : undefined;
  const trials = report?.evaluations[0]?.result.sets[0]?.cases.flatMap((one) => one.trials) ?? [];
  return { ...ran, trials, answers: trials.flatMap(({ trial }) => trial.invocations.map(({ finalResponse }) => finalResponse?.parts?.[0]?.text)) };
}

describe('an agent of the SDK', () => {
  test('remembers an earlier session, and knows nothing else of it', async () => {
    const ran = await run([{ says: ['the cat is called Tom'] }, { says: ['recall {"query": "cat"}', 'hello'] }]);
    expect(ran.answers).toEqual(['the cat is called Tom', expect.stringContaining('the cat is called Tom'), 'recall {"query": "cat"} | hello']);
    expect(ran).toMatchObject({ code: 0, trials: [{ trial: { invocations: [{ session: 0 }, { session: 1 }, { session: 1 }], sessions: [{ turns: 1 }, { turns: 2 }] } }] });
  });

  test('is not told what is kept out of the memory', async () => {
    const { answers } = await run([{ says: ['the cat is called Tom'], add_to_memory: false }, { says: ['recall {"query": "cat"}'] }]);
    expect(answers[1]).toBe('{"memories":[]}');
  });

  test('finds artifacts and the state of its user again; another user finds neither', async () => {
    const ran = await run([
      { says: ['save {"name": "a.txt", "text": "kept"}', 'note {"key": "user:pet", "value": "cat"}', 'note {"key": "own", "value": 1}'] },
      { says: ['load {"name": "a.txt"}', 'look {"key": "user:pet"}', 'look {"key": "own"}'] },
      { says: ['load {"name": "a.txt"}', 'look {"key": "user:pet"}', 'recall {"query": "save"}'], session_input: { app_name: '', user_id: 'somebody' } },
    ]);
    expect(ran.answers.slice(3)).toEqual(['{"text":"kept"}', '{"value":"cat"}', '{"value":null}', '{"missing":"a.txt"}', '{"value":null}', '{"memories":[]}']);
    expect(ran.trials[0]?.trial.artifacts).toContain('user:a.txt');
  });

  test('goes on with a session that is resumed', async () => {
    const ran = await run([{ name: 'monday', says: ['one'] }, { says: ['two'] }, { resumes: 'monday', says: ['three'] }]);
    expect(ran.answers).toEqual(['one', 'two', 'one | three']);
    const [first, second, third] = (ran.trials[0]?.trial.sessions ?? []) as readonly { readonly ids: { readonly sessionId: string } }[];
    expect(third?.ids.sessionId).toBe(first?.ids.sessionId);
    expect(second?.ids.sessionId).not.toBe(first?.ids.sessionId);
  });

  test('trials share nothing', async () => {
    const { answers } = await run([{ says: ['the cat is called Tom'] }, { says: ['recall {"query": "cat"}'] }], { numRuns: 3 });
    const recalled = answers.filter((_answer, index) => index % 2 === 1);
    expect(new Set(recalled).size).toBe(1);
    expect(recalled[0]?.match(/Tom/g)).toHaveLength(2); // the user's words and the agent's echo, once
  });
});

test('each session has a state that is expected of it', async () => {
  const sessions = (second: number): readonly Session[] => [
    { says: ['note {"key": "a", "value": 1}'], final_session_state: { a: 1 } },
    { name: 'later', says: ['note {"key": "a", "value": 2}'], final_session_state: { a: second } },
  ];
  const criteria = { final_session_state_match: 1 };
  expect(await run(sessions(2), { criteria })).toMatchObject({ code: 0, trials: [{ status: 'passed' }] });
  const failed = await run(sessions(3), { criteria });
  expect([failed.code, failed.trials[0]?.metrics[0]]).toMatchObject([1, { score: 0, explanation: ['state a: expected 3, got 2 (session 2, "later")'] }]);
});

test('a function has its memory and the state of its user', async () => {
  const { answers } = await run([{ name: 'm', says: ['a'] }, { says: ['b'] }, { resumes: 'm', says: ['c'] }], { module: fn });
  expect(answers).toEqual(['a own 1 user 1', 'a, b own 1 user 2', 'a, b, c own 2 user 2']);
});

test('sessions after an error are not held', async () => {
  const module = 'exports.rootAgent = function lamp({ text }) { if (text === "b") throw new Error("no light"); return text; };';
  const ran = await run([{ says: ['a', 'b'] }, { says: ['c', 'd'] }], { module });
  expect(ran).toMatchObject({ code: 2, trials: [{ status: 'error', trial: { invocations: [{ outcome: 'answered' }, { outcome: 'error' }, { outcome: 'not_run' }, { outcome: 'not_run' }] } }] });
});

test('what is wrong with sessions is told where it stands, all at once', async () => {
  const ran = await run([{ name: 'monday', says: ['a'] }, { name: 'monday', says: [] }, { resumes: 'mondy', says: ['c'], session_input: { app_name: '', user_id: '' } }]);
  expect(ran.code).toBe(2);
  for (const message of [
    /a\.test\.json:22:9 {2}eval_cases\[0\]\.sessions\[1\]\n {2}Session 2 of case "c" has no turns/,
    /Session 2 of case "c" has the name "monday" of another one/,
    /Session 3 of case "c" resumes "mondy", and no session before it has that name\. Did you mean "monday"\?/,
    /Session 3 of case "c" goes on with an earlier one and brings a session_input/,
  ]) expect(ran.stderr).toMatch(message);
});

test('a case has its turns in one place, and google-adk knows no sessions', async () => {
  const both = await run([{ says: ['a'] }], { more: { conversation: [turnOf('b')] } });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('this one has both "conversation" and "sessions"') as string });
  const reference = await run([{ says: ['a'] }], { flags: ['--compat', 'google-adk'] });
  expect(reference).toMatchObject({ code: 2, stderr: expect.stringContaining('this one has neither') as string });
});

test('convert keeps sessions', async () => {
  const text = JSON.stringify({ eval_set_id: 'a', eval_cases: [{ eval_id: 'c', sessions: [sessionOf({ name: 'm', says: ['a'], add_to_memory: false }), sessionOf({ resumes: 'm', says: ['b'], final_session_state: { 'user:a': 1 } })] }] });
  const folder = commandFolder({ 'package.json': {}, 'a.test.json': JSON.parse(text) as object });
  expect((await folder.run(['convert', 'a.test.json', '-o', 'b.test.toml'])).code).toBe(0);
  expect((await folder.run(['convert', 'b.test.toml', '-o', 'c.test.json', '--to', 'json'])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder.dir, 'c.test.json'), 'utf8'))).toMatchObject(JSON.parse(text) as object);
});

describe('a server', () => {
  interface Asked {
    readonly what: string;
    readonly body: unknown;
  }

  async function ask(memoryStatus: number): Promise<Ran & { readonly asked: readonly Asked[] }> {
    const asked: Asked[] = [];
    let made = 0;
    const server = await serve((request, response) => {
      void bodyOf(request).then((text) => {
        asked.push({ what: `${request.method ?? ''} ${request.url ?? ''}`, body: text === '' ? undefined : JSON.parse(text) });
        const answer = request.url === '/list-apps' ? ['app'] : request.url === '/run' ? [{ author: 'agent', invocationId: 'e', content: { role: 'model', parts: [{ text: 'ok' }] } }] : request.method === 'POST' ? { id: `s${++made}` } : { detail: 'Not Found' };
        response.writeHead(request.method === 'PATCH' ? memoryStatus : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    try {
      return { ...(await run([{ name: 'm', says: ['a'] }, { says: ['b'] }, { resumes: 'm', says: ['c'] }], { target: server.url })), asked };
    } finally {
      await server.close();
    }
  }

  test('is told to remember sessions, and each is made and deleted once', async () => {
    const { code, asked } = await ask(200);
    expect(code).toBe(0);
    const users = '/apps/app/users/eval_user';
    expect(asked.slice(0, 8).map(({ what, body }) => (what.startsWith('PATCH') ? `${what} ${JSON.stringify(body)}` : what))).toEqual(['GET /list-apps', `POST ${users}/sessions`, 'POST /run', `PATCH ${users}/memory {"sessionId":"s1"}`, `POST ${users}/sessions`, 'POST /run', `PATCH ${users}/memory {"sessionId":"s2"}`, 'POST /run']);
    expect(asked.slice(8).map(({ what }) => what).sort()).toEqual([`DELETE ${users}/sessions/s1`, `DELETE ${users}/sessions/s2`]);
    expect(asked.filter(({ what }) => what === 'POST /run').map(({ body }) => (body as { sessionId: string }).sessionId)).toEqual(['s1', 's2', 's1']);
  });

  test('without a memory makes the case an error that says so, and leaves no session', async () => {
    const { code, trials, asked } = await ask(404);
    expect(code).toBe(2);
    expect(trials[0]?.error).toMatchObject({ code: 'http_status', message: expect.stringMatching(/adding session 1 to the memory \(its "add_to_memory": false leaves that out\) failed: PATCH .*404/) as string });
    expect(asked.map(({ what }) => what)).toContain('DELETE /apps/app/users/eval_user/sessions/s1');
  });
});

test('the plan counts sessions, turns and what is remembered', async () => {
  const ran = await run([{ name: 'm', says: ['a'] }, { says: ['b'] }, { resumes: 'm', says: ['c'] }], { target: 'http://127.0.0.1:9', flags: ['--dry-run', '--app-name', 'app'] });
  expect(ran.stdout).toContain('"requests"');
  expect(JSON.parse(ran.stdout)).toMatchObject({ requests: { listApps: 0, sessions: 2, turns: 3, memory: 2, deletes: 2 } });
});

test('judges are told where another session begins, and failures name the session', async () => {
  const prompts: string[] = [];
  const judge = (prompt: string): string => {
    prompts.push(prompt);
    return JSON.stringify({ verdicts: [{ id: 'r', verdict: 'no', rationale: 'forgot' }] });
  };
  const evalSet = { eval_set_id: 'a', eval_cases: [{ eval_id: 'c', sessions: [sessionOf({ says: ['a'] }), sessionOf({ says: ['b'] })] }] };
  const config = { criteria: { rubric_based_multi_turn_trajectory_quality_v1: { threshold: 1, rubrics: [{ rubric_id: 'r', rubric_content: { text_property: 'It remembers.' } }], judge_model_options: { num_samples: 1 } } } };
  const agentEvaluator = createAgentEvaluator(hostOf());
  const failed = agentEvaluator.evaluateEvalSet({ agent: function lamp({ text }: { text: string }): string { return text; }, evalSet, config, judge, numRuns: 1 });
  await expect(failed).rejects.toThrow(/turn 2, session 2/);
  expect(prompts[0]).toMatch(/\[turn 1\] lamp: a\n\[turn 2\] Another session begins/);
});
