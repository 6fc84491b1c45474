import { camelCase, modelNode, type ModelNode, type Node } from './nodes';

/** How known keys are spelled. */
export type KeyCase = 'snake' | 'camel';

/**
 * The same value with the known keys of a model in one spelling. Order, unknown keys and everything that belongs to the user (tool arguments,
 * responses, state) stay as they are; what is not shaped like the model is left alone.
 */
export function recase(model: string, raw: unknown, keyCase: KeyCase): unknown {
  return recaseModel(modelNode(model), raw, keyCase);
}

/** The spelling of a known key of an object of the model; the key itself when it is unknown. */
function recaseModel(node: ModelNode, raw: unknown, keyCase: KeyCase): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const spellings = node.spellings(true);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const field = node.fields[spellings.get(key) ?? -1];
    const name = field === undefined ? key : keyCase === 'camel' ? field.camel : field.snake;
    define(result, name, field === undefined ? value : recaseNode(field.node, value, keyCase));
  }
  return result;
}

function recaseNode(node: Node, raw: unknown, keyCase: KeyCase): unknown {
  switch (node.kind) {
    case 'nullable':
      return recaseNode(node.inner, raw, keyCase);
    case 'list':
      return Array.isArray(raw) ? raw.map((item) => recaseNode(node.item, item, keyCase)) : raw;
    case 'pair':
      return Array.isArray(raw) ? raw.map((item, index) => { const inner = node.items[index]; return inner === undefined ? item as unknown : recaseNode(inner, item, keyCase); }) : raw;
    case 'map':
      return node.value === undefined ? raw : recaseValues(node.value, raw, keyCase);
    case 'model':
      return recaseModel(node, raw, keyCase);
    case 'intermediate_data':
      return recaseModel(modelNode(isEvents(raw) ? 'InvocationEvents' : 'IntermediateData'), raw, keyCase);
    default:
      return raw;
  }
}

function recaseValues(node: Node, raw: unknown, keyCase: KeyCase): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) define(result, key, recaseNode(node, value, keyCase));
  return result;
}

function isEvents(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && ('invocation_events' in raw || camelCase('invocation_events') in raw);
}

/** A key `__proto__` is a key like any other. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
