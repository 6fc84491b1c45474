import type { IncomingMessage, ServerResponse } from 'node:http';
import { deferred } from '../inference/helpers';
import { bodyOf, type LocalServer, serve } from './http-server';

/** A request that waits for its answer. */
export interface WaitingRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Resolved when the client has gone, or the answer is out. */
  readonly closed: Promise<void>;
  /** Answers with JSON. */
  answer(value: unknown, status?: number): void;
}

/** A server whose every answer the test gives by hand, when it likes. */
export interface ManualServer extends LocalServer {
  /** The next request that nobody has taken yet whose method and path begin so, e.g. `POST /run`. */
  next(what: string): Promise<WaitingRequest>;
  /** Requests that came and were not taken. */
  readonly waiting: readonly WaitingRequest[];
}

/** Starts one. */
export async function startManualServer(): Promise<ManualServer> {
  const waiting: WaitingRequest[] = [];
  const takers: { readonly what: string; readonly take: (request: WaitingRequest) => void }[] = [];
  const matches = (what: string, { method, path }: WaitingRequest): boolean => `${method} ${path}`.startsWith(what);
  const server = await serve((request, response) => {
    void bodyOf(request).then((text) => {
      const closed = deferred();
      response.once('close', closed.resolve);
      const arrived: WaitingRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
        request,
        response,
        closed: closed.promise,
        answer: (value, status = 200) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
      };
      const taker = takers.findIndex(({ what }) => matches(what, arrived));
      if (taker === -1) waiting.push(arrived);
      else takers.splice(taker, 1)[0]?.take(arrived);
    });
  });
  return Object.assign(server, {
    waiting,
    next: (what: string) =>
      new Promise<WaitingRequest>((take) => {
        const index = waiting.findIndex((request) => matches(what, request));
        const [found] = index === -1 ? [] : waiting.splice(index, 1);
        if (found === undefined) takers.push({ what, take });
        else take(found);
      }),
  });
}

/** An answer of `/run`: one event with a text. */
export function says(text: string): readonly object[] {
  return [{ author: 'agent', invocationId: 'e-1', content: { role: 'model', parts: [{ text }] } }];
}
