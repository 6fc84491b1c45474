import { bridgeFor, hintFor, refuseUnknown, type MatcherContext, type MatcherResult } from './support/context';
import { judgeSubjects, subjectsOf, turnsAt, type Finding, type Subject } from './support/subjects';

/** Options of `toHaveToolCall`. */
export interface ToolCallOptions {
  /** Arguments that the call has at least; values may be argument matchers or Jest's asymmetric matchers. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The call has exactly these arguments and no others. */
  readonly exactArgs?: boolean;
  /** Exactly so many such calls. */
  readonly times?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Agent that made the call. */
  readonly author?: string;
  /** Counts from 1. */
  readonly turn?: number;
  /** Also look at calls made inside an AgentTool. */
  readonly nestedTools?: boolean;
}

const optionNames: readonly (keyof ToolCallOptions)[] = ['args', 'exactArgs', 'times', 'atLeast', 'atMost', 'author', 'turn', 'nestedTools'];

/** Looks for calls of one tool. */
export function toHaveToolCall(this: MatcherContext, received: unknown, name: string, options: ToolCallOptions = {}): MatcherResult {
  const core = bridgeFor('toHaveToolCall').core();
  const subjects = subjectsOf(this, 'toHaveToolCall', received);
  const hint = hintFor(this, 'toHaveToolCall', 'result', JSON.stringify(name));
  checkCall(hint, name, options);
  const { args, author, nestedTools, exactArgs = false } = options;
  const judge = (subject: Subject): Finding => {
    const selection = { ...(nestedTools !== undefined && { nestedTools }), ...(author !== undefined && { authors: [author] }) };
    const all = turnsAt(subject, options.turn).flatMap((turn) => core.toolCallsOf(turn, core.defaultProfile, selection));
    const named = all.filter((call) => call.name === name);
    const comparisons = named.map((call) => (args === undefined ? { pass: true, explanation: [] } : core.compareToolCalls([call], [{ name, args: args }], { argsMode: exactArgs ? 'exact' : 'subset' })));
    const found = comparisons.filter(({ pass }) => pass).length;
    const { atLeast = options.times ?? 1, atMost = options.times ?? Infinity } = options;
    const holds = found >= atLeast && found <= atMost;
    if (holds) return { holds, lines: [`${name} was called ${times(found)}`] };
    const others = [...new Set(all.map((call) => call.name))];
    const called = others.length === 0 ? 'no tool was called' : `tools called: ${others.join(', ')}`;
    const lines = [`${name} was ${found === 0 ? 'not called' : `called ${times(found)}`}${args === undefined ? '' : ' with such arguments'}, expected ${range(atLeast, atMost)}`];
    if (named.length === 0) return { holds, lines: [...lines, called] };
    return { holds, lines: [...lines, ...comparisons.filter(({ pass }) => !pass).flatMap(({ explanation }) => explanation)] };
  };
  return judgeSubjects(this, hint, subjects, judge);
}

function checkCall(hint: string, name: unknown, options: ToolCallOptions): void {
  refuseUnknown(hint, options, optionNames);
  if (typeof name !== 'string' || name === '') throw new Error(`${hint}\n\nThe first argument must be the name of a tool.`);
  for (const limit of ['times', 'atLeast', 'atMost'] as const) {
    const value = options[limit];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) throw new Error(`${hint}\n\n${limit} must be a whole number of at least 0, got ${String(value)}.`);
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function range(atLeast: number, atMost: number): string {
  if (atLeast === atMost) return times(atLeast);
  return atMost === Infinity ? `at least ${times(atLeast)}` : atLeast === 0 ? `at most ${times(atMost)}` : `${atLeast} to ${atMost} times`;
}
