import type { Content, Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { refusal } from '../support/errors';
import { check, refuseBadOptions, type Checks } from '../support/option-checks';
import { defaultProfile, type Profile } from '../support/profile';
import { explainCalls } from './call-explanation';
import { scoreCalls } from './call-match';
import { argMatcherOf } from './arg-matchers';
import { compareContained, type ContainsOptions } from './response-contains';
import { compareExactly } from './response-exact-match';
import { compareJson } from './response-json-equality';
import { plainRules, valuesEqual, type ArgsMode } from './equality';
import { explainRouge } from './response-match';
import { excerpt } from './response-options';
import { comparePattern } from './response-regex';
import { rouge1 } from './rouge';
import { contentText, finalResponseOf } from './text';
import type { TextFolding } from './text-folding';
import { tokenizerNames, type TokenizerName } from './tokenizers';
import { toolCallsOf, type ToolCall } from './tool-calls';
import { callRules, trajectoryChecks, type TrajectoryOptions } from './trajectory-criterion';
import type { TurnScore } from './turns';

/** Result of one comparison, for matchers. */
export interface Comparison {
  readonly pass: boolean;
  /** In [0, 1]. */
  readonly score: number;
  /** Plain lines about what differs; empty when it passed. */
  readonly explanation: readonly string[];
}

/** An expected call as code writes it: args may hold matchers, which are no JSON. */
export interface ExpectedToolCall extends Omit<ToolCall, 'args'> {
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Options of `compareToolCalls` beyond those of the criterion. */
export interface CompareToolCallsOptions extends TrajectoryOptions {
  /** Least score that passes; 1 when left out. */
  readonly atLeast?: number;
  readonly profile?: Profile;
}

const { figure, flag, object, oneOf, text } = check;
const callChecks: Checks<CompareToolCallsOptions> = { ...trajectoryChecks, atLeast: figure, profile: object };

/**
 * Compares the calls of a turn with the expected ones, as `tool_trajectory_avg_score` does.
 *
 * @param actual  an invocation, or calls
 * @param expected  calls; their args may hold matchers, in data or Jest's
 * @throws {JestAdkError} `bad_option` for options that do not exist or are not legal
 */
export function compareToolCalls(
  actual: Invocation | ActualInvocation | readonly ToolCall[],
  expected: readonly ExpectedToolCall[],
  options: CompareToolCallsOptions = {},
): Comparison {
  refuseBadOptions(options, callChecks);
  const { atLeast = 1, profile = defaultProfile } = options;
  const rules = callRules(options, profile);
  const calls = isCalls(actual) ? actual : toolCallsOf(actual, profile, options);
  const wanted = expected as readonly ToolCall[];
  const score = scoreCalls(calls, wanted, rules);
  return compared({ score, explain: () => explainCalls(calls, wanted, rules) }, atLeast, profile);
}

function isCalls(actual: Invocation | readonly ToolCall[]): actual is readonly ToolCall[] {
  return Array.isArray(actual);
}

/** How a response is compared with a text; a RegExp or an asymmetric matcher says it by itself. */
export interface MatchResponseOptions extends Partial<TextFolding> {
  /** `exact` (default), `contains`, `regex`, `json`, or `rouge` for the score of `response_match_score`. */
  readonly mode?: 'exact' | 'contains' | 'regex' | 'json' | 'rouge';
  /** Least score that passes under `rouge`; 0.8 when left out. */
  readonly atLeast?: number;
  readonly tokenizer?: TokenizerName;
  readonly locale?: string;
  /** `json`: what may be missing or more. */
  readonly jsonMode?: ArgsMode;
  readonly finalResponseFrom?: string;
  readonly profile?: Profile;
}

const responseChecks: Checks<MatchResponseOptions> = {
  mode: oneOf('exact', 'contains', 'regex', 'json', 'rouge'),
  atLeast: figure,
  tokenizer: oneOf(...tokenizerNames),
  locale: text,
  jsonMode: oneOf('exact', 'subset', 'superset'),
  finalResponseFrom: text,
  ignoreCase: flag,
  ignoreWhitespace: flag,
  profile: object,
};

/**
 * Compares a final response with what is expected of it.
 *
 * @param actual  an invocation, a content, or its text
 * @param expected  a text, a RegExp, an asymmetric matcher over the text, or a value (compared as JSON)
 * @throws {JestAdkError} `bad_option` for options that do not exist or are not legal, `nothing_expected` for undefined
 */
export function matchResponse(actual: Invocation | ActualInvocation | Content | string | undefined, expected: unknown, options: MatchResponseOptions = {}): Comparison {
  refuseBadOptions(options, responseChecks);
  if (expected === undefined) throw refusal('nothing_expected', 'The expected response is undefined.', 'Give a text, a RegExp, a matcher or a value.');
  const { profile = defaultProfile, mode } = options;
  const text = textOf(actual, options, profile);
  const atLeast = mode === 'rouge' ? (options.atLeast ?? 0.8) : 1;
  return compared(scoreResponse(text, expected, options, profile), atLeast, profile);
}

function textOf(actual: Invocation | ActualInvocation | Content | string | undefined, options: MatchResponseOptions, profile: Profile): string {
  if (typeof actual === 'string' || actual === undefined) return actual ?? '';
  return contentText('userContent' in actual ? finalResponseOf(actual, options.finalResponseFrom) : actual, profile);
}

function scoreResponse(text: string, expected: unknown, options: MatchResponseOptions, profile: Profile): TurnScore {
  const folding = { ignoreCase: options.ignoreCase ?? false, ignoreWhitespace: options.ignoreWhitespace ?? false };
  if (isRegExp(expected)) return comparePattern(text, '', { pattern: { source: expected.source, flags: expected.flags }, flags: '', negate: false });
  const rules = { ...plainRules(profile.booleansEqualNumbers), mode: options.jsonMode ?? 'exact', dataMatchers: profile.name === 'default' };
  const matcher = argMatcherOf(expected, { equal: (a, e) => valuesEqual(a, e, rules), contains: () => false, literal: Object.is }, rules.dataMatchers);
  if (matcher !== undefined && options.mode !== 'json') return { score: Number(matcher.accepts(text, true)), explain: () => [`expected  ${matcher.describe()}`, `actual    ${excerpt(text)}`] };
  if (typeof expected !== 'string' || options.mode === 'json') return compareJson(text, expected, rules);
  return scoreText(text, expected, options, folding);
}

function scoreText(text: string, expected: string, options: MatchResponseOptions, folding: ContainsOptions): TurnScore {
  if (options.mode === 'contains') return compareContained(text, expected, folding);
  if (options.mode === 'regex') return comparePattern(text, expected, { flags: folding.ignoreCase ? 'i' : '', negate: false });
  if (options.mode !== 'rouge') return compareExactly(text, expected, folding);
  const rouge = rouge1(text, expected, options.tokenizer, options.locale);
  return { score: rouge.fmeasure, explain: () => explainRouge(text, expected, rouge) };
}

/** Works for a RegExp of another realm too. */
function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

function compared({ score, explain }: TurnScore, atLeast: number, profile: Profile): Comparison {
  const pass = (score ?? 0) >= atLeast - profile.thresholdTolerance;
  return { pass, score: score ?? 0, explanation: pass ? [] : (explain?.() ?? []) };
}
