import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

/** A real server in this process, on a port of the system's choice. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Connections that were opened, and those that are open. */
  readonly sockets: Set<Socket>;
  opened: number;
  close(): Promise<void>;
}

/** Starts a server. */
export async function serve(handler: RequestListener): Promise<LocalServer> {
  return listen(createServer(handler));
}

/** Lets a server listen. */
export async function listen(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const local: LocalServer = { url: '', port: 0, server, sockets, opened: 0, close: () => close(server, sockets) };
  server.on('connection', (socket) => {
    local.opened += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(local, { port, url: `http://127.0.0.1:${port}` });
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

/** The body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text;
}

/** What came of a request that another process sent. */
export interface ChildOutcome {
  readonly text?: string;
  readonly code?: string;
  readonly message?: string;
}

/**
 * Sends requests with the built client from a process of its own: what is ESM-only, or set when Node starts, needs one.
 *
 * @param nodeEnv  variables of the process
 */
export async function requestInChild(given: { readonly url: string; readonly headers?: readonly (readonly [string, string])[]; readonly env?: object; readonly calls: readonly object[] }, nodeEnv: Readonly<Record<string, string>> = {}): Promise<readonly ChildOutcome[]> {
  const child = spawn(process.execPath, [join(__dirname, 'http-child.cjs'), JSON.stringify(given)], { env: { PATH: process.env.PATH, ...nodeEnv }, stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 });
  let output = '';
  for await (const piece of child.stdout.setEncoding('utf8')) output += piece as string;
  return JSON.parse(output) as readonly ChildOutcome[];
}
