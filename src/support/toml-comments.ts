import type { AST } from 'toml-eslint-parser';
import { tomlKeyName } from './toml-positions';

type Path = readonly (string | number)[];

/** A comment, and the value that it is about. `path` is empty at the ends of the file. */
export interface TomlComment {
  /** Without the `#`. */
  readonly text: string;
  readonly path: Path;
  /** `before` the value on lines of its own, `behind` it on its line, or at the `end` of the list, or of the file. */
  readonly where: 'before' | 'behind' | 'end';
}

interface Anchor {
  readonly path: Path;
  readonly line: number;
  readonly endLine: number;
}

/**
 * The comments of a TOML text that is known to parse, in order, each with what it stands at. The first block, where an empty line follows, is about the file.
 */
export function tomlComments(text: string): readonly TomlComment[] {
  const { parseTOML }: typeof import('toml-eslint-parser') = require('toml-eslint-parser');
  const program = parseTOML(text);
  const { anchors, lists } = anchorsOf(program.body[0]);
  const lines = text.split(/\r\n|[\r\n]/);
  const aboutFile = firstBlock(lines);
  return program.comments.map(({ value, loc }): TomlComment => {
    const { line, column } = loc.start;
    if (line <= aboutFile) return { text: value, path: [], where: 'before' };
    const isAlone = (lines[line - 1] ?? '').slice(0, column).trim() === '';
    const here = isAlone ? undefined : anchors.find((anchor) => anchor.line === line) ?? anchors.find((anchor) => anchor.endLine === line);
    if (here !== undefined) return { text: value, path: here.path, where: 'behind' };
    const next = anchors.find((anchor) => anchor.line > line);
    const list = lists.filter((one) => one.line <= line && one.endLine >= line).at(-1);
    if (list !== undefined && (next === undefined || next.line > list.endLine)) return { text: value, path: list.path, where: 'end' };
    return next === undefined ? { text: value, path: [], where: 'end' } : { text: value, path: next.path, where: 'before' };
  });
}

/** Number of lines of the comments at the top, when an empty line and something else follow; 0 otherwise. */
function firstBlock(lines: readonly string[]): number {
  const end = lines.findIndex((line) => !line.trimStart().startsWith('#'));
  return end > 0 && lines[end]?.trim() === '' && lines.slice(end).some((line) => line.trim() !== '') ? end : 0;
}

/** Keys, tables and items in the order of the text, outer ones first. */
function anchorsOf(top: AST.TOMLTopLevelTable): { readonly anchors: readonly Anchor[]; readonly lists: readonly Anchor[] } {
  const anchors: Anchor[] = [];
  const lists: Anchor[] = [];
  const at = (path: Path, { loc }: AST.TOMLNode): Anchor => ({ path, line: loc.start.line, endLine: loc.end.line });
  const value = (path: Path, node: AST.TOMLContentNode): void => {
    if (node.type === 'TOMLInlineTable') node.body.forEach((one) => pair(path, one));
    if (node.type !== 'TOMLArray') return;
    lists.push(at(path, node));
    node.elements.forEach((element, index) => {
      anchors.push(at([...path, index], element));
      value([...path, index], element);
    });
  };
  const pair = (base: Path, node: AST.TOMLKeyValue): void => {
    const path = [...base, ...node.key.keys.map(tomlKeyName)];
    anchors.push(at(path, node));
    value(path, node.value);
  };
  for (const node of top.body) {
    if (node.type === 'TOMLKeyValue') pair([], node);
    else {
      anchors.push({ path: node.resolvedKey, line: node.loc.start.line, endLine: node.loc.start.line });
      node.body.forEach((one) => pair(node.resolvedKey, one));
    }
  }
  return { anchors, lists };
}
