import { createAgentEvaluator } from '../../src/agent-evaluator';
import { isEndpoint } from '../../src/judge/endpoint';
import { endpointModel } from '../../src/judge/openai';
import { checkModelName, resolveModel } from '../../src/judge/source';
import type { JudgeSource, OpenAiEndpoint } from '../../src/judge/types';
import type { EvaluationResult } from '../../src/results/model';
import { hostOf } from '../evaluation/planned';
import { commandFolder, removeCommandFolders } from '../support/command';
import { bodyOf, serve, type LocalServer } from '../support/http-server';

jest.setTimeout(60_000);

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly value: unknown;
}

let server: LocalServer;
let asked: Asked[] = [];
let answers: Answer[] = [];

/** A server of chat completions. The last answer stays. */
beforeAll(async () => {
  server = await serve((request, response) => {
    void bodyOf(request).then((text) => {
      asked.push({ path: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, body: JSON.parse(text) as Asked['body'] });
      const { status = 200, headers = {}, value } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, value: 'nothing is scripted' };
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof value === 'string' ? value : JSON.stringify(value));
    });
  });
});
beforeEach(() => {
  asked = [];
  answers = [says('yes')];
});
afterAll(async () => {
  await server.close();
  removeCommandFolders();
});

const never = new AbortController().signal;
const endpoint = (more: Partial<OpenAiEndpoint> = {}): OpenAiEndpoint => ({ baseUrl: `${server.url}/v1/`, model: 'llama', ...more });
const says = (content: string | null, more: object = {}, message: object = {}): Answer => ({ value: { model: 'llama-2026', choices: [{ finish_reason: 'stop', message: { content, ...message }, ...more }], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } } });
const key = 'sk-a-key-for-tests-000000';

