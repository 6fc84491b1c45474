/** One HTTP client per server: kept connections, a true limit of time and size per request, redirects not followed. */
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import { abortReason } from '../../support/abort-reason';
import { stringifyJson } from '../../support/json';
import { redacted } from '../../support/secrets';
import { type Answer, type AnswerReader, readAnswer, statusFailure, textReader } from './answer';
import { type BaseUrl, pathBelow } from './base-url';
import { connectionFailure, type FailureDetails, RequestFailure } from './failure';
import { flatHeaders, type HeaderPair } from './headers';
import { type Environment, proxyFor } from './proxy';

/** Milliseconds that a connection is kept without a request. Some servers close theirs after two seconds, and a request sent just then is lost. */
const idleMs = 1_500;

/** The longest delay that timers know; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

/** How a server is asked. */
export interface ClientOptions {
  readonly base: BaseUrl;
  /** Sent with every request, in this order. */
  readonly headers: readonly HeaderPair[];
  /** Milliseconds that a request may take, from the connection to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Where the proxy variables are read. */
  readonly env: Environment;
}

/** One request. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of the path below the server's address, not encoded. */
  readonly segments: readonly string[];
  /** Sent as JSON. */
  readonly body?: unknown;
  /** When aborted, the connection is closed: the server sees it. */
  readonly signal?: AbortSignal | undefined;
  /** Less time than the client's. */
  readonly timeoutMs?: number;
  readonly accept?: string;
}

/** Asks one server. Connects at the first request. */
export class HttpClient {
  private readonly transport: { request(options: RequestOptions): ClientRequest };
  private readonly proxy: string | undefined;
  private readonly secrets: readonly string[];
  private agent: Agent | undefined;

  constructor(private readonly options: ClientOptions) {
    const { base, env, headers } = options;
    this.transport = base.secure ? (require('node:https') as typeof import('node:https')) : (require('node:http') as typeof import('node:http'));
    this.proxy = proxyFor(base, env);
    this.secrets = headers.flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]).filter((value) => value.length >= 4);
  }

  /**
   * Sends a request and reads the answer.
   *
   * @throws {RequestFailure} as `send`, and `http_status` or `http_redirect` with the server's words when the status is no 2xx
   */
  async request(call: Call): Promise<Answer> {
    const answer = await this.send(call, textReader());
    const failure = statusFailure(answer, answer.text);
    if (failure !== undefined) throw this.failure(call, failure);
    return answer;
  }

  /**
   * Sends a request and hands the answer over as it comes, whatever its status.
   *
   * @throws {RequestFailure} when there is no whole answer: no connection, too late, too large, cut off, aborted
   */
  send<T>(call: Call, reader: AnswerReader<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { signal, timeoutMs = this.options.timeoutMs } = call;
      let request: ClientRequest | undefined;
      const settle = (act: () => void): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        act();
      };
      let settled = false;
      const threw = (thrown: unknown): void =>
        settle(() => {
          request?.destroy();
          reject(thrown);
        });
      // Every answer ends with a "close": an error, with its stack, is made only when somebody will see it.
      const failed = (details: FailureDetails, cause?: unknown): void => {
        if (!settled) threw(this.failure(call, details, cause));
      };
      const onAbort = (): void => failed({ code: 'http_aborted', reason: `was aborted${abortReason(signal?.reason)}` });
      const timer = setTimeout(() => failed({ code: 'http_timeout', reason: `was not answered within ${seconds(timeoutMs)}` }), Math.min(timeoutMs, longestDelay));
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) return onAbort();
      try {
        const body = call.body === undefined ? undefined : stringifyJson(call.body, 0);
        request = this.open(call, body);
        request.on('error', (error) => failed(connectionFailure(error, this.address), error));
        request.on('response', (response) => readAnswer(response, reader, this.address, { done: (value) => settle(() => resolve(value)), failed, threw }));
        request.end(body);
      } catch (thrown) {
        threw(thrown);
      }
    });
  }

  /** The failure of a request; header values that the server repeats are left out of it, short ones too. */
  failure({ method, segments }: Pick<Call, 'method' | 'segments'>, details: FailureDetails, cause?: unknown): RequestFailure {
    const reason = this.secrets.reduce((text, secret) => text.replaceAll(secret, redacted), details.reason);
    return new RequestFailure(`${method} ${pathBelow('', segments)}`, { ...details, reason }, cause);
  }

  /** Closes the kept connections. */
  close(): void {
    this.agent?.destroy();
    this.agent = undefined;
  }

  private get address(): string {
    return this.proxy === undefined ? this.options.base.authority : `${this.options.base.authority}, through a proxy`;
  }

  private open({ method, segments, accept = 'application/json' }: Call, body: string | undefined): ClientRequest {
    const { base, headers } = this.options;
    const path = pathBelow(base.path, segments);
    const own: HeaderPair[] = [['host', base.authority], ['accept', accept]];
    if (body !== undefined) own.push(['content-type', 'application/json'], ['content-length', String(Buffer.byteLength(body))]);
    const flat = flatHeaders(headers, own);
    const { proxy } = this;
    const target = { method, host: base.host, port: base.port };
    if (proxy === undefined) {
      this.agent ??= this.directAgent();
      return this.transport.request({ ...target, path, agent: this.agent, headers: flat });
    }
    const { openThroughProxy, proxyAgent }: typeof import('./through-proxy') = require('./through-proxy');
    this.agent ??= proxyAgent(proxy, base.secure, idleMs);
    return openThroughProxy(this.transport, { ...target, path, agent: this.agent }, flat, base.secure);
  }

  /** As many connections as there are requests at once; how many that are is decided elsewhere. */
  private directAgent(): Agent {
    const options = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 256, timeout: idleMs };
    return this.options.base.secure ? new (require('node:https') as typeof import('node:https')).Agent(options) : new (require('node:http') as typeof import('node:http')).Agent(options);
  }
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}
