/** An agent behind a URL: a server that answers like `adk api_server`, google-adk's or that of `@google/adk-devtools`. */
import { JestAdkError, type Problem, refusal } from '../support/errors';
import { checkPathSegment } from '../support/ids';
import { check, optionProblems, type Checks } from '../support/option-checks';
import { keepSecret } from '../support/secrets';
import { listApps } from './adk-server-api';
import { RemoteSessions } from './adk-server-sessions';
import { type BaseUrl, parseBaseUrl, segmentProblem } from './http/base-url';
import { HttpClient } from './http/client';
import { headerPairs, headerRefusals, type HeaderPair, type HeadersOption } from './http/headers';
import type { Environment } from './http/proxy';
import type { PrepareTarget, Target } from './types';

/** Options of `remoteAgent`. */
export interface RemoteAgentOptions {
  /** The app on the server; without it the only one that the server lists. */
  readonly appName?: string;
  /** Sent with every request: pairs, of which several may have one name, or an object. Values are secret. */
  readonly headers?: HeadersOption;
  /** Milliseconds that each request may take in all; 300,000 when left out. */
  readonly timeoutMs?: number;
  /** Attempts after the first to list the apps and to make a session, after 429, 503 and refused connections; 2 when left out. A turn is sent once. */
  readonly retries?: number;
  /** Asks for a stream of events (`/run_sse`). */
  readonly stream?: boolean;
  /** Leaves the sessions that were made on the server. */
  readonly keepSessions?: boolean;
  /** Where the proxy variables are read; the process's environment when left out. */
  readonly env?: Environment;
}

interface Settings {
  readonly base: BaseUrl;
  readonly appName: string | undefined;
  readonly headers: readonly HeaderPair[];
  readonly timeoutMs: number;
  readonly retries: number;
  readonly stream: boolean;
  readonly keepSessions: boolean;
  readonly env: Environment;
}

const checks: Checks<RemoteAgentOptions> = {
  appName: check.text,
  headers: check.object,
  timeoutMs: check.milliseconds,
  retries: (value) => (Number.isInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number of at least 0'),
  stream: check.flag,
  keepSessions: check.flag,
  env: check.object,
};

const capabilities = { appDetails: false, state: true, artifacts: false, plugins: false, cancel: true } as const;
const kind = 'adk-server';

/**
 * Evaluates the agent of a server that answers like `adk api_server`. Nothing is asked before the evaluation is planned.
 *
 * @param url      where the server is, e.g. `https://agent.example.com/prefix`
 * @throws {JestAdkError} with everything that is wrong with the URL and the options: `bad_url`, `bad_option`, `unknown_option`, `bad_header`, `unsafe_id`
 */
export function adkServerTarget(url: string, options: RemoteAgentOptions = {}): Target {
  const settings = settingsOf(url, options);
  /** For callers that do not prepare. */
  let own: Promise<Target> | undefined;
  return {
    kind,
    ...(settings.appName === undefined ? {} : { appName: settings.appName }),
    capabilities,
    keepsSessions: true,
    refusal: ({ userId }) => userProblem(userId),
    prepare: (context) => evaluationTarget(settings, context),
    openSession: async (input, signal) => (await (own ??= evaluationTarget(settings, { signal }))).openSession(input, signal),
    close: async (signal) => {
      const target = await own?.catch(() => undefined);
      own = undefined;
      return target?.close(signal);
    },
  };
}

/**
 * The apps of a server, asked for once.
 *
 * @throws {JestAdkError} as `adkServerTarget`, and `RequestFailure` when it does not answer with a list of names
 */
export async function serverApps(url: string, options: RemoteAgentOptions): Promise<readonly string[]> {
  const settings = settingsOf(url, options);
  const client = new HttpClient(settings);
  try {
    return await listApps(client, { ...settings, signal: new AbortController().signal });
  } finally {
    client.close();
  }
}

function settingsOf(url: string, options: RemoteAgentOptions): Settings {
  const { appName, headers = [], timeoutMs = 300_000, retries = 2, stream = false, keepSessions = false, env = process.env } = options;
  const problems: Problem[] = [];
  const collect = <T>(step: () => T): T | undefined => {
    try {
      return step();
    } catch (thrown) {
      if (!(thrown instanceof JestAdkError)) throw thrown;
      problems.push(...thrown.problems);
      return undefined;
    }
  };
  const base = collect(() => parseBaseUrl(url));
  problems.push(...optionProblems(withoutValues(options), checks));
  if (typeof appName === 'string' && appName !== '') collect(() => checkPathSegment(appName, 'app name'));
  const pairs = typeof headers === 'object' && headers !== null ? headerPairs(headers) : [];
  problems.push(...headerRefusals(pairs).flatMap((one) => one.problems));
  if (base === undefined || problems.length > 0) throw new JestAdkError(problems[0]?.code ?? 'bad_url', problems);
  for (const [, value] of pairs) for (const secret of [value, ...value.split(/\s+/).slice(1)]) keepSecret(secret);
  return { base, appName, headers: pairs, timeoutMs, retries, stream, keepSessions, env };
}

/** A message shows the value of an option; these hold secrets. */
function withoutValues(options: RemoteAgentOptions): object {
  return { ...options, ...(typeof options.headers === 'object' ? { headers: {} } : {}), ...(typeof options.env === 'object' ? { env: {} } : {}) };
}

/** The target of one evaluation: its app is known, its sessions and connections are its own. */
async function evaluationTarget(settings: Settings, { appName: given, signal }: PrepareTarget): Promise<Target> {
  const client = new HttpClient(settings);
  try {
    const appName = settings.appName ?? given ?? (await onlyApp(client, settings, signal));
    checkPathSegment(appName, 'app name');
    const sessions = new RemoteSessions({ ...settings, client, appName });
    return {
      kind,
      appName,
      capabilities,
      refusal: ({ userId }) => userProblem(userId),
      openSession: (input, one) => sessions.start(input, one),
      close: async (over) => {
        const warnings = await sessions.finish(over);
        client.close();
        return warnings;
      },
    };
  } catch (thrown) {
    client.close();
    throw thrown;
  }
}

const nameIt = 'Name the app yourself: --app-name on the command line, the option "appName" in code.';

async function onlyApp(client: HttpClient, { timeoutMs, retries }: Settings, signal: AbortSignal | undefined): Promise<string> {
  const names = await listApps(client, { timeoutMs, retries, signal }).catch((thrown: unknown) => {
    if (!(thrown instanceof JestAdkError) || thrown.code === 'http_aborted') throw thrown;
    throw new JestAdkError(thrown.code, thrown.problems.map((problem) => ({ ...problem, hint: [problem.hint, nameIt].filter(Boolean).join(' ') })), { cause: thrown });
  });
  const [only] = names;
  if (only === undefined) throw refusal('no_app', 'The server has no apps: GET /list-apps was answered with an empty list.', nameIt);
  if (names.length > 1) throw refusal('several_apps', `The server has ${names.length} apps (GET /list-apps): ${[...names].sort().map((name) => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name)).join(', ')}.`, nameIt);
  return only;
}

function userProblem(userId: string): { readonly code: string; readonly message: string } | undefined {
  const problem = segmentProblem(userId);
  return problem === undefined ? undefined : { code: 'bad_user_id', message: `The user id ${JSON.stringify(userId)} cannot be part of a path: ${problem}.` };
}
