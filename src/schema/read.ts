import { randomUUID } from 'node:crypto';
import { showValue, type Issue } from './issues';
import { bothSpellings, fieldIndex, isTypo, meantHint, usesCamelCase, type MatchedKeys } from './keys';
import { modelNode, type FieldNode, type ModelNode, type Node } from './nodes';
import { noteKept, noteOrigin, type Kept, type Origin } from './origin';
import type { ReadOptions, ReadOutcome } from './read-options';
import { conversationProblem } from './rules';
import { toBoolean, toBytes, toFloat, toInteger, toOpenEnum, toStatus, type Converted, type IssueKind } from './scalars';

export type { ReadOptions, ReadOutcome };

/**
 * Reads a value as one of the models of the file formats. Never throws for a value, whatever it is; objects are not changed, and free-form data in them is shared.
 *
 * @param model  name of the model, e.g. `EvalSet`
 * @returns `value` is only meaningful when there are no issues
 */
export function readModel(model: string, raw: unknown, options: ReadOptions = {}): ReadOutcome {
  const reader = new Reader(options);
  const value = reader.model(modelNode(model), raw, options.origin);
  return { value, issues: reader.allIssues(), notes: reader.notes };
}

type Raw = Readonly<Record<string, unknown>>;

const nothing: readonly string[] = [];

