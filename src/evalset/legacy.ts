import { randomUUID } from 'node:crypto';
import { readModel, type ReadOptions } from '../schema/read';
import type { Issue } from '../schema/issues';
import { noteKept, noteOrigin, type Origin } from '../schema/origin';
import { mocksOf } from './legacy-mocks';
import type { EvalCase, EvalSet, Invocation, SessionInput } from './types';

/** Something wrong with a file in one of the old formats, and what google-adk raises for it. */
export interface LegacyIssue extends Issue {
  readonly raises: 'KeyError' | 'TypeError' | 'ValueError' | 'IndexError' | 'ValidationError';
  /** Where google-adk places a validation error: relative to the object that was being built. */
  readonly relative?: readonly string[];
  /** The object that was being built: its errors are raised together. */
  readonly built?: Origin;
}

/** What google-adk raises: the first problem, or all those of the first object that could not be built. */
export function firstRaised(issues: readonly LegacyIssue[]): readonly LegacyIssue[] {
  const [first] = issues;
  return issues.filter((issue) => issue === first || (issue.built !== undefined && issue.built === first?.built));
}

/** How an old file is converted. */
export interface LegacyOptions {
  /** Exactly as google-adk converts: empty texts and objects walked as lists, a missing `reference` expects the empty text. */
  readonly reference: boolean;
  readonly evalSetId: string;
  readonly missingReferenceIsEmptyText: boolean;
}

/** A converted file. The set is only meaningful when there are no issues; google-adk raises for the first one. */
export interface LegacyOutcome {
  readonly evalSet: EvalSet;
  readonly issues: readonly LegacyIssue[];
}

type Raw = Readonly<Record<string, unknown>>;

/** Old format 1: `[{name, data: [turn…], initial_session}]`. */
export function convertNamedCases(content: unknown, options: LegacyOptions, session?: () => SessionInput | undefined): LegacyOutcome {
  const converter = new Converter(options);
  const defaultSession = session?.();
  const evalCases = converter.listOf(content, undefined, (item, at) => converter.namedCase(item, at, defaultSession));
  return { evalSet: converter.evalSet(evalCases), issues: converter.issues };
}

/** What converting a list of turns needs beside that. */
export interface TurnListOptions extends LegacyOptions {
  readonly evalId: string;
  /** Names of the config's criteria; google-adk checks the first turn against them. */
  readonly criteria?: readonly string[] | undefined;
  /** The session of the case; asked for after the turns are built. */
  readonly session?: () => SessionInput | undefined;
}

/** Old format 2: `[turn…]`, one case. */
export function convertTurnList(content: unknown, options: TurnListOptions): LegacyOutcome {
  const converter = new Converter(options);
  const refused = options.reference ? refuseTurnList(content, options.criteria) : undefined;
  if (refused !== undefined) return { evalSet: converter.evalSet([]), issues: [refused] };
  const conversation = converter.listOf(content, undefined, (turn, at) => converter.turn(turn, at));
  const sessionInput = converter.issues.length === 0 ? options.session?.() : undefined;
  const evalCase: EvalCase = {
    evalId: options.evalId,
    conversation,
    ...(sessionInput === undefined ? {} : { sessionInput }),
    creationTimestamp: converter.now,
    finalSessionState: {},
  };
  converter.noteMocks(evalCase, content);
  noteOrigin(evalCase, { up: undefined, step: 0 }); // its first turn: the case itself is the whole file
  return { evalSet: converter.evalSet([evalCase]), issues: converter.issues };
}

const legacyCriteria = ['tool_trajectory_avg_score', 'response_evaluation_score', 'response_match_score', 'safety_v1'];

/** What google-adk asks of the keys of the first turn, by criterion. */
const keysOfFirstTurn: Readonly<Record<string, readonly string[]>> = {
  tool_trajectory_avg_score: ['query', 'expected_tool_use'],
  response_match_score: ['query', 'reference'],
  response_evaluation_score: ['query'],
};

