import { createNodeAdkProvider, type AdkProvider } from '../target/adk-copy';
import { type AdkRunner, type AdkServices, type AdkSession, isAdk } from '../target/adk-shapes';
import { stateBefore, type ExportedSession } from './load';

/** What may be said of a resumed session; everything else is taken from the export. */
export interface ResumeOptions {
  readonly appName?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  /** Services to use; what is left out is in memory. */
  readonly services?: AdkServices;
}

/** A runner with a session that goes on where the exported one ended. */
export interface ResumedSession {
  readonly runner: AdkRunner;
  /** As the session service has it. */
  readonly session: AdkSession;
}

/**
 * Restores an exported session into a runner of the agent's own copy of the SDK (pytest-adk's `runner_from_exported_session`): the session is made with the state from before its events, and every event is
 * appended in order. Keys that events set get their values from the events alone, so that nothing is applied twice.
 *
 * @param agent    an agent or an `App`
 * @param session  what `loadSessionFromJson` gave
 * @param adk      finds the SDK's copy; looked for among the modules of the process and from the working directory when left out
 */
export async function runnerFromExportedSession(agent: object, session: ExportedSession, options: ResumeOptions = {}, adk: AdkProvider = createNodeAdkProvider([process.cwd()])): Promise<ResumedSession> {
  const sdk = await adk(agent);
  const { appName = session.appName, userId = session.userId, sessionId = session.id, services = {} } = options;
  const sessionService = services.sessionService ?? new sdk.InMemorySessionService();
  const runner = new sdk.Runner({
    artifactService: new sdk.InMemoryArtifactService(),
    memoryService: new sdk.InMemoryMemoryService(),
    ...services,
    sessionService,
    ...(isAdk('app', agent) ? { app: agent as never } : { agent }),
    appName,
  });
  const made = await sessionService.createSession({ appName, userId, sessionId, state: structuredClone(stateBefore(session)) });
  for (const event of session.events) {
    if (event.partial === true) continue;
    // This SDK counts in milliseconds.
    const { timestamp, ...rest } = event;
    await sessionService.appendEvent({ session: made, event: sdk.createEvent(structuredClone({ ...rest, ...(timestamp === undefined ? {} : { timestamp: timestamp * 1000 }) })) });
  }
  const stored = await sessionService.getSession({ appName, userId, sessionId: made.id });
  return { runner, session: stored ?? made };
}