function isObject(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

class Reader {
  readonly issues: Issue[] = [];
  readonly notes: Issue[] = [];
  /** Second spellings in objects that keep unknown keys. */
  private readonly repeated: Issue[] = [];
  /** Above zero inside values that grow with the API. */
  private growing = 0;

  constructor(private readonly options: ReadOptions) {}

  private get reference(): boolean {
    return this.options.reference === true;
  }

  /** google-adk takes both spellings of a field where it keeps unknown keys, and then saves a broken file; under its rules that is refused when nothing else is. */
  allIssues(): readonly Issue[] {
    return this.reference && this.issues.length > 0 ? this.issues : [...this.issues, ...this.repeated];
  }

  private issue(kind: IssueKind, origin: Origin | undefined, seen: unknown, more: Omit<Issue, 'kind' | 'origin' | 'seen'> = {}): undefined {
    this.issues.push({ kind, origin, seen, ...more });
    return undefined;
  }

  private read(node: Node, raw: unknown, up: Origin | undefined, step: string | number): unknown {
    switch (node.kind) {
      case 'nullable':
        return raw === null ? undefined : this.read(node.inner, raw, up, step);
      case 'string':
        return typeof raw === 'string' ? raw : this.issue('string_type', { up, step }, raw);
      case 'any':
        return raw;
      case 'float':
        return this.scalar(toFloat(raw), raw, up, step);
      case 'int':
        return this.scalar(toInteger(raw), raw, up, step);
      case 'bool':
        return this.scalar(toBoolean(raw), raw, up, step);
      case 'bytes':
        return this.scalar(toBytes(raw), raw, up, step);
      case 'status':
        return this.scalar(toStatus(raw), raw, up, step, ['1 (passed)', '2 (failed)', '3 (not evaluated)', '4 (informational)']);
      case 'open_enum':
        return this.scalar(toOpenEnum(raw, node.names), raw, up, step, node.names);
      case 'literal':
        return node.names.includes(raw as string) ? raw : this.issue('literal_error', { up, step }, raw, { known: node.names });
      case 'model':
        return this.model(node, raw, { up, step });
      default:
        return this.readCompound(node, raw, { up, step });
    }
  }

  private readCompound(node: Node, raw: unknown, at: Origin): unknown {
    switch (node.kind) {
      case 'list':
        return Array.isArray(raw) ? this.list(node.item, raw, at) : this.issue('list_type', at, raw);
      case 'pair':
        return this.pair(node.items, raw, at);
      case 'map':
        return isObject(raw) ? this.map(node.value, raw, at) : this.issue('dict_type', at, raw);
      case 'opaque_object':
        return isObject(raw) ? raw : this.issue('model_attributes_type', at, raw);
      case 'intermediate_data':
        return this.intermediateData(raw, at);
      case 'persona':
        return this.persona(raw, at);
      case 'criterion':
        return this.criterion(raw, at);
      case 'speech_config':
        return this.speechConfig(raw, at);
      case 'user_simulator':
        return this.userSimulator(raw, at);
      case 'custom_instructions':
        return this.customInstructions(raw, at);
      default:
        throw new Error(`no reader for ${node.kind}`);
    }
  }

  private scalar<T>(converted: Converted<T>, raw: unknown, up: Origin | undefined, step: string | number, known?: readonly string[]): T | undefined {
    return 'value' in converted ? converted.value : this.issue(converted.kind, { up, step }, raw, known === undefined ? {} : { known });
  }

  private list(item: Node, raw: readonly unknown[], at: Origin): unknown[] {
    const read = Array.from(raw, (value, index) => this.read(item, value, at, index));
    noteOrigin(read, at);
    return read;
  }

  private pair(items: readonly [Node, Node], raw: unknown, at: Origin): unknown {
    if (!Array.isArray(raw)) return this.issue('tuple_type', at, raw);
    if (raw.length > 2) return this.issue('too_long', at, raw);
    return items.map((node, index) => (index < raw.length ? this.read(node, raw[index], at, index) : this.issue('missing', { up: at, step: index }, undefined)));
  }

  /** The user's own map is shared; one whose values have fields is rebuilt. */
  private map(value: Node | undefined, raw: Raw, at: Origin): unknown {
    if (value === undefined) return raw;
    const read: Record<string, unknown> = {};
    for (const key of Object.keys(raw)) {
      const item = this.read(value, raw[key], at, key);
      if (key === '__proto__') Object.defineProperty(read, key, { value: item, enumerable: true, writable: true, configurable: true });
      else read[key] = item;
    }
    return read;
  }

  /** An object with known fields: fields first, in declaration order, then unknown keys in the file's, then rules over the whole. */
  model(node: ModelNode, raw: unknown, at: Origin | undefined, alsoKnown: readonly string[] = []): object | undefined {
    if (!isObject(raw)) return this.issue(node.words.attributes === true ? 'model_attributes_type' : 'model_type', at, raw);
    const before = this.issues.length;
    const grows = node.words.grows === true;
    if (grows) this.growing += 1;
    const { keys, unknown } = this.matchKeys(node, raw);
    const read: Record<string, unknown> = {};
    for (let index = 0; index < node.fields.length; index += 1) {
      const field = node.fields[index] as FieldNode;
      const key = keys[index];
      if (key !== undefined) {
        const value = this.read(field.node, raw[key], at, key);
        if (value !== undefined) read[field.camel] = value;
      } else if (field.required) this.missing(node, field, { keys, unknown }, at);
      else if (field.byDefault !== undefined) read[field.camel] = this.defaultOf(field, at);
    }
    const kept = this.unknownKeys(node, raw, unknown, at, alsoKnown);
    if (this.issues.length === before) this.applyRule(node, raw, read, unknown, at);
    if (grows) this.growing -= 1;
    noteOrigin(read, at);
    if (unknown.length > 0) noteKept(read, kept);
    return read;
  }

  /** google-adk names the camelCase key; we name the one that fits to the other keys of the object. */
  private missing(node: ModelNode, field: FieldNode, { keys, unknown }: MatchedKeys, at: Origin | undefined): void {
    const inCamelCase = this.reference ? node.words.spelling === 'aliased' : usesCamelCase(node.fields, keys);
    this.issue('missing', { up: at, step: inCamelCase ? field.camel : field.snake }, undefined, node.words.unknown === 'strict' ? {} : meantHint([field.snake], unknown));
  }

  /** Which key of the object gives which field. Where both spellings are present the camelCase one counts and the other is unknown. */
  private matchKeys(node: ModelNode, raw: Raw): MatchedKeys {
    const spellings = node.spellings(node.words.spelling === 'aliased' || !this.reference);
    const keys: (string | undefined)[] = new Array(node.fields.length);
    const present = Object.keys(raw);
    let hasUnknown = false;
    for (const key of present) {
      if (raw[key] === undefined) continue; // in objects made in code
      const index = fieldIndex(node, key, spellings, this.reference);
      if (index === undefined || keys[index] !== undefined) hasUnknown = true;
      if (index !== undefined && (keys[index] === undefined || key === node.fields[index]?.camel)) keys[index] = key;
    }
    return { keys, unknown: hasUnknown ? present.filter((key) => raw[key] !== undefined && !keys.includes(key) && !(raw[key] === null && node.words.nullTwins?.includes(key) === true)) : nothing };
  }

  private defaultOf(field: FieldNode, at: Origin | undefined): unknown {
    const inner = field.node.kind === 'nullable' ? field.node.inner : field.node;
    if (inner.kind === 'model') return this.model(inner, field.byDefault, { up: at, step: field.snake });
    if (Array.isArray(field.byDefault)) return [...(field.byDefault as unknown[])];
    return typeof field.byDefault === 'object' ? { ...field.byDefault } : field.byDefault;
  }

  /** Refuses, drops or keeps what is not known. */
  private unknownKeys(node: ModelNode, raw: Raw, unknown: readonly string[], at: Origin | undefined, alsoKnown: readonly string[]): Kept {
    if (unknown.length === 0) return {};
    const { words } = node;
    const aliased = node.spellings(words.spelling === 'aliased' || !this.reference);
    const known = [...aliased.keys(), ...alsoKnown];
    const extras: Record<string, unknown> = {};
    const header: Record<string, unknown> = {};
    for (const key of unknown) {
      const origin: Origin = { up: at, step: key };
      const isRepeated = fieldIndex(node, key, aliased, this.reference) !== undefined; // the other spelling of a field that is there
      if (!this.reference && at === undefined && key === '$schema') header[key] = raw[key];
      else if (!this.reference && this.growing > 0 && words.unknown !== 'keeping') continue;
      else if (isRepeated && words.unknown === 'keeping') this.repeated.push({ kind: 'extra_forbidden', origin, seen: raw[key], message: bothSpellings(key) });
      else if (this.isRefused(node, key, known)) this.issue('extra_forbidden', origin, raw[key], { known, ...(isRepeated ? { message: bothSpellings(key) } : {}) });
      else {
        if (words.unknown === 'keeping') Object.defineProperty(extras, key, { value: raw[key], enumerable: true, writable: true, configurable: true });
        if (!this.reference && words.quiet !== true && words.ours?.includes(key) !== true) this.notes.push({ kind: 'extra_forbidden', origin, known, message: `Unknown key ${JSON.stringify(key)} is ${words.unknown === 'keeping' ? 'kept and not used' : 'ignored'}.` });
      }
    }
    return { ...(Object.keys(extras).length > 0 ? { extras } : {}), ...(Object.keys(header).length > 0 ? { header } : {}) };
  }

  private isRefused({ words }: ModelNode, key: string, known: readonly string[]): boolean {
    return words.unknown === 'strict' || (this.options.misspeltKeysPass !== true && words.refusesTypos === true && !known.includes(key) && isTypo(key, known));
  }

  private applyRule(node: ModelNode, raw: Raw, read: Record<string, unknown>, unknown: readonly string[], at: Origin | undefined): void {
    if (node.words.rule === 'one_conversation') {
      const wrong = conversationProblem(read, unknown, this.reference);
      if (wrong !== undefined) this.issue('value_error', at, undefined, wrong);
    } else if (node.words.rule === 'event_identity') {
      if (read['id'] === '') read['id'] = randomUUID();
      if (raw['timestamp'] === undefined) read['timestamp'] = this.options.now?.() ?? Date.now() / 1000;
    }
  }

  /** One of two shapes, told apart by their keys; `{}` is the first. */
  private intermediateData(raw: unknown, at: Origin): unknown {
    const shapes = [modelNode('IntermediateData'), modelNode('InvocationEvents')] as const;
    if (!this.reference) {
      if (!isObject(raw)) return this.issue('model_type', at, raw);
      const [calls, events] = shapes;
      const isEvents = [...events.spellings(true).keys()].some((key) => key in raw);
      return this.model(isEvents ? events : calls, raw, at, isEvents ? [] : [...events.spellings(true).keys()]);
    }
    return this.firstOf(shapes.map((shape) => ({ name: shape.words.name, read: (origin: Origin) => this.model(shape, raw, origin) })), at);
  }

  /** The first alternative without issues, else the issues of all, each below the alternative's name. */
  private firstOf(alternatives: readonly { readonly name: string; readonly read: (at: Origin) => unknown }[], at: Origin): unknown {
    const before = this.issues.length;
    for (const { name, read } of alternatives) {
      const start = this.issues.length;
      const value = read({ up: at, step: name, alternative: true });
      if (this.issues.length === start) {
        this.issues.length = before;
        return value;
      }
    }
    return undefined;
  }

  private persona(raw: unknown, at: Origin): unknown {
    if (typeof raw !== 'string') return this.model(modelNode('UserPersona'), raw, at);
    return this.options.persona?.(raw) ?? this.issue('not_found', at, raw, { message: `There is no built-in persona ${JSON.stringify(raw)}.`, hint: 'Known: EXPERT, NOVICE, EVALUATOR; or write the persona as an object.' });
  }

  private criterion(raw: unknown, at: Origin): unknown {
    const base = modelNode('BaseCriterion');
    if (this.reference) {
      return this.firstOf([
        { name: 'float', read: (origin) => this.scalar(toFloat(raw), raw, origin.up, origin.step) },
        { name: base.words.name, read: (origin) => this.model(base, raw, origin) },
      ], at);
    }
    const number = toFloat(raw);
    if ('value' in number) return number.value;
    if (!isObject(raw)) return this.issue('model_type', at, raw, { message: `Expected a threshold or an object with "threshold", got ${showValue(raw)}.` });
    const records = raw['threshold'] === null; // ours: a score without a verdict
    const read = this.model(base, records ? { ...raw, threshold: 0 } : raw, at) as Record<string, unknown> | undefined;
    if (records && read !== undefined) read['threshold'] = null;
    return read;
  }

  private userSimulator(raw: unknown, at: Origin): unknown {
    if (!isObject(raw)) return this.issue('model_attributes_type', at, raw);
    const type = raw['type'] ?? 'llm_backed';
    const models: Readonly<Record<string, string>> = { llm_backed: 'LlmBackedUserSimulatorConfig', llm_audio: 'LlmAudioUserSimulatorConfig' };
    const model = typeof type === 'string' && Object.hasOwn(models, type) ? models[type] : undefined;
    if (model === undefined) return this.issue('union_tag_invalid', at, type, { known: Object.keys(models) });
    return this.model(modelNode(model), { ...raw, type }, { up: at, step: String(type), alternative: true });
  }

  /** A voice's name, or the whole. */
  private speechConfig(raw: unknown, at: Origin): unknown {
    const config = modelNode('SpeechConfig');
    if (!this.reference) return typeof raw === 'string' ? raw : this.model(config, raw, at);
    const text = { name: 'str', read: (origin: Origin): unknown => this.read({ kind: 'string' }, raw, origin.up, origin.step) };
    return this.firstOf([text, { name: config.words.name, read: (origin) => this.model(config, raw, origin) }], at);
  }

  private customInstructions(raw: unknown, at: Origin): unknown {
    if (typeof raw !== 'string') return this.issue('string_type', at, raw);
    const message = this.options.checkInstructions?.(raw);
    return message === undefined ? raw : this.issue('value_error', at, raw, { message });
  }
}
