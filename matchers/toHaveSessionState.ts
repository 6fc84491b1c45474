import { hintFor, type MatcherContext, type MatcherResult } from './support/context';
import { judgeSubjects, subjectsOf, type Finding, type Subject } from './support/subjects';

/** Compares keys of the session's state after the last turn; keys that are not named may have any value. */
export function toHaveSessionState(this: MatcherContext, received: unknown, expected: Readonly<Record<string, unknown>>): MatcherResult {
  const hint = hintFor(this, 'toHaveSessionState', 'result', `{ ${Object.keys(expected ?? {}).join(', ')} }`);
  if (typeof expected !== 'object' || Object.keys(expected ?? {}).length === 0) throw new Error(`${hint}\n\nName at least one key of the state and its value: without one, every state would do.`);
  const judge = ({ label, record }: Subject): Finding => {
    const state = record?.finalState;
    if (state === undefined) throw new Error(`${hint}\n\n${label === '' ? 'The received value' : label} holds no session state: pass a result of a target that has state.`);
    const wrong = Object.entries(expected).filter(([key, value]) => !this.equals(state[key], value));
    if (wrong.length === 0) return { holds: true, lines: [`the state has these values: ${this.utils.printExpected(expected)}`] };
    return {
      holds: false,
      lines: wrong.flatMap(([key, value]) => [
        `${key}`,
        `  expected  ${this.utils.printExpected(value)}`,
        `  actual    ${key in state ? this.utils.printReceived(state[key]) : missing(key, state, record)}`,
      ]),
    };
  };
  return judgeSubjects(this, hint, subjectsOf(this, 'toHaveSessionState', received), judge);
}

function missing(key: string, state: object, record: Subject['record']): string {
  const tool = record?.childState?.[key];
  if (tool !== undefined) return `written only in child session of AgentTool ${tool}`;
  const known = Object.keys(state);
  return `not set; the state has ${known.length === 0 ? 'no keys' : known.join(', ')}`;
}
