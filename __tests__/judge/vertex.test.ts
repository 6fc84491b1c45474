import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vertexService, type VertexAnswer } from '../../src/judge/vertex';
import { manualClock, settle } from '../inference/helpers';
import { commandFolder, removeCommandFolders, type CommandRun } from '../support/command';
import { bodyOf, serve, type LocalServer } from '../support/http-server';
import { linkSdk } from '../support/sdk-project';

jest.setTimeout(60_000);

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

type Answer = { readonly status?: number; readonly value: unknown };

let server: LocalServer;
let asked: Asked[] = [];
let answers: Answer[] = [];

/** The evaluation service, and the place where tokens come from. */
beforeAll(async () => {
  server = await serve((request, response) => {
    void bodyOf(request).then((text) => {
      const isToken = request.url === '/token';
      asked.push({ path: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, body: isToken ? text : JSON.parse(text) });
      const { status = 200, value } = isToken ? { value: { access_token: 'ya29.token-of-the-service', expires_in: 3600, token_type: 'Bearer', issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' } } : (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, value: 'nothing is scripted' };
      response.writeHead(status, { 'content-type': 'application/json' }).end(typeof value === 'string' ? value : JSON.stringify(value));
    });
  });
});
beforeEach(() => {
  asked = [];
  answers = [{ value: { metricResults: [{ score: 1 }] } }];
});
afterAll(async () => {
  await server.close();
  removeCommandFolders();
});

const env = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({ GOOGLE_API_KEY: 'the-key-of-the-test', GOOGLE_VERTEX_BASE_URL: `${server.url}/`, ...more });
const never = new AbortController().signal;

describe('one request', () => {
  test('goes to the key’s address with the key as a header', async () => {
    const body = { metrics: [], instance: { prompt: 'ü' } };
    expect(await vertexService({ env: env(), folders: [] }).evaluate(body, never)).toEqual({ metricResults: [{ score: 1 }] });
    expect(asked).toEqual([{ path: 'POST /v1beta1/:evaluateInstances', headers: expect.objectContaining({ 'x-goog-api-key': 'the-key-of-the-test', 'content-type': 'application/json' }) as object, body }]);
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([408, 409, 429, 499, 500, 502, 503, 504])('is sent again after %i, each time after twice as long and a bit', async (status) => {
    const clock = manualClock();
    answers = [{ status, value: 'busy' }, { status, value: 'busy' }, { value: { metricResults: [{ score: 0.5 }] } }];
    const done = vertexService({ env: env(), folders: [], clock, random: () => 0.5 }).evaluate({}, never);
    for (const [before, ms] of [[1, 2500], [2, 4500]] as const) {
      while (asked.length < before || clock.timers === 0) await settle();
      clock.advance(ms - 1);
      await settle();
      expect(asked).toHaveLength(before);
      clock.advance(1);
    }
    expect(await done).toEqual({ metricResults: [{ score: 0.5 }] });
    expect(asked).toHaveLength(3);
  });

  test('that fails five times is an error entry', async () => {
    const clock = manualClock();
    answers = [{ status: 503, value: 'still busy' }];
    let answer: VertexAnswer | undefined;
    void vertexService({ env: env(), folders: [], clock, random: () => 0 }).evaluate({}, never).then((value) => (answer = value));
    while (answer === undefined) {
      clock.advance(32_000);
      await settle();
    }
    expect(asked).toHaveLength(5);
    expect(answer).toEqual({ metricResults: [{ error: { code: 13, message: 'the service answered 503: still busy' } }] });
  });

  test.each<[string, Answer, RegExp]>([
    ['a refusal', { status: 403, value: { error: { message: 'the-key-of-the-test may not' } } }, /answered 403: .*may not/],
    ['a page', { value: '<html>sign in</html>' }, /something that is no JSON: <html>sign in/],
  ])('%s is not sent again', async (_name, given, message) => {
    answers = [given];
    const answer = await vertexService({ env: env(), folders: [] }).evaluate({}, never);
    expect(answer.metricResults?.[0]?.error?.message).toMatch(message);
    expect(asked).toHaveLength(1);
  });

  test('ten begin in a second, the next one a tenth of a second later', async () => {
    const clock = manualClock();
    const service = vertexService({ env: env(), folders: [], clock });
    const all = Array.from({ length: 4 }, () => service.evaluate({}, never));
    while (asked.length < 1 || clock.timers < 3) await settle();
    expect(asked).toHaveLength(1);
    for (const count of [2, 3, 4]) {
      clock.advance(100);
      while (asked.length < count) await settle();
      expect(asked).toHaveLength(count);
    }
    await Promise.all(all);
  });

  test('that nobody waits for is ended', async () => {
    answers = [{ status: 503, value: 'busy' }];
    const stop = new AbortController();
    const done = vertexService({ env: env(), folders: [] }).evaluate({}, stop.signal);
    while (asked.length === 0) await settle();
    stop.abort(new Error('enough'));
    await expect(done).rejects.toThrow('enough');
  });
});

test.each([
  [{}, /needs GOOGLE_API_KEY, or a project and a location: GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION are not set/],
  [{ GOOGLE_CLOUD_PROJECT: 'p' }, /GOOGLE_CLOUD_LOCATION is not set/],
])('without credentials it says what is missing: %j', (given, message) => {
  expect(() => vertexService({ env: given, folders: [] })).toThrow(message);
});

describe('a run', () => {
  const turn = (text: string): object => ({ user_content: { role: 'user', parts: [{ text }] }, final_response: { role: 'model', parts: [{ text: 'expected' }] } });
  const agent = "exports.rootAgent = function lamp({ text }) { return { author: 'lamp', content: { role: 'model', parts: [{ text: 'You said ' + text }] } }; };";

  async function run(criteria: object, variables: Readonly<Record<string, string>>, files: object = {}): Promise<CommandRun & { readonly report: string }> {
    const folder = commandFolder({ 'package.json': {}, 'agent.cjs': agent, 'a.test.json': { eval_set_id: 'a', eval_cases: [{ eval_id: 'c', conversation: [turn('one'), turn('two')] }] }, 'test_config.json': { criteria }, ...files });
    linkSdk(folder.dir);
    const ran = await folder.run(['eval', './agent.cjs', 'a.test.json', '--num-runs', '1', '--output-format', 'json', '--output', 'out.json'], { GOOGLE_API_KEY: '', GOOGLE_CLOUD_PROJECT: '', GOOGLE_CLOUD_LOCATION: '', ...variables });
    const file = join(folder.dir, 'out.json');
    return { ...ran, report: existsSync(file) ? readFileSync(file, 'utf8') : '' };
  }

  function firstMetric({ report }: { readonly report: string }): unknown {
    const { evaluations } = JSON.parse(report) as { evaluations: { result: { sets: { cases: { trials: { metrics: unknown[] }[] }[] }[] } }[] };
    return evaluations[0]?.result.sets[0]?.cases[0]?.trials[0]?.metrics[0];
  }

  test('with a project signs in with Google credentials, asks turn by turn, and names the engine', async () => {
    // Workload identity: the kind of credentials whose token endpoint can be named.
    const account = { type: 'external_account', audience: '//iam.googleapis.com/x', subject_token_type: 'urn:ietf:params:oauth:token-type:jwt', token_url: `${server.url}/token`, credential_source: { file: 'subject.txt' } };
    answers = [{ value: { metricResults: [{ score: 1, explanation: 'harmless' }] } }, { value: { metricResults: [{ score: 0 }] } }];
    const ran = await run({ safety_v1: 0.5 }, { GOOGLE_CLOUD_PROJECT: 'my-proj', GOOGLE_CLOUD_LOCATION: 'europe-west4', GOOGLE_VERTEX_BASE_URL: server.url, GOOGLE_APPLICATION_CREDENTIALS: 'account.json' }, { 'account.json': account, 'subject.txt': 'subject-of-the-test' });
    expect(ran.stderr).toContain('judge 2 calls');
    expect(asked.map(({ path }) => path)).toEqual(['POST /token', ...Array<string>(2).fill('POST /v1beta1/projects/my-proj/locations/europe-west4:evaluateInstances')]);
    expect(asked[1]?.headers).toMatchObject({ authorization: 'Bearer ya29.token-of-the-service' });
    const text = (value: string): object => ({ contents: { contents: [{ parts: [{ text: value }] }] } });
    expect(asked[1]?.body).toEqual({
      metrics: [{ predefined_metric_spec: { metric_spec_name: 'safety_v1' } }],
      instance: {
        prompt: text('one'),
        response: text('You said one'),
        reference: text('expected'),
        agent_eval_data: { turns: [{ turn_index: 0, turn_id: 'turn_0', events: [{ author: 'user', content: { parts: [{ text: 'one' }] } }, { author: 'model', content: { parts: [{ text: 'You said one' }] } }] }] },
      },
    });
    expect(firstMetric(ran)).toMatchObject({ metricName: 'safety_v1', score: 0.5, status: 'passed', judge: { engine: 'vertex', model: 'Vertex AI safety_v1' } });
    expect(ran.stdout + ran.stderr + ran.report).not.toMatch(/ya29|subject-of-the-test/);
  });

  test('of a whole conversation is one request, and verdicts are in the result', async () => {
    answers = [{ value: { metricResults: [{ score: 0.75, rubricVerdicts: [{ evaluatedRubric: { content: { property: { description: 'Did it.' } } }, verdict: true, reasoning: 'seen' }] }] } }];
    const ran = await run({ multi_turn_task_success_v1: { threshold: 0.5, engine: 'vertex' } }, env());
    expect(ran.code).toBe(0);
    expect(asked.map(({ path }) => path)).toEqual(['POST /v1beta1/:evaluateInstances']);
    expect(asked[0]?.body).toMatchObject({ instance: { prompt: { contents: { contents: [] } }, agent_eval_data: { agents: {}, turns: [{ turn_index: 0 }, { turn_index: 1, events: [{ author: 'user', content: { role: 'user', parts: [{ text: 'two' }] } }, { author: 'agent', content: { role: 'model', parts: [{ text: 'You said two' }] } }] }] } } });
    expect(firstMetric(ran)).toMatchObject({ score: 0.75, details: { rubricScores: [{ rubricId: 'Did it.', score: 1, rationale: 'seen' }] } });
  });

  test('that the service refuses is an error that says so, never a score, and the key is nowhere', async () => {
    answers = [{ status: 403, value: { error: { message: 'the-key-of-the-test is not allowed' } } }];
    const ran = await run({ safety_v1: { threshold: 0, engine: 'vertex' } }, env());
    expect(ran.code).toBe(2);
    expect(ran.stdout + ran.stderr + ran.report).toContain('the service answered 403');
    expect(ran.stdout + ran.stderr + ran.report).not.toContain('the-key-of-the-test');
  });

  test('without a project asks a judge, and "vertex" is refused before the agent is asked', async () => {
    expect(await run({ safety_v1: { threshold: 0.5, engine: 'vertex' } }, {})).toMatchObject({ code: 2, stderr: expect.stringMatching(/test_config\.json:\d+:\d+ {2}criteria\.safety_v1\n.*GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION are not set/) as string });
    expect(asked).toEqual([]);
  });
});
