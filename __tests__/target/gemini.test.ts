import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBuilt, repoRoot } from '../support/package-under-test';

/** A scripted imitation of the Gemini API over HTTP; it is no part of this repository. */
const server = join(repoRoot, '..', 'shared', 'testkit', 'fake-gemini.mjs');
const describeWithServer = existsSync(server) ? describe : describe.skip;

interface Outcome {
  readonly endReason: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly answers: readonly (string | undefined)[];
  readonly calls: readonly unknown[];
  readonly usage: readonly { readonly model: string; readonly calls: number }[];
}

describeWithServer('the real SDK over HTTP (needs ../shared/testkit/fake-gemini.mjs)', () => {
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    ensureBuilt();
    child = spawn(process.execPath, [server, '--port', '0', '--exit-with-stdin'], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('no output');
    for await (const line of createInterface({ input: child.stdout })) {
      url = (JSON.parse(line) as { url: string }).url;
      break;
    }
  }, 240_000);

  afterAll(() => {
    child.stdin?.end();
    child.kill();
  });

  /** Returns only when the process has ended by itself: an open handle fails the test. */
  async function run(script: object, request: object): Promise<{ outcomes: readonly Outcome[]; served: { total: number; byStatus: Record<string, number>; maxInFlight: number } }> {
    await fetch(`${url}/__script`, { method: 'POST', body: JSON.stringify(script) });
    const printed = await new Promise<string>((resolve, reject) => {
      const env = { PATH: process.env.PATH, GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' };
      const runner = spawn(process.execPath, [join(repoRoot, '__tests__/fixtures/gemini/run.mjs'), JSON.stringify(request)], { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
      let text = '';
      runner.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      runner.on('error', reject).on('close', (code, signal) => (code === 0 ? resolve(text) : reject(new Error(`ended with ${code ?? signal}: ${text}`))));
    });
    const served = (await (await fetch(`${url}/__stats`)).json()) as { total: number; byStatus: Record<string, number>; maxInFlight: number };
    return { outcomes: JSON.parse(printed) as Outcome[], served };
  }

  const weather = {
    replies: [
      { match: { functionResponse: 'forecast' }, text: 'It will be {{toolResult}}' },
      { match: { contains: 'weather' }, calls: [{ name: 'forecast', args: { day: 'monday' } }] },
    ],
  };

  test('calls, tools and tokens', async () => {
    const { outcomes } = await run(weather, { texts: [['the weather?', 'thanks']] });
    expect(outcomes).toEqual([
      {
        endReason: 'completed',
        answers: [expect.stringContaining('blue on monday'), 'fake: thanks'],
        calls: [{ name: 'forecast', args: { day: 'monday' }, response: { sky: 'blue on monday' } }],
        usage: [{ model: 'gemini-2.5-flash', calls: 2 }, { model: 'gemini-2.5-flash', calls: 1 }],
      },
    ]);
  }, 60_000);

  test('D56 the state of the case is in the instruction that the model gets', async () => {
    const { outcomes } = await run({ replies: [{ match: { system: 'the weather in Rome' }, text: 'Rome it is' }] }, { texts: [['hi']] });
    expect(outcomes[0]?.answers).toEqual(['Rome it is']);
  }, 60_000);

  test('D52 429 once: the agent’s own retry options apply', async () => {
    const { outcomes, served } = await run({ replies: [{ match: { contains: 'hi' }, times: 1, status: 429, message: 'slow down' }] }, { texts: [['hi']], attempts: 3 });
    expect([outcomes[0]?.endReason, served.byStatus]).toEqual(['completed', { 200: 1, 429: 1 }]);
  }, 60_000);

  test('429 without a retry is an error of that case; the next case goes on', async () => {
    const { outcomes } = await run({ replies: [{ match: { contains: 'first' }, status: 429, message: 'slow down' }] }, { texts: [['first', 'never sent'], ['second']] });
    expect(outcomes).toMatchObject([
      { endReason: 'error', error: { code: '429', message: expect.stringContaining('slow down') } },
      { endReason: 'completed', answers: ['fake: second'] },
    ]);
  }, 60_000);

  test('503 for ever: an error with its code and text', async () => {
    const { outcomes } = await run({ replies: [{ match: { contains: 'hi' }, status: 503, message: 'overloaded' }] }, { texts: [['hi']] });
    expect(outcomes[0]).toMatchObject({ endReason: 'error', error: { code: '503', message: expect.stringContaining('overloaded') } });
  }, 60_000);

  test('D49 a model that hangs: the limit ends the turn, the request is aborted, the process exits', async () => {
    const { outcomes } = await run({ replies: [{ match: { contains: 'hang' }, hang: true }] }, { texts: [['hang'], ['hi']], options: { turnTimeoutMs: 5_000 } });
    expect(outcomes).toMatchObject([
      { endReason: 'turn_limit', error: { code: 'turn_limit', message: expect.stringContaining('timed out in turn 1') } },
      { endReason: 'completed', answers: ['fake: hi'] },
    ]);
  }, 60_000);

  test('never more requests at once than trials', async () => {
    const { served } = await run({ default: { text: 'ok', delayMs: 30 } }, { texts: Array.from({ length: 8 }, (_unused, index) => [`${index}`]), options: { concurrency: 3 } });
    expect(served.total).toBe(8);
    expect(served.maxInFlight).toBeLessThanOrEqual(3);
  }, 60_000);
});
