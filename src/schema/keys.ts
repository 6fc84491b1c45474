import { nearest } from '../support/nearest';
import { camelCase, type FieldNode, type ModelNode } from './nodes';

/** Which key of an object gives which field, by the field's index, and the keys that give none. */
export interface MatchedKeys {
  readonly keys: readonly (string | undefined)[];
  readonly unknown: readonly string[];
}

/** Two edits at most: near enough to be a slip rather than a key of somebody else's. */
export function isTypo(key: string, known: Iterable<string>): boolean {
  const name = nearest(key, known);
  return name !== undefined && Math.abs(name.length - key.length) <= 2;
}

/** Points to an unknown key that is probably one of the missing ones. */
export function meantHint(missing: readonly string[], unknown: readonly string[]): { readonly hint?: string } {
  for (const name of missing) {
    const meant = unknown.find((key) => isTypo(key, [name, camelCase(name)]));
    if (meant !== undefined) return { hint: `Is ${JSON.stringify(meant)} meant as ${JSON.stringify(name)}?` };
  }
  return {};
}

/** The index of the field that a key names, if it is one under these rules: google-adk does not have those of ours. */
export function fieldIndex({ words, fields }: ModelNode, key: string, spellings: ReadonlyMap<string, number>, reference: boolean): number | undefined {
  const index = spellings.get(key);
  return reference && index !== undefined && words.ownFields?.includes(fields[index]?.snake ?? '') === true ? undefined : index;
}

/** Is any key of the object in camelCase where snake_case would differ? */
export function usesCamelCase(fields: readonly FieldNode[], keys: readonly (string | undefined)[]): boolean {
  return fields.some(({ snake, camel }, index) => snake !== camel && keys[index] === camel);
}

/** What is wrong with a key beside its other spelling. */
export function bothSpellings(key: string): string {
  const other = camelCase(key);
  return `${JSON.stringify(key)} and ${JSON.stringify(other)} are two spellings of one key.`;
}
