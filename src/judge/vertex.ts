/** Vertex AI's evaluation service, through its REST API. Source: google-adk 2.13 and the service's reference, v1beta1. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pause, systemClock, type Clock } from '../support/clock';
import { refusal, toErrorInfo } from '../support/errors';
import { keepSecret } from '../support/secrets';

/** A verdict of the service on one property. */
interface RubricVerdict {
  readonly evaluatedRubric?: { readonly rubricId?: string; readonly content?: { readonly property?: { readonly description?: string } } };
  readonly verdict?: boolean;
  readonly reasoning?: string;
}

/** What the service says of one metric. */
export interface VertexMetricResult {
  readonly score?: number;
  readonly explanation?: string;
  readonly rubricVerdicts?: readonly RubricVerdict[];
  /** Counts when its code is there and not 0. */
  readonly error?: { readonly code?: number; readonly message?: string };
}

/** One of the service's answers. */
export interface VertexAnswer {
  readonly metricResults?: readonly VertexMetricResult[];
}

/** Sends one request of the service. An answer with an `error` entry stands for a failure that did not pass. */
export interface VertexService {
  evaluate(body: object, signal: AbortSignal): Promise<VertexAnswer>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a project of Vertex AI is configured: then metrics of its service are scored there unless something else is asked for. */
export function isVertexConfigured(env: Environment): boolean {
  return (env.GOOGLE_CLOUD_PROJECT ?? '') !== '' && (env.GOOGLE_CLOUD_LOCATION ?? '') !== '';
}

/** How the service is reached. */
export interface VertexOptions {
  readonly env: Environment;
  /** Folders from which google-auth-library is resolved: the SDK brings it. */
  readonly folders: readonly string[];
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** Statuses that may pass, and tries of one request, the first one included. Source: google-adk 2.13. */
const retryStatuses: ReadonlySet<number> = new Set([408, 409, 429, 499, 500, 502, 503, 504]);
const attempts = 5;

/** Requests that may be started in a second. */
const perSecond = 10;

/** Milliseconds that one request may take. */
const timeoutMs = 120_000;

/**
 * The service as the environment configures it: by `GOOGLE_API_KEY`, else by project and location.
 *
 * @throws {JestAdkError} `no_vertex` with what is missing
 */
export function vertexService(options: VertexOptions): VertexService {
  const { env } = options;
  const endpoint = endpointOf(env);
  const headers = headersOf(options);
  const gate = rateLimit(options.clock ?? systemClock);
  return {
    async evaluate(body, signal) {
      let last = '';
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        await gate(signal);
        const answer = await send(endpoint, { body, headers: await headers(), signal });
        if (answer.ok) return answer.value;
        last = answer.reason;
        if (!answer.worthRetrying || attempt === attempts) break;
        await pause((2 ** attempt + (options.random ?? Math.random)()) * 1000, options.clock ?? systemClock, signal);
      }
      return { metricResults: [{ error: { code: 13, message: last } }] };
    },
  };
}

/** `GOOGLE_VERTEX_BASE_URL` stands in for Google's addresses, as in google-genai. */
function endpointOf(env: Environment): string {
  const baseUrl = (env.GOOGLE_VERTEX_BASE_URL ?? '') === '' ? undefined : env.GOOGLE_VERTEX_BASE_URL?.replace(/\/+$/, '');
  if ((env.GOOGLE_API_KEY ?? '') !== '') return `${baseUrl ?? 'https://aiplatform.googleapis.com'}/v1beta1/:evaluateInstances`;
  const missing = ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'].filter((name) => (env[name] ?? '') === '');
  if (missing.length > 0) throw refusal('no_vertex', `The evaluation service of Vertex AI needs GOOGLE_API_KEY, or a project and a location: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`, 'Set them, or let a model of yours judge: "engine": "judge" in the criterion.');
  const [project = '', location = ''] = [env.GOOGLE_CLOUD_PROJECT, env.GOOGLE_CLOUD_LOCATION].map((value) => encodeURIComponent(value ?? ''));
  return `${baseUrl ?? `https://${location}-aiplatform.googleapis.com`}/v1beta1/projects/${project}/locations/${location}:evaluateInstances`;
}

interface GoogleAuth {
  getAccessToken(): Promise<string | null | undefined>;
}

function headersOf({ env, folders }: VertexOptions): () => Promise<Record<string, string>> {
  const key = env.GOOGLE_API_KEY ?? '';
  if (key !== '') {
    keepSecret(key);
    return () => Promise.resolve({ 'x-goog-api-key': key });
  }
  let auth: GoogleAuth | undefined;
  return async () => {
    auth ??= loadAuth(folders);
    const token = await auth.getAccessToken();
    if (token === null || token === undefined || token === '') throw refusal('no_credentials', 'Google credentials gave no access token.', 'Run "gcloud auth application-default login".');
    keepSecret(token);
    return { authorization: `Bearer ${token}` };
  };
}

function loadAuth(folders: readonly string[]): GoogleAuth {
  for (const folder of folders) {
    try {
      const { GoogleAuth: Auth } = createRequire(join(folder, 'noop.js'))('google-auth-library') as { GoogleAuth: new (options: object) => GoogleAuth };
      return new Auth({ scopes: ['https://www.googleapis.com/auth/cloud-platform'] });
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw thrown;
    }
  }
  throw refusal('no_auth_library', 'google-auth-library is not installed, and a project of Vertex AI is reached with Google credentials.', 'Run "npm install google-auth-library@10".');
}

type Sent = { readonly ok: true; readonly value: VertexAnswer } | { readonly ok: false; readonly reason: string; readonly worthRetrying: boolean };

async function send(endpoint: string, { body, headers, signal }: { readonly body: object; readonly headers: Record<string, string>; readonly signal: AbortSignal }): Promise<Sent> {
  let response: Response;
  try {
    response = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body), signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), redirect: 'error' });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { ok: false, reason: `the service could not be reached: ${toErrorInfo(thrown).message}`, worthRetrying: false };
  }
  const text = await response.text();
  if (!response.ok) return { ok: false, reason: `the service answered ${response.status}: ${text.replace(/\s+/g, ' ').slice(0, 300)}`, worthRetrying: retryStatuses.has(response.status) };
  try {
    return { ok: true, value: JSON.parse(text) as VertexAnswer };
  } catch {
    return { ok: false, reason: `the service answered with something that is no JSON: ${text.replace(/\s+/g, ' ').slice(0, 200)}`, worthRetrying: false };
  }
}

/** Lets so many requests start in any second. */
function rateLimit(clock: Clock): (signal: AbortSignal) => Promise<void> {
  let next = 0;
  return async (signal) => {
    const now = clock.elapsed();
    const at = Math.max(now, next);
    next = at + 1000 / perSecond;
    if (at > now) await pause(at - now, clock, signal);
  };
}
