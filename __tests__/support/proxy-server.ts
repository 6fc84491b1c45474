import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { serve } from './http-server';

/** A real proxy that resolves every host to this machine. */
export async function startProxy(targetPort: number): Promise<{ readonly url: string; readonly seen: (readonly [string, string | undefined, readonly string[]])[]; close(): Promise<void> }> {
  const seen: (readonly [string, string | undefined, readonly string[]])[] = [];
  const proxy = await serve((incoming: IncomingMessage, response) => {
    seen.push([incoming.method ?? '', incoming.url, incoming.rawHeaders]);
    const { pathname } = new URL(incoming.url ?? '');
    const forwarded = httpRequest({ host: '127.0.0.1', port: targetPort, path: pathname, method: incoming.method, headers: incoming.headers }, (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 500)));
    incoming.pipe(forwarded);
  });
  proxy.server.on('connect', (incoming, socket) => {
    seen.push([incoming.method ?? '', incoming.url, incoming.rawHeaders]);
    const onward = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { url: proxy.url, seen, close: () => proxy.close() };
}