function refuseTurnList(content: unknown, criteria: readonly string[] = []): LegacyIssue | undefined {
  const issue = (raises: LegacyIssue['raises'], message: string): LegacyIssue => ({ kind: 'value_error', origin: undefined, raises, message });
  if (!Array.isArray(content) || !content.every(isObject)) return issue('ValueError', 'Expected an eval set, or a list of objects in the old format.');
  const unknown = criteria.find((name) => !legacyCriteria.includes(name));
  if (unknown !== undefined) return issue('ValueError', `Criterion ${unknown} cannot be used with the old format.`);
  const first: Raw | undefined = content[0];
  if (first === undefined) return issue('IndexError', 'The list of turns is empty.');
  const missing = criteria.flatMap((name) => (keysOfFirstTurn[name] ?? []).filter((key) => !(key in first)));
  return missing.length === 0 ? undefined : issue('ValueError', `The first turn needs ${missing.join(', ')} for the configured criteria.`);
}

function isObject(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** Builds the new objects inside out, in google-adk's order, so that the first issue is the one it raises. */
class Converter {
  readonly issues: LegacyIssue[] = [];
  /** Found with the responses, but checked when the whole turn is put together. */
  private readonly wrongAuthors: LegacyIssue[] = [];
  readonly now = Date.now() / 1000;

  constructor(private readonly options: LegacyOptions) {}

  private issue(raises: LegacyIssue['raises'], issue: Omit<LegacyIssue, 'raises'>): undefined {
    this.issues.push({ ...issue, raises });
    return undefined;
  }

  evalSet(evalCases: readonly EvalCase[]): EvalSet {
    return { evalSetId: this.options.evalSetId, name: this.options.evalSetId, evalCases, creationTimestamp: this.now };
  }

  /** Each item of a list. google-adk walks whatever it finds: an empty text or object has no items, others fail at their first. */
  listOf<T>(raw: unknown, at: Origin | undefined, convert: (item: Raw, at: Origin) => T | undefined): T[] {
    const isEmpty = raw === '' || (isObject(raw) && Object.keys(raw).length === 0);
    if (!Array.isArray(raw)) {
      if (!(this.options.reference && isEmpty)) this.issue('TypeError', { kind: 'list_type', origin: at, seen: raw });
      return [];
    }
    const converted: T[] = [];
    raw.forEach((item: unknown, index) => {
      const origin: Origin = { up: at, step: index };
      const value = isObject(item) ? convert(item, origin) : this.issue('TypeError', { kind: 'model_type', origin, seen: item });
      if (value !== undefined) converted.push(value);
    });
    return converted;
  }

  namedCase(raw: Raw, at: Origin, defaultSession: SessionInput | undefined): EvalCase | undefined {
    if (!this.has(raw, ['data'], at)) return undefined;
    const conversation = this.listOf(raw['data'], { up: at, step: 'data' }, (turn, origin) => this.turn(turn, origin));
    const sessionInput = this.session(raw, at) ?? defaultSession;
    if (!this.has(raw, ['name'], at)) return undefined;
    if (typeof raw['name'] !== 'string') {
      return this.issue('ValidationError', { kind: 'string_type', origin: { up: at, step: 'name' }, seen: raw['name'], ...relative('eval_id') });
    }
    const evalCase: EvalCase = { evalId: raw['name'], conversation, ...(sessionInput === undefined ? {} : { sessionInput }), creationTimestamp: this.now, finalSessionState: {} };
    noteOrigin(evalCase, at);
    this.noteMocks(evalCase, raw['data']);
    return evalCase;
  }

  /** `mock_tool_output` of expected calls becomes the case's tool mocks. google-adk reads over it. */
  noteMocks(evalCase: EvalCase, turns: unknown): void {
    if (this.options.reference) return;
    const mocks = mocksOf(turns);
    if (mocks !== undefined) noteKept(evalCase, { extras: { tool_mocks: mocks } });
  }

  private session(raw: Raw, at: Origin): SessionInput | undefined {
    if (!('initial_session' in raw)) return undefined;
    const origin: Origin = { up: at, step: 'initial_session' };
    const session = raw['initial_session'];
    if (session === '' || (Array.isArray(session) && session.length === 0 && this.options.reference)) return undefined;
    if (!isObject(session)) return this.issue('TypeError', { kind: 'model_type', origin, seen: session });
    return this.addSession(session, origin);
  }

  private addSession(session: Raw, origin: Origin): SessionInput | undefined {
    const { sessionInput, issues } = sessionInputOf(session, { reference: this.options.reference, origin });
    for (const issue of issues) this.issue('ValidationError', { ...issue, built: origin, ...relative(String(issue.origin?.step)) });
    return sessionInput;
  }

  turn(raw: Raw, at: Origin): Invocation | undefined {
    if (!this.has(raw, ['query'], at)) return undefined;
    const toolUses = this.listOf(raw['expected_tool_use'] ?? this.absentList(raw, 'expected_tool_use'), { up: at, step: 'expected_tool_use' }, (use, origin) => this.toolUse(use, origin));
    const intermediateResponses = this.listOf(
      raw['expected_intermediate_agent_responses'] ?? this.absentList(raw, 'expected_intermediate_agent_responses'),
      { up: at, step: 'expected_intermediate_agent_responses' },
      (response, origin) => this.intermediateResponse(response, origin),
    );
    const query = this.textPart(raw['query'], { up: at, step: 'query' });
    const reference = this.textPart('reference' in raw ? raw['reference'] : '', { up: at, step: 'reference' });
    this.issues.push(...this.wrongAuthors.splice(0));
    const hasReference = this.options.missingReferenceIsEmptyText || (raw['reference'] !== undefined && raw['reference'] !== null);
    const invocation: Invocation = {
      invocationId: randomUUID(),
      userContent: { parts: [query], role: 'user' },
      ...(hasReference ? { finalResponse: { parts: [reference], role: 'model' } } : {}),
      intermediateData: { toolUses, toolResponses: [], intermediateResponses },
      creationTimestamp: this.now,
    };
    noteOrigin(invocation, at);
    noteOrigin(invocation.userContent, { up: at, step: 'query' });
    if (invocation.finalResponse !== undefined) noteOrigin(invocation.finalResponse, { up: at, step: 'reference' });
    return invocation;
  }

  /** Left out is empty; null is a value, and a wrong one. */
  private absentList(raw: Raw, key: string): unknown {
    return key in raw ? raw[key] : [];
  }

  private toolUse(raw: Raw, at: Origin): { readonly name?: string; readonly args?: never } | undefined {
    if (!this.has(raw, ['tool_name', 'tool_input'], at)) return undefined;
    const { value, issues } = readModel('FunctionCall', { args: raw['tool_input'], name: raw['tool_name'] }, { reference: true, origin: at });
    for (const issue of issues) {
      const step = String(issue.origin?.step);
      this.issue('ValidationError', { ...issue, origin: { up: at, step: step === 'args' ? 'tool_input' : 'tool_name' }, built: at, ...relative(step) });
    }
    return value as { readonly name?: string };
  }

  private intermediateResponse(raw: Raw, at: Origin): readonly [string, readonly { readonly text?: string }[]] | undefined {
    if (!this.has(raw, ['author', 'text'], at)) return undefined;
    const part = this.textPart(raw['text'], { up: at, step: 'text' });
    if (typeof raw['author'] !== 'string') {
      const issue = { kind: 'string_type', origin: { up: at, step: 'author' }, seen: raw['author'], ...relative('intermediate_responses', String(at.step), '0') } as const;
      this.wrongAuthors.push({ ...issue, raises: 'ValidationError', ...(at.up?.up === undefined ? {} : { built: at.up.up }) });
      return undefined;
    }
    return [raw['author'], [part]];
  }

  private textPart(raw: unknown, at: Origin): { readonly text?: string } {
    if (typeof raw === 'string') return { text: raw };
    if (raw !== null) this.issue('ValidationError', { kind: 'string_type', origin: at, seen: raw, ...relative('text') });
    return {};
  }

  private has(raw: Raw, keys: readonly string[], at: Origin): boolean {
    const missing = keys.filter((key) => !(key in raw));
    for (const key of missing) this.issue('KeyError', { kind: 'missing', origin: { up: at, step: key }, seen: undefined });
    return missing.length === 0;
  }
}

function relative(...path: readonly string[]): { readonly relative: readonly string[] } {
  return { relative: path };
}

/** What an *initial session* says of a case's session: app name, user id and state. An empty object says nothing. */
export function sessionInputOf(raw: unknown, options: ReadOptions): { readonly sessionInput: SessionInput | undefined; readonly issues: readonly Issue[] } {
  const isEmpty = (isObject(raw) && Object.keys(raw).length === 0) || (options.reference === true && (raw === '' || (Array.isArray(raw) && raw.length === 0)));
  if (isEmpty) return { sessionInput: undefined, issues: [] };
  const { value, issues } = readModel('InitialSession', raw, options);
  return { sessionInput: issues.length === 0 ? (value as SessionInput) : undefined, issues };
}
