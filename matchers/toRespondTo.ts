import type { Content } from '../src/evalset/types';
import type { ToolCall } from '../src/metrics/tool-calls';
import type { MatchResponseOptions } from '../src/metrics/compare';
import type { TrajectoryOptions } from '../src/metrics/trajectory-criterion';
import type { TurnOptionName } from '../src/evaluation/options';
import type { EvaluateOptions } from '../src/evaluation/types';
import { bridgeFor, hintFor, type MatcherContext, type MatcherResult } from './support/context';

/** What `toRespondTo` expects of the turn, and how it is asked. */
export interface RespondToOptions extends Pick<EvaluateOptions, TurnOptionName> {
  /** The calls that the turn makes. */
  readonly usingTools?: readonly ToolCall[];
  /** How the calls are compared. */
  readonly trajectory?: TrajectoryOptions;
  /** A text, a RegExp, a matcher, or a value (as JSON). */
  readonly withResponse?: unknown;
  /** How the response is compared. */
  readonly response?: Omit<MatchResponseOptions, 'profile'>;
  /** Values in the session's state after the turn. */
  readonly withState?: Readonly<Record<string, unknown>>;
  /** State of the session before the turn. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** Asks the agent for one turn and looks at what it did. */
export function toRespondTo(this: MatcherContext, received: unknown, message: string | Content, options: RespondToOptions = {}): Promise<MatcherResult> {
  const bridge = bridgeFor('toRespondTo');
  const said = typeof message === 'string' ? JSON.stringify(message) : 'content';
  const hint = hintFor(this, 'toRespondTo', 'agent', said);
  return bridge.watch({ what: `toRespondTo(${said})` }, async (signal) => {
    for (const name of ['usingTools', 'withResponse', 'withState'] as const) {
      if (name in options && options[name] === undefined) throw new Error(`${hint}\n\n${name} is undefined: leave it out, or say what is expected.`);
    }
    const { usingTools, trajectory, withResponse, response, withState, state } = options;
    const { agentName, appName, userId, turnTimeoutMs, extraPlugins, runConfig, services, finalResponseFrom, signal: ownSignal } = options;
    const run = present({ agentName, appName, userId, turnTimeoutMs, extraPlugins, runConfig, services, finalResponseFrom, signal: ownSignal });
    const content = typeof message === 'string' ? { role: 'user', parts: [{ text: message }] } : message;
    const record = await bridge.ask(received, { content, given: options, ...(state !== undefined && { state }) }, run, signal);
    const [turn] = record.invocations;
    if (record.error !== undefined || turn === undefined) throw new Error(`${hint}\n\n  ! error: ${record.error?.message ?? 'the turn was not run'}`);
    const core = bridge.core();
    const wrong: string[] = [];
    if (usingTools !== undefined) wrong.push(...core.compareToolCalls(turn, usingTools, trajectory).explanation);
    if (withResponse !== undefined) wrong.push(...core.matchResponse(turn, withResponse, response).explanation);
    for (const [key, value] of Object.entries(withState ?? {})) {
      const actual = record.finalState?.[key];
      if (!this.equals(actual, value)) wrong.push(`state ${key}: expected ${this.utils.printExpected(value)}, got ${this.utils.printReceived(actual)}`);
    }
    if (turn.outcome === 'unanswered' && usingTools === undefined && withResponse === undefined) wrong.push('the turn was unanswered: no events and no error');
    return {
      pass: wrong.length === 0,
      message: () => [hint, '', ...(wrong.length > 0 ? wrong : ['the agent responded as described'])].join('\n'),
    };
  });
}

/** What was given: an undefined value must not take the place of the project's default. */
function present(options: object): EvaluateOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
