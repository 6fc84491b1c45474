import { useBridge, type Bridge } from '../../environment/bridge';
import type { MessageColors } from '../../src/report/failure-text';

type Color = (text: string) => string;

/** `this` of a matcher, as far as it is used; the same in Jest 29.7 and 30. */
export interface MatcherContext {
  readonly isNot?: boolean;
  readonly promise?: string;
  equals(a: unknown, b: unknown): boolean;
  readonly utils: {
    matcherHint(name: string, received?: string, expected?: string, options?: { isNot?: boolean; promise?: string; secondArgument?: string }): string;
    printReceived(value: unknown): string;
    printExpected(value: unknown): string;
    readonly RECEIVED_COLOR: Color;
    readonly EXPECTED_COLOR: Color;
    readonly DIM_COLOR: Color;
    readonly BOLD_WEIGHT: Color;
  };
}

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** First line of a message: `expect(agent).toPassEvalSet("evals/home.test.json")`. */
export function hintFor(context: MatcherContext, matcher: string, received: string, expected = '', secondArgument?: string): string {
  const { isNot = false, promise = '' } = context;
  return context.utils.matcherHint(matcher, received, expected, { isNot, promise, ...(secondArgument !== undefined && { secondArgument }) });
}

/** Jest's colours for the failure text of the core. */
export function colorsOf({ utils }: MatcherContext): MessageColors {
  return { red: utils.RECEIVED_COLOR, green: utils.EXPECTED_COLOR, dim: utils.DIM_COLOR, yellow: utils.BOLD_WEIGHT };
}

/** A short name of something received or expected: paths and names are worth showing, contents are not. */
export function nameOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(nameOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const { evalSetId, eval_set_id: snakeId } = value as { evalSetId?: unknown; eval_set_id?: unknown };
    const id = evalSetId ?? snakeId;
    return typeof id === 'string' ? id : 'eval set';
  }
  return String(value);
}

/** The bridge, and a message for test files without one. */
export function bridgeFor(matcher: string): Bridge {
  return useBridge(matcher);
}

/** Refuses options that do not exist: a misspelt one would make a matcher look at less than was meant. */
export function refuseUnknown(hint: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${hint}\n\nUnknown option ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Options: ${known.join(', ')}.`);
}
