/** A user that is played: what drives a conversation in place of written turns. */
import type { Content } from '../../evalset/types';

/** One message or event of the conversation so far. */
export interface HistoryEvent {
  /** `user`, or the name of an agent. */
  readonly author: string;
  readonly content?: Content | undefined;
}

/** What the user does next. */
export type NextMessage =
  | { readonly status: 'success'; readonly content: Content }
  | {
      readonly status: 'stop_signal_detected' | 'turn_limit_reached';
      /** Words that came with the signal and were not sent. */
      readonly dropped?: string;
    };

/** Plays the user of one trial. */
export interface UserSimulator {
  /**
   * The next message, or why there is none.
   *
   * @param events  everything so far, in order, the user's own messages too
   * @throws when the user's model gives no message
   */
  next(events: readonly HistoryEvent[], signal: AbortSignal): Promise<NextMessage>;
}

/** How a simulated user is played (ADK `LlmBackedUserSimulatorConfig`). */
export interface UserSimulatorConfig {
  readonly model: string;
  /** google-genai `GenerateContentConfig`, camelCase. */
  readonly modelConfiguration: Readonly<Record<string, unknown>>;
  /** Messages of the user, the starting prompt among them; negative: no limit. */
  readonly maxAllowedInvocations: number;
  /** A Jinja template in place of our own instructions. */
  readonly customInstructions?: string;
  /** Tool calls and answers are part of what the user sees. */
  readonly includeFunctionCalls: boolean;
}
