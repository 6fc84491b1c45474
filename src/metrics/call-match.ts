import type { JsonObject } from '../evalset/types';
import { differences, type Difference, type EqualityRules } from './equality';
import { bestPairing, maximumMatching } from './pairing';
import type { ToolCall } from './tool-calls';

/** How a turn's calls are compared: the reference's three ways, then four graded ones of ours. */
export const matchTypes = ['EXACT', 'IN_ORDER', 'ANY_ORDER', 'PRECISION', 'RECALL', 'F1', 'ARGUMENTS'] as const;
/** One of `matchTypes`. */
export type MatchType = (typeof matchTypes)[number];

/** The rules of one comparison. */
export interface CallRules extends EqualityRules {
  readonly matchType: MatchType;
  readonly ignoreArgs: boolean;
  /** A call without args equals one with `{}`. */
  readonly absentEqualsEmpty: boolean;
  /** Calls of one event may come in any order (EXACT and IN_ORDER). */
  readonly parallelUnordered: boolean;
  /** `agent_name` and `agentName` are one argument of `transfer_to_agent`. */
  readonly oneTransferArgument: boolean;
  /** The author counts where the expected call names one. */
  readonly compareAuthors: boolean;
}

/** Whether an actual call is the expected one. */
export function sameCall(actual: ToolCall, expected: ToolCall, rules: CallRules): boolean {
  return actual.name === expected.name && sameAuthor(actual, expected, rules) && (rules.ignoreArgs || argDifferences(actual, expected, rules).next().done === true);
}

function sameAuthor(actual: ToolCall, expected: ToolCall, rules: CallRules): boolean {
  return !rules.compareAuthors || expected.author === undefined || actual.author === expected.author;
}

/** Differences between the arguments of two calls. No arguments at all differ from empty ones, as in the reference. */
export function* argDifferences(actual: ToolCall, expected: ToolCall, rules: CallRules): Generator<Difference, void> {
  const [left, right] = [actual.args, wantedArgs(actual, expected, rules)];
  if (left !== undefined && right !== undefined) yield* differences(left, right, rules);
  else if (left !== undefined || right !== undefined) yield* oneSided(left, right, rules);
}

/** The two SDKs call the argument of their transfer tool by two names; eval sets are written for either. */
const transferTool = 'transfer_to_agent';
const transferSpellings = ['agent_name', 'agentName'] as const;

/** Arguments of the expected call; the one of a transfer is spelt as the actual call spells it. */
export function wantedArgs(actual: ToolCall, expected: ToolCall, { oneTransferArgument }: CallRules): JsonObject | undefined {
  const { args } = expected;
  if (!oneTransferArgument || expected.name !== transferTool || actual.args === undefined || args === undefined) return args;
  const used = transferSpellings.find((name) => name in (actual.args ?? {}) && !(name in args));
  const other = transferSpellings.find((name) => name !== used);
  if (used === undefined || other === undefined || !(other in args) || other in actual.args) return args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name === other ? used : name, value]));
}

function* oneSided(actual: JsonObject | undefined, expected: JsonObject | undefined, rules: CallRules): Generator<Difference, void> {
  const given = actual ?? expected ?? {};
  if (Object.keys(given).length > 0) {
    yield* differences(actual ?? {}, expected ?? {}, rules);
  } else if (!rules.absentEqualsEmpty) {
    const [wanted, got] = expected === undefined ? ['no args', '{}'] : ['{}', 'no args'];
    yield { path: [], message: `expected ${wanted}, got ${got} (absent_equals_empty: true takes them for equal)` };
  }
}

/** Score of one turn in [0, 1]. The three ways of the reference give 0 or 1. */
export function scoreCalls(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): number {
  switch (rules.matchType) {
    case 'EXACT':
      return Number(actual.length === expected.length && matchInOrder(actual, expected, rules));
    case 'IN_ORDER':
      return Number(matchInOrder(actual, expected, rules));
    case 'ANY_ORDER':
      return Number(matchedPairs(actual, expected, rules) === expected.length);
    case 'ARGUMENTS':
      return argumentScore(actual, expected, rules);
    default:
      return gradedScore(rules.matchType, matchedPairs(actual, expected, rules), actual.length, expected.length);
  }
}

/** Most expected calls that have an actual call of their own. With matchers in the data, equality is no equivalence and greed would miss some. */
function matchedPairs(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): number {
  return maximumMatching(expected, actual, (wanted, call) => sameCall(call, wanted, rules)).filter((column) => column !== undefined).length;
}

/**
 * Ordered match: every expected call occurs, in order; other calls may stand between. Taking the first fitting call is never worse than waiting.
 * With `parallelUnordered`, the calls of one event are tried in any order.
 */
function matchInOrder(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): boolean {
  let next = 0;
  for (const group of callGroups(actual, rules.parallelUnordered)) {
    let wanted = expected.slice(next, next + group.length);
    while (wanted.length > 0 && matchedPairs(group, wanted, rules) < wanted.length) wanted = wanted.slice(0, -1);
    next += wanted.length;
  }
  return next === expected.length;
}

/** Calls that belong together: those of one event when these are unordered, otherwise each call alone. */
function callGroups(calls: readonly ToolCall[], together: boolean): ToolCall[][] {
  const groups: ToolCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (together && call.group !== undefined && last?.[0]?.group === call.group) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

function gradedScore(type: 'PRECISION' | 'RECALL' | 'F1', matched: number, actual: number, expected: number): number {
  if (actual === 0 && expected === 0) return 1;
  const precision = actual === 0 ? 0 : matched / actual;
  const recall = expected === 0 ? 1 : matched / expected;
  if (type === 'PRECISION') return precision;
  if (type === 'RECALL') return recall;
  return matched === 0 ? 0 : (2 * matched) / (actual + expected);
}

/** Share of equal arguments under the best pairing of calls; calls without a partner count as 0. */
function argumentScore(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): number {
  const size = Math.max(actual.length, expected.length);
  if (size === 0) return 1;
  let sum = 0;
  for (const [call, wanted] of pairCalls(actual, expected, rules)) sum += call === undefined ? 0 : pairScore(call, wanted, rules);
  return sum / size;
}

/** Each expected call beside its actual call, under the best pairing of calls that have the same name. */
export function pairCalls(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): [call: ToolCall | undefined, wanted: ToolCall][] {
  // A name alone is worth a little, so that two calls of one tool are shown together even when no argument agrees.
  const weight = (wanted: ToolCall, call: ToolCall): number =>
    call.name === wanted.name && sameAuthor(call, wanted, rules) ? 0.1 + 0.9 * pairScore(call, wanted, rules) : 0;
  const partner = bestPairing(expected, actual, weight);
  return expected.map((wanted, index) => {
    const at = partner[index];
    return [at === undefined ? undefined : actual[at], wanted];
  });
}

/** Share of equal arguments of two calls of one tool: of all arguments on either side, of the expected ones under `subset`, of the actual ones under `superset`. */
function pairScore(actual: ToolCall, expected: ToolCall, rules: CallRules): number {
  if (rules.ignoreArgs) return 1;
  const wrong = new Set<string | number | undefined>();
  for (const difference of argDifferences(actual, expected, rules)) wrong.add(difference.path[0]);
  if (wrong.size === 0) return 1;
  const names = new Set<string>();
  if (rules.mode !== 'superset') for (const name of Object.keys(wantedArgs(actual, expected, rules) ?? {})) names.add(name);
  if (rules.mode !== 'subset') for (const name of Object.keys(actual.args ?? {})) names.add(name);
  return names.size === 0 ? 0 : Math.max(0, names.size - wrong.size) / names.size;
}
