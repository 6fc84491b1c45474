import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanEnv, commandFolder, removeCommandFolders } from '../support/command';

jest.setTimeout(60_000);
const launcher = join(__dirname, '..', '..', 'bin', 'jest-adk.js');

/** A server that answers the cases named `good`, and holds everything else back. */
class HoldingServer {
  readonly sessions = new Set<string>();
  readonly deleted = new Set<string>();
  private readonly waiting = new Map<string, () => void>();
  private readonly seen = new Map<string, number>();
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));
  url = '';
  holdsDeletes = false;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Resolves when a request of a kind has come so many times. */
  async came(kind: string, times = 1): Promise<void> {
    while ((this.seen.get(kind) ?? 0) < times) await new Promise<void>((resolve) => this.waiting.set(kind, resolve));
  }

  private note(kind: string): void {
    this.seen.set(kind, (this.seen.get(kind) ?? 0) + 1);
    this.waiting.get(kind)?.();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const send = (value: unknown): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.method === 'DELETE') {
      this.deleted.add(request.url?.split('/').at(-1) ?? '');
      if (!this.holdsDeletes) send(null);
      this.note('DELETE');
    } else if (request.url === '/run') {
      const { newMessage, sessionId } = JSON.parse(body) as { newMessage: { parts: { text: string }[] }; sessionId: string };
      const text = newMessage.parts[0]?.text ?? '';
      if (text === 'good') send([{ invocationId: sessionId, author: 'a', content: { role: 'model', parts: [{ text: 'fine' }] } }]);
      this.note(text);
    } else {
      const id = `s${this.sessions.size}`;
      this.sessions.add(id);
      send({ id });
    }
  }
}

function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly stderr: string; readonly stdout: string }> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const cases = ['good', 'slow', 'late'].map((id) => ({ eval_id: id, conversation: [{ user_content: { parts: [{ text: id }] }, final_response: { parts: [{ text: 'fine' }] } }] }));
const files = { 'evals/a.test.json': { eval_set_id: 's', eval_cases: cases }, 'evals/test_config.json': { criteria: { response_match_score: 0.8 } } };
let server: HoldingServer;

beforeEach(async () => {
  server = await new HoldingServer().start();
});
afterEach(() => server.stop());
afterAll(removeCommandFolders);

describe.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('%s', (signal, code) => {
  test(`ends a run in order: nothing new starts, what ended is saved, sessions are deleted, exit ${code}`, async () => {
    const { dir } = commandFolder(files);
    const child = spawn(process.execPath, [launcher, 'eval', server.url, 'evals', '--app-name', 'app', '--num-runs', '1', '--parallelism', '1'], { cwd: dir, env: cleanEnv() });
    const end = ended(child);
    await server.came('slow');
    child.kill(signal);
    const { code: seen, stdout, stderr } = await end;
    expect({ seen, stderr }).toMatchObject({ seen: code, stderr: expect.stringContaining(`${signal}: nothing new is started`) as string });
    expect(server.sessions.size).toBe(2);
    expect([...server.deleted].sort()).toEqual([...server.sessions].sort());
    const folder = join(dir, 'app', '.adk', 'eval_history');
    const [file] = readdirSync(folder);
    const saved = JSON.parse(readFileSync(join(folder, file ?? ''), 'utf8')) as { eval_case_results: { eval_id: string }[] };
    expect(saved.eval_case_results.map((entry) => entry.eval_id)).toEqual(['good']);
    expect(stdout).toContain('Eval results saved under');
    expect(stderr).toContain('1 of 3 cases passed (33%), 0 failed, 0 errors, 2 not run');
  });

  test('a second one ends at once, whatever is still to be tidied', async () => {
    server.holdsDeletes = true;
    const { dir } = commandFolder(files);
    const child = spawn(process.execPath, [launcher, 'eval', server.url, 'evals', '--app-name', 'app', '--num-runs', '1', '--parallelism', '1'], { cwd: dir, env: cleanEnv() });
    const end = ended(child);
    await server.came('slow');
    child.kill(signal);
    await server.came('DELETE', 2);
    child.kill(signal);
    const { code: seen, stdout } = await end;
    expect({ seen, stdout }).toEqual({ seen: code, stdout: '' });
  });
});
