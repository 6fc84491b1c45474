import type { AST } from 'toml-eslint-parser';
import type { Position } from './positions';

type Path = readonly (string | number)[];

/**
 * Finds where things stand in a TOML text that is known to parse. A path that is not in the text gives the place of the nearest part of it that is.
 * Slow; for messages only.
 */
export function tomlLocator(text: string): (path: Path) => Position {
  const { parseTOML }: typeof import('toml-eslint-parser') = require('toml-eslint-parser');
  const places = new Map<string, Position>();
  const note = (path: Path, node: { readonly loc: { readonly start: { readonly line: number; readonly column: number } } }): void => {
    const key = JSON.stringify(path);
    if (!places.has(key)) places.set(key, { line: node.loc.start.line, column: node.loc.start.column + 1 });
  };
  const noteValue = (path: Path, node: AST.TOMLContentNode): void => {
    if (node.type === 'TOMLArray') node.elements.forEach((element, index) => (note([...path, index], element), noteValue([...path, index], element)));
    else if (node.type === 'TOMLInlineTable') node.body.forEach((pair) => notePair(path, pair));
  };
  const notePair = (base: Path, pair: AST.TOMLKeyValue): void => {
    const path = [...base, ...pair.key.keys.map(tomlKeyName)];
    for (let length = base.length + 1; length <= path.length; length += 1) note(path.slice(0, length), pair.key);
    noteValue(path, pair.value);
  };
  for (const top of parseTOML(text).body[0].body) {
    if (top.type === 'TOMLKeyValue') notePair([], top);
    else {
      for (let length = 1; length <= top.resolvedKey.length; length += 1) note(top.resolvedKey.slice(0, length), top.key);
      top.body.forEach((pair) => notePair(top.resolvedKey, pair));
    }
  }
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const place = places.get(JSON.stringify(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return { line: 1, column: 1 };
  };
}

/** A key without its quotes. */
export function tomlKeyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

/** Every integer outside of the range of a signed 64-bit integer. */
export function hugeIntegers(text: string): (Position & { readonly digits: string })[] {
  const { parseTOML, traverseNodes }: typeof import('toml-eslint-parser') = require('toml-eslint-parser');
  const found: (Position & { digits: string })[] = [];
  traverseNodes(parseTOML(text), {
    enterNode(node) {
      if (node.type !== 'TOMLValue' || node.kind !== 'integer' || BigInt.asIntN(64, node.bigint) === node.bigint) return;
      found.push({ digits: node.number, line: node.loc.start.line, column: node.loc.start.column + 1 });
    },
    leaveNode() {},
  });
  return found;
}
