import type { Problem } from '../support/errors';
import { didYouMean } from '../support/nearest';
import { camelCase } from './nodes';
import { pathOf, referencePathOf, type Origin } from './origin';
import type { IssueKind } from './scalars';

/** One thing that is wrong (or, as a note, worth a line) in a value that was read. */
export interface Issue {
  readonly kind: IssueKind;
  readonly origin: Origin | undefined;
  /** The offending value. */
  readonly seen?: unknown;
  /** Names that would have been right here. */
  readonly known?: readonly string[];
  /** Says more than the kind does. */
  readonly message?: string;
  readonly hint?: string;
}

const codes: Readonly<Partial<Record<IssueKind, string>>> = {
  missing: 'missing',
  extra_forbidden: 'unknown_key',
  too_long: 'wrong_length',
  bytes_invalid_encoding: 'not_base64',
  enum: 'unknown_value',
  literal_error: 'unknown_value',
  union_tag_invalid: 'unknown_value',
  value_error: 'rule',
  not_found: 'unknown_persona',
  json_invalid: 'not_json',
  float_parsing: 'not_convertible',
  int_parsing: 'not_convertible',
  bool_parsing: 'not_convertible',
  int_from_float: 'not_convertible',
  int_parsing_size: 'not_convertible',
  finite_number: 'not_convertible',
};

const wanted: Readonly<Partial<Record<IssueKind, string>>> = {
  model_type: 'an object',
  model_attributes_type: 'an object',
  dict_type: 'an object',
  string_type: 'a text',
  list_type: 'a list',
  tuple_type: 'a list of two, [author, parts]',
  too_long: 'a list of exactly two, [author, parts]',
  float_type: 'a number',
  float_parsing: 'a number',
  int_type: 'a whole number',
  int_parsing: 'a whole number',
  int_from_float: 'a whole number',
  int_parsing_size: 'a whole number of reasonable size',
  finite_number: 'a finite number',
  bool_type: 'true or false',
  bool_parsing: 'true or false',
  bytes_type: 'base64 text',
  bytes_invalid_encoding: 'base64 text',
};

/** An issue as a problem for people: stable code, what was seen, what to do. */
export function toProblem(issue: Issue, file?: string): Problem {
  const hint = issue.hint ?? hintFor(issue);
  return {
    code: codes[issue.kind] ?? 'wrong_type',
    message: issue.message ?? messageFor(issue),
    ...(hint === undefined ? {} : { hint }),
    ...(file === undefined ? {} : { file }),
    path: pathOf(issue.origin),
  };
}

/** An issue as google-adk lists it, for comparisons: all steps as text, alternatives of unions included. */
export function toReferenceError(issue: Issue): { loc: string[]; type: IssueKind } {
  return { loc: referencePathOf(issue.origin), type: issue.kind };
}

function messageFor({ kind, origin, seen, known }: Issue): string {
  const key = JSON.stringify(origin?.step ?? '');
  switch (kind) {
    case 'missing':
      return typeof origin?.step === 'number' ? `Item ${origin.step} of the pair [author, parts] is missing.` : `Required key ${key} is missing.`;
    case 'extra_forbidden':
      return `Unknown key ${key}.`;
    case 'enum':
    case 'literal_error':
    case 'union_tag_invalid':
      return `Unknown value ${showValue(seen)}${known === undefined || known.length === 0 ? '' : `; known: ${known.join(', ')}`}.`;
    default:
      return `Expected ${wanted[kind] ?? 'something else'}, got ${showValue(seen)}.`;
  }
}

/** Keys of the old formats and usual slips, and what they are called now. */
const renamed: Readonly<Record<string, string>> = {
  tool_name: 'name',
  tool_input: 'args',
  query: 'user_content',
  reference: 'final_response',
  expected_tool_use: 'intermediate_data.tool_uses',
  expected_intermediate_agent_responses: 'intermediate_data.intermediate_responses',
};

function hintFor({ kind, origin, seen, known }: Issue): string | undefined {
  const key = String(origin?.step ?? '');
  if (kind === 'extra_forbidden') {
    const other = known?.find((name) => name !== key && camelCase(name) === camelCase(key));
    const today = Object.hasOwn(renamed, key) ? renamed[key] : undefined;
    if (today !== undefined && known?.includes(today.split('.')[0] ?? '') === true) return `Use ${JSON.stringify(today)} instead.`;
    return (known === undefined ? undefined : didYouMean(key, inStyleOf(key, known))) ?? (other === undefined && known !== undefined ? knownNames(known) : undefined);
  }
  if (kind === 'model_attributes_type' && typeof seen === 'string') {
    if (key === 'user_content' || key === 'userContent' || key === 'final_response' || key === 'finalResponse') return 'Write {"parts": [{"text": "…"}]}.';
    if (typeof origin?.step === 'number') return 'Write {"text": "…"}.';
  }
  return undefined;
}

/** Names in the spelling of the key first. */
function inStyleOf(key: string, known: readonly string[]): readonly string[] {
  return /[a-z][A-Z]/.test(key) ? [...known].sort((a, b) => Number(a.includes('_')) - Number(b.includes('_'))) : known;
}

/** The snake_case names, which are the ones that files are written with. */
function knownNames(known: readonly string[]): string {
  const names = known.filter((name) => camelCase(name) === name || name.includes('_'));
  const distinct = names.filter((name) => !names.some((other) => other !== name && camelCase(other) === name));
  return `Known: ${distinct.join(', ')}.`;
}

/** A value as it was seen, short enough for a message. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  let text: string;
  try {
    text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}` : item)) ?? String(value);
  } catch {
    text = Array.isArray(value) ? 'a list' : 'an object';
  }
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
