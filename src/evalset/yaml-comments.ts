/** YAML that keeps the comments of the file that it is made from. */
import type { Document, Node } from 'yaml';
import { tomlComments } from '../support/toml-comments';

const layout = { lineWidth: 0 } as const;

/**
 * A YAML text with its keys renamed; comments, order and style stay.
 *
 * @param recased  its value with the names that it is to have, in the same order
 */
export function yamlFromYaml(text: string, recased: unknown): string {
  const { parseDocument } = require('yaml') as typeof import('yaml');
  const document = parseDocument(text);
  rename(document.contents, recased);
  return document.toString(layout);
}

/**
 * A TOML text as YAML, with its comments at the same keys and items.
 *
 * @param parsed   its value
 * @param recased  the same with the names that it is to have, in the same order
 */
export function yamlFromToml(text: string, parsed: unknown, recased: unknown): string {
  const { Document } = require('yaml') as typeof import('yaml');
  const document = new Document(parsed);
  for (const comment of tomlComments(text)) {
    if (comment.path.length === 0) addTo(document, comment.where === 'end' ? 'comment' : 'commentBefore', comment.text);
    else if (comment.where === 'end') addTo(document.getIn(comment.path, true), 'comment', comment.text);
    else attach(document, comment.path, comment.where, comment.text);
  }
  rename(document.contents, recased);
  return document.toString(layout);
}

function attach(document: Document, path: readonly (string | number)[], where: 'before' | 'behind', text: string): void {
  const { isMap, isScalar } = require('yaml') as typeof import('yaml');
  const node = document.getIn(path, true) as Node | undefined;
  // Behind a map or a list a comment would be taken for one about its first key.
  if (where === 'behind' && isScalar(node) && !String(node.value).includes('\n')) return addTo(node, 'comment', text);
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const key: unknown = isMap(parent) ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(path.at(-1)))?.key : node;
  addTo(key, 'commentBefore', text);
}

function addTo(node: unknown, place: 'comment' | 'commentBefore', text: string): void {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as { comment?: string | null; commentBefore?: string | null };
  holder[place] = [holder[place], text].filter((one) => one !== null && one !== undefined).join('\n');
}

/** Renames the keys of a document, whose order is that of `wanted`. */
function rename(node: unknown, wanted: unknown): void {
  const { isMap, isSeq, isScalar } = require('yaml') as typeof import('yaml');
  if (isMap(node)) {
    const names = Object.keys(wanted as object);
    node.items.forEach((pair, index) => {
      const name = names[index];
      if (name === undefined) return;
      if (isScalar(pair.key)) pair.key.value = name;
      rename(pair.value, (wanted as Record<string, unknown>)[name]);
    });
  } else if (isSeq(node)) node.items.forEach((item, index) => rename(item, (wanted as readonly unknown[])[index]));
}
