import { argDifferences, pairCalls, sameCall, wantedArgs, type CallRules } from './call-match';
import { shown, type Difference } from './equality';
import type { ToolCall } from './tool-calls';

/** Width of a call's text beside its label; longer calls leave out the arguments that agree. */
const callWidth = 56;
/** Beyond so many combinations calls are shown beside each other as they come: the best pairing would take too long. */
const maxCombinations = 10_000;
const maxPairs = 4;
const maxDifferences = 4;
const indent = ' '.repeat('expected  '.length);

/** An expected call beside the actual one; one side is missing where there is no partner. */
interface Pair {
  readonly expected?: ToolCall;
  readonly actual?: ToolCall;
}

/** Lines that say what differs between the calls of a turn: the pairs that disagree, with the first arguments that do. Ids never show. */
export function explainCalls(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): string[] {
  if (differentOrder(actual, expected, rules)) return ['same calls in another order', `expected  ${names(expected)}`, `actual    ${names(actual)}`];
  const wrong = aligned(actual, expected, rules).filter((pair) => !agrees(pair, rules));
  const lines = wrong.slice(0, maxPairs).flatMap((pair) => explainPair(pair, rules));
  return wrong.length > maxPairs ? [...lines, `… and ${wrong.length - maxPairs} more calls that differ`] : lines;
}

function names(calls: readonly ToolCall[]): string {
  const list = calls.map((call) => call.name ?? '(no name)');
  return list.length > 12 ? `${list.slice(0, 12).join(' → ')} → … (${list.length} calls)` : list.join(' → ');
}

const ordered = (rules: CallRules): boolean => rules.matchType === 'EXACT' || rules.matchType === 'IN_ORDER';
const extrasAllowed = (rules: CallRules): boolean => rules.matchType === 'IN_ORDER' || rules.matchType === 'ANY_ORDER' || rules.matchType === 'RECALL';

function differentOrder(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): boolean {
  if (!ordered(rules) || expected.length < 2 || actual.length < expected.length) return false;
  if (rules.matchType === 'EXACT' && actual.length !== expected.length) return false;
  return pairsOf(actual, expected, rules).every(([call, wanted]) => call !== undefined && sameCall(call, wanted, rules));
}

function agrees(pair: Pair, rules: CallRules): boolean {
  if (pair.expected === undefined) return extrasAllowed(rules);
  return pair.actual !== undefined && sameCall(pair.actual, pair.expected, rules);
}

function pairsOf(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): [call: ToolCall | undefined, wanted: ToolCall][] {
  if (actual.length * expected.length <= maxCombinations) return pairCalls(actual, expected, rules);
  return expected.map((wanted, index) => [actual[index], wanted]);
}

/** Calls side by side: the best pairing, in the order of the expected calls; what is left over is paired in order where the order counts. */
function aligned(actual: readonly ToolCall[], expected: readonly ToolCall[], rules: CallRules): Pair[] {
  const paired = pairsOf(actual, expected, rules);
  const used = new Set(paired.map(([call]) => call));
  const left = actual.filter((call) => !used.has(call));
  const pairs = paired.map(([call, wanted]): Pair => {
    const other = call ?? left.shift();
    return other === undefined ? { expected: wanted } : { expected: wanted, actual: other };
  });
  return [...pairs, ...left.map((call): Pair => ({ actual: call }))];
}

function explainPair({ expected, actual }: Pair, rules: CallRules): string[] {
  if (expected === undefined || actual === undefined) {
    return [`expected  ${expected === undefined ? '(no call)' : render(expected, new Set()).text}`, `actual    ${actual === undefined ? '(no call)' : render(actual, new Set()).text}`];
  }
  const found = expected.name === actual.name && !rules.ignoreArgs ? [...argDifferences(actual, expected, rules)] : [];
  const differing = new Set(found.map((difference) => String(difference.path[0])));
  const args = wantedArgs(actual, expected, rules);
  const left = render(args === undefined ? expected : { ...expected, args }, differing);
  const right = render(actual, differing);
  const lines = [`expected  ${left.text}`, `actual    ${right.text}`];
  if (rules.compareAuthors && expected.author !== undefined && expected.author !== actual.author) lines.push(`${indent}author: expected ${expected.author}, got ${actual.author ?? 'none'}`);
  lines.push(...found.slice(0, maxDifferences).map((difference, index) => differenceLine(difference, index === 0 ? right.spans : undefined)));
  if (found.length > maxDifferences) lines.push(`${indent}… and ${found.length - maxDifferences} more differences`);
  return lines;
}

/** `level: expected 30, got 0.3`, the first one under the argument that it is about. */
function differenceLine(difference: Difference, spans: ReadonlyMap<string, readonly [number, number]> | undefined): string {
  const place = pathText(difference.path);
  const text = place === '' ? difference.message : `${place}: ${difference.message}`;
  const span = spans?.get(String(difference.path[0]));
  return span === undefined ? `${indent}${text}` : `${indent}${' '.repeat(span[0])}${'~'.repeat(span[1] - span[0])} ${text}`;
}

function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`), '');
}

interface Rendered {
  readonly text: string;
  /** Where each argument stands in the text. */
  readonly spans: ReadonlyMap<string, readonly [from: number, to: number]>;
}

/** A call as code: `dim({ room: "bedroom", level: 30 })`; too long, and only the arguments that differ are kept. */
function render(call: ToolCall, differing: ReadonlySet<string>): Rendered {
  const whole = renderWith(call, Object.keys(call.args ?? {}));
  return whole.text.length <= callWidth || differing.size === 0 ? whole : renderWith(call, [...differing]);
}

function renderWith(call: ToolCall, wanted: readonly string[]): Rendered {
  const spans = new Map<string, readonly [number, number]>();
  const name = call.name ?? '(no name)';
  if (call.args === undefined) return { text: `${name}()`, spans };
  let text = `${name}({`;
  let elided = false;
  for (const [key, value] of Object.entries(call.args)) {
    if ((value as unknown) === undefined) continue;
    if (!wanted.includes(key)) {
      elided = true;
      continue;
    }
    const entry = `${/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key)}: ${spaced(shown(value, 40))}`;
    text += spans.size === 0 ? ' ' : ', ';
    spans.set(key, [text.length, text.length + entry.length]);
    text += entry;
  }
  if (elided) text += spans.size === 0 ? ' …' : ', …';
  return { text: `${text}${spans.size === 0 && !elided ? '' : ' '}})`, spans };
}

/** No line breaks: a call stays on its line. */
function spaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}
