import type { Node } from 'jsonc-parser';
import type { Problem } from './errors';
import { parseJson } from './json';
import { scanJson } from './json-scan';
import { maskNonFinite } from './json-syntax';
import { positionAt } from './positions';

/** A warning for every key that an object of a JSON text repeats; the last one wins. The text is known to parse. */
export function duplicateKeys(text: string, file?: string): Problem[] {
  const scan = scanJson(text);
  if (scan.members === countMembers(parseJson(text))) return []; // the tree below is slow
  const { parseTree }: typeof import('jsonc-parser') = require('jsonc-parser');
  const problems: Problem[] = [];
  const visit = (node: Node): void => {
    const seen = new Set<string>();
    for (const child of node.children ?? []) {
      const key: unknown = node.type === 'object' ? child.children?.[0]?.value : undefined;
      if (typeof key === 'string' && seen.has(key)) {
        problems.push({
          code: 'duplicate_key',
          severity: 'warning',
          message: `The key ${JSON.stringify(key)} stands here a second time; the earlier one is ignored.`,
          ...(file === undefined ? {} : { file }),
          ...positionAt(text, child.offset),
        });
      }
      if (typeof key === 'string') seen.add(key);
      visit(child);
    }
  };
  const root = parseTree(maskNonFinite(text, scan), [], { disallowComments: true, allowTrailingComma: false });
  if (root !== undefined) visit(root);
  return problems;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  return items.reduce((sum: number, item) => sum + countMembers(item), Array.isArray(value) ? 0 : items.length);
}
