import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One request as the fake server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Raw: still percent-encoded. */
  readonly url: string;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly body: unknown;
  readonly status: number;
  readonly outcome: 'ok' | 'aborted' | 'dropped';
}

/** What the fake server counts. */
export interface ServerStats {
  readonly total: number;
  readonly byRoute: Readonly<Record<string, number>>;
  readonly maxRunsInFlight: number;
  readonly runs: number;
  readonly aborted: number;
  readonly sessionsCreated: number;
  readonly sessionsDeleted: number;
  readonly sessionsLeftOver: number;
  readonly openConnections: number;
  readonly sessions: readonly { readonly id: string; readonly turns: number; readonly maxRunning: number }[];
}

/** A scripted imitation of `adk api_server`, in a process of its own. */
export interface FakeServer {
  readonly url: string;
  readonly port: number;
  /** Takes a script (see fake-adk-server.mjs) and forgets what was seen. */
  script(script?: object): Promise<void>;
  stats(): Promise<ServerStats>;
  requests(): Promise<readonly SeenRequest[]>;
  /** The one process that may be killed. */
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts one of the fake servers beside this file; it ends with this process. */
export async function startChildServer(file: 'fake-adk-server.mjs' | 'fake-gemini.mjs', ...args: readonly string[]): Promise<{ readonly url: string; readonly port: number; readonly child: ChildProcess; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(__dirname, file), '--port', '0', '--exit-with-stdin', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, port } = JSON.parse(line) as { url: string; port: number };
    const stop = async (): Promise<void> => {
      child.stdin.end();
      await closed;
    };
    return { url, port, child, stop };
  }
  throw new Error(`${file} did not start`);
}

/** Starts the fake server in a dialect. */
export async function startFakeServer(dialect: 'python' | 'js' = 'python'): Promise<FakeServer> {
  const server = await startChildServer('fake-adk-server.mjs', '--dialect', dialect);
  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${server.url}${path}`)).json()) as T;
  return {
    ...server,
    script: async (script = {}) => {
      const answer = await fetch(`${server.url}/__script`, { method: 'POST', body: JSON.stringify(script) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    stats: () => get('/__stats'),
    requests: () => get('/__log'),
  };
}
