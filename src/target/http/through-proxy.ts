/** Requests that go through a proxy. Loaded only when a proxy variable is set. */
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import { refusal } from '../../support/errors';

/**
 * An agent that connects through a proxy. Connections to TLS servers, which are tunnels, are kept. Those for plain HTTP are not: the
 * package makes a request one for a proxy (whole URL, password) only when it connects for it.
 *
 * @param proxy   its URL; what it speaks (HTTP, HTTPS, SOCKS) is in the scheme
 * @param secure  the server speaks TLS
 * @param idleMs  milliseconds that a connection is kept without a request
 * @throws {JestAdkError} `bad_proxy` for what is no proxy's URL, which may hold a password and is not repeated
 */
export function proxyAgent(proxy: string, secure: boolean, idleMs: number): Agent {
  if (!URL.canParse(proxy) || !/^(https?|socks(4a?|5h?)?|pac\+\w+):$/.test(new URL(proxy).protocol)) {
    throw refusal('bad_proxy', 'The proxy that the environment names (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY) is no URL that can be used.', 'Write it like http://proxy.example.com:3128.');
  }
  const { ProxyAgent } = require('proxy-agent') as typeof import('proxy-agent');
  return new ProxyAgent({ keepAlive: secure, maxSockets: Infinity, timeout: idleMs, getProxyForUrl: () => proxy });
}

/**
 * Opens a request. The agent writes the headers again once it knows the proxy, for which they have to be set one by one; and for plain HTTP it
 * makes a URL of the path, which would swallow segments of dots: those are refused.
 */
export function openThroughProxy(transport: { request(options: RequestOptions): ClientRequest }, options: RequestOptions, headers: readonly string[], secure: boolean): ClientRequest {
  const path = options.path ?? '';
  if (!secure && new URL(path, 'http://host').pathname !== path) throw refusal('bad_path', `The path ${path} cannot be asked for through a proxy, which takes segments of dots for directions.`);
  const request = transport.request(options);
  const given = new Set<string>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (given.has(name.toLowerCase())) request.appendHeader(name, value);
    else request.setHeader(name, value);
    given.add(name.toLowerCase());
  }
  return request;
}
