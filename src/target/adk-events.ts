import type { Content, JsonObject, UsageMetadata } from '../evalset/types';
import type { AdkEvent, AdkSession, SessionService } from './adk-shapes';
import { toPlain } from './plain';
import type { AgentEvent } from './types';

/** An event of the SDK as plain data: milliseconds become seconds, and what nothing reads is left out. */
export function fromAdkEvent(event: AdkEvent, nestedIn?: string): AgentEvent {
  const { content, actions, usageMetadata, groundingMetadata, longRunningToolIds } = event;
  return {
    invocationId: event.invocationId ?? '',
    author: event.author ?? '',
    ...(content === undefined ? {} : { content: toPlain(content) as Content }),
    ...(event.partial === true ? { partial: true } : {}),
    ...texts(event),
    ...(Array.isArray(longRunningToolIds) && longRunningToolIds.length > 0 ? { longRunningToolIds: longRunningToolIds as string[] } : {}),
    ...(actions === undefined ? {} : { actions: relevantActions(actions) }),
    ...(isObject(usageMetadata) ? { usageMetadata: toPlain(usageMetadata) as UsageMetadata } : {}),
    ...(isObject(groundingMetadata) ? { groundingMetadata: toPlain(groundingMetadata) as JsonObject } : {}),
    ...(event.timestamp === undefined ? {} : { timestamp: event.timestamp / 1000 }),
    ...(nestedIn === undefined ? {} : { nestedIn }),
  };
}

function texts(event: AdkEvent): Partial<AgentEvent> {
  const found = (['id', 'errorCode', 'errorMessage', 'modelVersion', 'branch'] as const).filter((name) => typeof event[name] === 'string');
  return Object.fromEntries(found.map((name) => [name, event[name]]));
}

function relevantActions(actions: Readonly<Record<string, unknown>>): NonNullable<AgentEvent['actions']> {
  const { skipSummarization, stateDelta, artifactDelta } = actions;
  return {
    ...(skipSummarization === true ? { skipSummarization: true } : {}),
    ...(isObject(stateDelta) ? { stateDelta: toPlain(stateDelta) as JsonObject } : {}),
    ...(isObject(artifactDelta) ? { artifactDelta: toPlain(artifactDelta) as JsonObject } : {}),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The same session service, which tells what is stored in sessions other than the trial's own. `AgentTool` runs its agent in a session
 * of the same service under the agent's name; its events reach neither the caller nor any plugin, but they are stored there.
 */
export function watchingService(service: SessionService, ownAppName: string, onNested: (event: AdkEvent, tool: string) => void): SessionService {
  const appendEvent = (request: { session: AdkSession; event: AdkEvent }): Promise<AdkEvent> => {
    if (request.session.appName !== ownAppName) onNested(request.event, request.session.appName);
    return service.appendEvent(request);
  };
  // Methods keep their own object as `this`: services have private fields.
  return new Proxy(service, {
    get(target, key) {
      if (key === 'appendEvent') return appendEvent;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}
