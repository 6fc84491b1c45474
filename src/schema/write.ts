import { JsonFloat } from '../support/json';
import { modelNode, type FieldNode, type ModelNode, type Node } from './nodes';
import { keptOf } from './origin';
import { urlSafeBase64 } from './scalars';

/**
 * What is left out. `saved`: nulls and fields equal to their default, as google-adk's eval set manager saves. `with_defaults`: nulls only.
 * `everything`: nothing, as migrations and result files are written.
 */
export type Shape = 'saved' | 'with_defaults' | 'everything';

/** What is written. */
export interface WriteOptions {
  readonly shape: Shape;
  /** An `invocation_events` without events stays, so that it is not read back as the other kind of intermediate data. */
  readonly keepEmptyEvents?: boolean;
}

/**
 * A value as snake_case JSON in declaration order, kept unknown keys last. Floats are `JsonFloat`, so that `stringifyJson` writes `10.0`;
 * free-form data is shared, not copied. What a model does not know is left out.
 */
export function writeModel(model: string, value: object, options: WriteOptions): Record<string, unknown> {
  return writeFields(modelNode(model), value as Record<string, unknown>, options);
}

function writeFields(node: ModelNode, value: Readonly<Record<string, unknown>>, options: WriteOptions): Record<string, unknown> {
  const kept = keptOf(value);
  const written: Record<string, unknown> = { ...kept?.header };
  for (const field of node.fields) {
    const item = value[field.camel];
    if (item === undefined || item === null) {
      if (options.shape === 'everything' && node.words.ownFields?.includes(field.snake) !== true) written[field.snake] = absent(field, item, options);
    } else if (options.shape !== 'saved' || !isDefault(field, item) || (options.keepEmptyEvents === true && field.snake === 'invocation_events')) {
      written[field.snake] = writeNode(field.node, item, options);
    }
  }
  for (const [key, item] of extrasOf(node, value, kept?.extras)) {
    if (item !== null || options.shape === 'everything') Object.defineProperty(written, key, { value: item, enumerable: true, writable: true, configurable: true });
  }
  return written;
}

/** What stands for a field that has no value: null, or the default where google-adk has no null. Only objects that no reader made lack such a field. */
function absent({ node, byDefault }: FieldNode, item: null | undefined, options: WriteOptions): unknown {
  return item === undefined && byDefault !== undefined && node.kind !== 'nullable' ? writeNode(node, byDefault, options) : null;
}

/** Kept keys of the file, and for models that keep them what else the object holds. */
function extrasOf(node: ModelNode, value: Readonly<Record<string, unknown>>, kept: Readonly<Record<string, unknown>> | undefined): (readonly [string, unknown])[] {
  const extras = Object.entries(kept ?? {});
  if (node.words.unknown !== 'keeping') return extras;
  const known = node.spellings(true);
  return [...extras, ...Object.entries(value).filter(([key, item]) => item !== undefined && !known.has(key) && !Object.hasOwn(kept ?? {}, key))];
}

function isDefault({ byDefault }: FieldNode, value: unknown): boolean {
  if (byDefault === undefined) return false;
  if (typeof byDefault !== 'object' || byDefault === null) return value === byDefault;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 && Object.keys(byDefault).length === 0;
}

function writeNode(node: Node, value: unknown, options: WriteOptions): unknown {
  switch (node.kind) {
    case 'nullable':
      return value === null || value === undefined ? null : writeNode(node.inner, value, options);
    case 'float':
      return new JsonFloat(Number(value));
    case 'bytes':
      return urlSafeBase64(String(value));
    case 'list':
      return (value as readonly unknown[]).map((item) => writeNode(node.item, item, options));
    case 'pair':
      return node.items.map((item, index) => writeNode(item, (value as readonly unknown[])[index], options));
    case 'map':
      return node.value === undefined ? value : writeMap(node.value, value as object, options);
    case 'model':
      return writeFields(node, value as Record<string, unknown>, options);
    case 'intermediate_data':
      return writeFields(modelNode('invocationEvents' in (value as object) ? 'InvocationEvents' : 'IntermediateData'), value as Record<string, unknown>, options);
    case 'persona':
      return writeFields(modelNode('UserPersona'), value as Record<string, unknown>, options);
    case 'criterion':
      return typeof value === 'object' ? writeFields(modelNode('BaseCriterion'), value as Record<string, unknown>, options) : new JsonFloat(Number(value));
    case 'speech_config':
      return typeof value === 'string' ? value : writeFields(modelNode('SpeechConfig'), value as Record<string, unknown>, options);
    case 'user_simulator':
      return writeFields(modelNode((value as { type?: unknown }).type === 'llm_audio' ? 'LlmAudioUserSimulatorConfig' : 'LlmBackedUserSimulatorConfig'), value as Record<string, unknown>, options);
    default:
      return value;
  }
}

function writeMap(node: Node, value: object, options: WriteOptions): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(written, key, { value: writeNode(node, item, options), enumerable: true, writable: true, configurable: true });
  }
  return written;
}
