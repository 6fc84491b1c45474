/** The one change that is made to a file of the project: a script more in package.json. */
import type { Manifest } from './project';

/**
 * package.json with a script that it does not have; every other character of it stays.
 *
 * @param text  of package.json, which holds an object
 * @returns undefined when the text cannot be changed so that it says that and nothing else, as with a key that is there twice
 */
export function withScript(text: string, name: string, script: string): string | undefined {
  const { applyEdits, modify } = require('jsonc-parser') as typeof import('jsonc-parser');
  const { isDeepStrictEqual } = require('node:util') as typeof import('node:util');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(mark.length);
  const indent = /^[{]\r?\n([ \t]+)/.exec(json)?.[1] ?? '  ';
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 1 : indent.length, eol: json.includes('\r\n') ? '\r\n' : '\n' };
  const changed = applyEdits(json, modify(json, ['scripts', name], script, { formattingOptions }));
  const before = JSON.parse(json) as Manifest;
  return isDeepStrictEqual(JSON.parse(changed), { ...before, scripts: { ...before.scripts, [name]: script } }) ? `${mark}${changed}` : undefined;
}
