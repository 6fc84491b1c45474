import { ModelClient, type ModelServices } from '../../src/judge/client';
import { ModelLimit } from '../../src/judge/limit';
import type { Model, ModelAnswer, ModelRequest } from '../../src/judge/types';
import { UsageLedger } from '../../src/judge/usage';

/** Says what the model answers to a request: a text, a whole answer, or something thrown. */
export type Script = (request: ModelRequest, call: number, signal: AbortSignal) => string | Partial<ModelAnswer> | Promise<string | Partial<ModelAnswer>>;

export interface ScriptedClient {
  readonly client: ModelClient;
  readonly ledger: UsageLedger;
  /** Every request, in order. */
  readonly requests: readonly ModelRequest[];
  /** The most requests that were under way at once. */
  readonly peak: () => number;
}

let models = 0;

/** A client whose model is scripted. Waits between tries take no time unless a clock is given. */
export function scriptedClient(script: Script, services: Partial<ModelServices> & { readonly limit?: ModelLimit; readonly atOnce?: number } = {}): ScriptedClient {
  const requests: ModelRequest[] = [];
  let running = 0;
  let peak = 0;
  const model: Model = {
    name: `scripted-${(models += 1)}`,
    kind: 'llm',
    async generate(request, signal) {
      requests.push(request);
      running += 1;
      peak = Math.max(peak, running);
      try {
        const answer = await script(request, requests.length, signal);
        return typeof answer === 'string' ? { content: { role: 'model', parts: [{ text: answer }] } } : { content: undefined, ...answer };
      } finally {
        running -= 1;
      }
    },
  };
  const ledger = new UsageLedger();
  const { limit = new ModelLimit(model.name, services.atOnce ?? 10), ...rest } = services;
  const clock = { now: () => 0, elapsed: () => 0, after: (_ms: number, callback: () => void) => (_ms > 60_000 ? () => undefined : (queueMicrotask(callback), () => undefined)) };
  return { client: new ModelClient(model, 'judge', limit, { ledger, clock, random: () => 0.5, ...rest }), ledger, requests, peak: () => peak };
}

export const never: AbortSignal = new AbortController().signal;

/** An error as an HTTP client throws it. */
export function httpError(status: number, message = `status ${status}`, more: object = {}): Error {
  return Object.assign(new Error(message), { status, ...more });
}
