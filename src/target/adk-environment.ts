/** A plugin that answers for tools, by what each session's trial has set up. It comes before every plugin of the user's. */
import type { JsonObject, JsonValue } from '../evalset/types';
import type { AdkModule, AdkPlugin, SessionKey } from './adk-shapes';
import { toPlain } from './plain';
import type { ToolStandIn } from './types';

interface AdkTool {
  readonly name: string;
  readonly description?: string;
  _getDeclaration?(): unknown;
}

interface ToolCall {
  readonly tool: AdkTool;
  readonly toolArgs: object;
  readonly toolContext: {
    readonly userId: string;
    readonly sessionId: string;
    readonly functionCallId?: string;
    readonly invocationContext?: { readonly agent?: { readonly tools?: readonly unknown[] } };
  };
}

/** The plugin, and how a session gets its stand-in. */
export interface EnvironmentPlugin {
  readonly plugin: AdkPlugin;
  /** @returns ends it */
  answerFor(session: Pick<SessionKey, 'userId' | 'sessionId'>, standIn: ToolStandIn): () => void;
}

/** Makes the plugin of one agent tree; sessions without a stand-in are left alone. */
export function createEnvironmentPlugin(adk: AdkModule): EnvironmentPlugin {
  const standIns = new Map<string, ToolStandIn>();
  const plugin = new adk.BasePlugin('jest_adk_environment');
  const hook = async ({ tool, toolArgs, toolContext }: ToolCall): Promise<JsonObject | undefined> => {
    const standIn = standIns.get(keyOf(toolContext));
    if (standIn === undefined) return undefined;
    return standIn({
      tool: tool.name,
      args: (toPlain(toolArgs) ?? {}) as JsonObject,
      id: toolContext.functionCallId,
      description: tool.description,
      declarations: () => [tool, ...(toolContext.invocationContext?.agent?.tools ?? [])].flatMap(declarationOf),
    });
  };
  Object.defineProperty(plugin, 'beforeToolCallback', { value: hook, configurable: true, writable: true });
  // As the recorder's: the SDK's own announces on stdout that it is experimental.
  Object.defineProperty(plugin, 'beforeToolSelection', { value: async () => undefined, configurable: true, writable: true });
  return {
    plugin,
    answerFor(session, standIn) {
      standIns.set(keyOf(session), standIn);
      return () => standIns.delete(keyOf(session));
    },
  };
}

function keyOf({ userId, sessionId }: Pick<SessionKey, 'userId' | 'sessionId'>): string {
  return `${userId}\0${sessionId}`;
}

/** A tool's own declaration, else what is known of it; toolsets declare nothing themselves. */
function declarationOf(value: unknown): readonly JsonValue[] {
  const tool = value as Partial<AdkTool> | null;
  if (typeof tool?.name !== 'string') return [];
  const declared = typeof tool._getDeclaration === 'function' ? toPlain(tool._getDeclaration()) : undefined;
  return [(declared ?? { name: tool.name, description: tool.description ?? '' })];
}
