import type { Node } from 'jsonc-parser';
import { maskNonFinite } from './json-syntax';
import { scanJson } from './json-scan';
import { positionAt, type Position } from './positions';

/**
 * Finds where things stand in a JSON text that is known to parse: a member at its key, an item at its value. A path that is not in the text gives the place
 * of the nearest part of it that is. Slow; for messages only.
 */
export function jsonLocator(text: string): (path: readonly (string | number)[]) => Position {
  const { parseTree }: typeof import('jsonc-parser') = require('jsonc-parser');
  const root = parseTree(maskNonFinite(text, scanJson(text)), [], { disallowComments: true, allowTrailingComma: false });
  return (path) => positionAt(text, offsetOf(root, path));
}

function offsetOf(root: Node | undefined, path: readonly (string | number)[]): number {
  let offset = root?.offset ?? 0;
  let node = root;
  for (const step of path) {
    const found = node === undefined ? undefined : childAt(node, step);
    if (found === undefined) break;
    offset = found.offset;
    node = found.value;
  }
  return offset;
}

/** Of a repeated key the last one, which is the one that counts. */
function childAt(node: Node, step: string | number): { offset: number; value: Node | undefined } | undefined {
  if (node.type === 'array') {
    const value = node.children?.[Number(step)];
    return value === undefined ? undefined : { offset: value.offset, value };
  }
  const property = node.children?.findLast((child) => child.children?.[0]?.value === String(step));
  return property === undefined ? undefined : { offset: property.offset, value: property.children?.[1] };
}