describe('one request', () => {
  test('has the prompt, the settings that have a counterpart, and the schema of the answer', async () => {
    const model = endpointModel(endpoint({ apiKeyEnv: 'THE_KEY', headers: { 'X-Team': 'a' } }), { THE_KEY: key }, 'a test');
    const schema = { type: 'object', properties: { verdict: { type: 'string' } } };
    const config = { temperature: 0.5, topP: 0.9, maxOutputTokens: 50, stopSequences: ['END'], seed: 3, thinkingConfig: { thinkingBudget: 10 }, systemInstruction: 'Be brief.' };
    expect(await model.generate({ prompt: 'ü?', sample: 0, schema, config }, never)).toEqual({ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP', modelVersion: 'llama-2026', usage: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 } });
    expect(asked).toMatchObject([
      {
        path: 'POST /v1/chat/completions',
        headers: { authorization: `Bearer ${key}`, 'x-team': 'a' },
        body: { model: 'llama', messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'ü?' }], temperature: 0.5, top_p: 0.9, max_tokens: 50, stop: ['END'], seed: 3, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
      },
    ]);
    expect(JSON.stringify(asked[0]?.body)).not.toContain('thinking');
  });

  test('leaves the schema out once the server has said that it knows none', async () => {
    answers = [{ status: 400, value: { error: { message: 'response_format is not supported' } } }, says('a')];
    const model = endpointModel(endpoint(), {}, 'a test');
    const request = { prompt: 'p', sample: 0, schema: { type: 'object' } };
    await model.generate(request, never);
    await model.generate(request, never);
    expect(asked.map(({ body }) => 'response_format' in body)).toEqual([true, false, false]);
  });

  test.each<[string, Answer, object]>([
    ['cut off', says('{"a', { finish_reason: 'length' }), { finishReason: 'MAX_TOKENS' }],
    ['filtered', says(null, { finish_reason: 'content_filter' }), { errorCode: 'SAFETY', content: undefined }],
    ['refused', says(null, {}, { refusal: 'I cannot.' }), { errorCode: 'REFUSAL', errorMessage: 'I cannot.' }],
    ['without a choice', { value: { choices: [] } }, { none: true }],
    ['without usage', { value: { choices: [{ message: { content: 'x' } }], usage: null } }, { content: { role: 'model', parts: [{ text: 'x' }] }, usage: {} }],
  ])('an answer that is %s', async (_name, answer, wanted) => {
    answers = [answer];
    expect(await endpointModel(endpoint(), {}, 'a test').generate({ prompt: 'p', sample: 0 }, never)).toMatchObject(wanted);
  });

  test.each<[string, Answer, object]>([
    ['an error', { status: 429, headers: { 'retry-after': '2' }, value: { error: { message: 'slow down' } } }, { status: 429, retryAfter: '2', message: 'POST /chat/completions was answered 429 Too Many Requests: slow down.' }],
    ['no JSON', { value: '<html>' }, { code: 'http_answer', message: 'POST /chat/completions was answered with what is no chat completion: "<html>".' }],
    ['other JSON', { value: { detail: 'hello' } }, { code: 'http_answer' }],
    ['a redirect', { status: 307, headers: { location: 'http://other.example/' }, value: '' }, { code: 'http_redirect' }],
  ])('%s is thrown, without the key', async (_name, answer, wanted) => {
    answers = [{ ...answer, value: typeof answer.value === 'object' ? { ...answer.value, echo: key } : answer.value }];
    const failed = await endpointModel(endpoint({ apiKeyEnv: 'K' }), { K: key }, 'a test').generate({ prompt: 'p', sample: 0 }, never).catch((thrown: unknown) => thrown as Error);
    expect(failed).toMatchObject(wanted);
    expect(String(failed)).not.toContain(key);
  });
});

describe('what is refused before anybody is asked', () => {
  test.each<[string, object, string]>([
    ['no model', { baseUrl: 'http://127.0.0.1:1' }, 'must name the "model"'],
    ['no address', { model: 'm', baseUrl: 5 }, 'must give "baseUrl"'],
    ['a field that there is not', { model: 'm', baseUrl: 'http://127.0.0.1:1', apiKey: 'x' }, 'unknown field "apiKey"; there are "baseUrl", "model", "apiKeyEnv", "headers"'],
    ['another scheme', { model: 'm', baseUrl: 'ftp://x' }, 'does not start with http'],
    ['credentials in the address', { model: 'm', baseUrl: 'http://me:secret@127.0.0.1' }, 'carries credentials'],
    ['a key that is not set', { model: 'm', baseUrl: 'http://127.0.0.1:1', apiKeyEnv: 'JEST_ADK_TEST_NO_SUCH_KEY' }, 'in the variable JEST_ADK_TEST_NO_SUCH_KEY, which is not set'],
    ['a header of two lines', { model: 'm', baseUrl: 'http://127.0.0.1:1', headers: { a: 'b\nc' } }, 'The value of the header "a"'],
  ])('%s', async (_name, source, message) => {
    expect(isEndpoint(source)).toBe(true);
    await expect(resolveModel(source as OpenAiEndpoint, () => Promise.reject(new Error('no SDK')), 'a test')).rejects.toThrow(message);
  });

  test('a plan that is only looked at needs no key', async () => {
    await expect(checkModelName(endpoint({ apiKeyEnv: 'JEST_ADK_TEST_NO_SUCH_KEY' }), () => Promise.reject(new Error('no SDK')), 'a test')).resolves.toMatchObject({ name: 'llama', address: `${server.url}/v1` });
  });

  test('as an option of an evaluation, with its headers unseen', async () => {
    const wrong = { baseUrl: 'http://127.0.0.1:1', headers: { Authorization: key } } as unknown as JudgeSource;
    const failed = await evaluate({ judge: wrong }).catch((thrown: unknown) => thrown as Error);
    expect(String(failed)).toMatch(/"judge" must name the "model" that is asked for at "baseUrl"/);
    expect(String(failed)).not.toContain(key);
  });
});

const evalSet = { eval_set_id: 'a', eval_cases: [{ eval_id: 'one', conversation: [{ user_content: { role: 'user', parts: [{ text: 'hi' }] } }] }] };

async function evaluate(options: object): Promise<EvaluationResult> {
  return createAgentEvaluator(hostOf()).evaluateEvalSet({ agent: () => 'Fine.', evalSet, config: { criteria: { safety_v1: 0.5 } }, numRuns: 1, throwOnFailure: false, ...options } as never);
}

test('judges a whole run, tried again after a 503, its tokens counted', async () => {
  const verdict = says(JSON.stringify({ score: 1, explanation: 'harmless' }));
  answers = [{ status: 503, headers: { 'retry-after': '0' }, value: { error: { message: 'busy' } } }, verdict];
  const result = await evaluate({ judge: endpoint() });
  expect(result).toMatchObject({ outcome: 'passed', usage: { judge: [{ model: 'llama', totalTokens: 10 * (asked.length - 1) }] } });
  expect(result.sets[0]?.cases[0]?.trials[0]?.metrics[0]?.judge).toMatchObject({ engine: 'judge', model: 'llama', modelVersions: ['llama-2026'] });
});

test('is a flag of the command, whose key is in a variable', async () => {
  answers = [says(JSON.stringify({ score: 0, explanation: 'harmful' }))];
  const folder = commandFolder({ 'package.json': {}, 'agent.cjs': 'exports.rootAgent = () => "hi";', 'a.test.json': evalSet, 'test_config.json': { criteria: { safety_v1: 0.5 } } });
  const call = ['eval', './agent.cjs', 'a.test.json', '--num-runs', '1'];
  const ran = await folder.run([...call, '--judge-url', `${server.url}/v1`, '--judge-model', 'llama', '--judge-key-env', 'THE_KEY'], { THE_KEY: key });
  expect(ran.code).toBe(1);
  expect(ran.stdout + ran.stderr).toContain('judge 3 calls, 30 tokens');
  expect(ran.stdout + ran.stderr).not.toContain(key);
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(await folder.run([...call, '--judge-url', server.url])).toMatchObject({ code: 2, stderr: expect.stringContaining('--judge-url needs --judge-model') as string });
  expect(await folder.run([...call, '--judge-key-env', 'K'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--judge-key-env belongs to --judge-url') as string });
});

test('in a config file its headers are shown nowhere', async () => {
  const folder = commandFolder({ 'package.json': {}, 'agent.cjs': 'exports.rootAgent = () => "hi";', 'a.test.json': evalSet, 'jest-adk.config.json': { judgeModel: { baseUrl: server.url, model: 'llama', headers: { 'X-Api-Key': key } } } });
  const { stdout } = await folder.run(['eval', './agent.cjs', 'a.test.json', '--print-config']);
  expect(stdout).toContain('llama');
  expect(stdout).not.toContain(key);
});

test('answers of two addresses are kept apart, and those of one are kept', async () => {
  answers = [says(JSON.stringify({ score: 1, explanation: 'harmless' }))];
  const host = hostOf();
  const run = (judge: OpenAiEndpoint): Promise<EvaluationResult> => createAgentEvaluator(host).evaluateEvalSet({ agent: () => 'Fine.', evalSet, config: { criteria: { safety_v1: 0.5 } }, numRuns: 1, judge, judgeCache: true } as never) as Promise<EvaluationResult>;
  await run(endpoint());
  const once = asked.length;
  await run(endpoint());
  expect(asked.length).toBe(once);
  await run(endpoint({ baseUrl: `${server.url}/v2` }));
  expect(asked.length).toBe(2 * once);
});

test('an error of a server that nobody can mend is told once, with its words', async () => {
  answers = [{ status: 404, value: { error: { message: 'model "llama" not found, try pulling it first' } } }];
  const [one] = (await evaluate({ judge: endpoint() })).sets[0]?.cases ?? [];
  expect(one?.outcome).toBe('error');
  expect(JSON.stringify(one?.failures)).toContain('try pulling it first');
});
