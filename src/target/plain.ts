import type { JsonValue } from '../evalset/types';

/**
 * A copy that is plain data, whatever the user put in: maps without prototype and class instances become objects, dates become
 * text, what JSON has no word for (functions, symbols, undefined) is left out, numbers that are none become null.
 * A value inside itself becomes the text "[Circular]".
 */
export function toPlain(value: unknown): JsonValue | undefined {
  return plain(value, []);
}

function plain(value: unknown, above: object[]): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : plainObject(value, above);
    default:
      return undefined;
  }
}

function plainObject(value: object, above: object[]): JsonValue | undefined {
  if (above.includes(value)) return '[Circular]';
  above.push(value);
  const copy = copyOf(value, above);
  above.pop();
  return copy;
}

function copyOf(value: object, path: object[]): JsonValue | undefined {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return plain(toJSON.call(value), path);
  if (Array.isArray(value)) return value.map((item) => plain(item, path) ?? null);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  const result: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    const copy = plain(item, path);
    if (copy === undefined) continue;
    if (key === '__proto__') Object.defineProperty(result, key, { value: copy, enumerable: true, configurable: true, writable: true });
    else result[key] = copy;
  }
  return result;
}
