import { Type, type TSchema } from '@sinclair/typebox';
import type { ModelWords, ReadAs } from '../vocabulary';

/**
 * The words in which the file formats are written down, once, as JSON Schema objects. `x-model` and `x-read` carry what JSON Schema cannot say
 * (two spellings, keep-or-drop rules, lenient conversions); our reader walks them and the published schemas are made from them.
 * Needed at build time and in tests only.
 */
type Fields = Readonly<Record<string, TSchema>>;

/** An object with known fields, named by their snake_case spelling in the order in which they are written. */
export function model(name: string, words: Omit<ModelWords, 'name'>, fields: Fields): TSchema {
  return Type.Object({ ...fields }, { title: name, 'x-model': { name, ...words } });
}

/** A model of google-genai: both spellings, unknown keys refused. */
function genai(name: string, fields: Fields, words: Partial<ModelWords> = {}): TSchema {
  return model(name, { spelling: 'aliased', unknown: 'strict', attributes: true, ...words }, fields);
}

/** A model of google-genai whose fields are all optional, which is nearly every one. */
export function genaiOptional(name: string, fields: Fields, words: Partial<ModelWords> = {}): TSchema {
  return genai(name, Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, maybe(schema)])), words);
}

/** An optional field that may be null; left out is the same as null. */
export function maybe(schema: TSchema): TSchema {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** An optional field that may not be null and has a default. */
export function defaulted(schema: TSchema, value: unknown): TSchema {
  return Type.Optional({ ...schema, default: value } as TSchema);
}

/** An optional field that may be null, which is not the same as its default. */
export function maybeDefaulted(schema: TSchema, value: unknown): TSchema {
  return Type.Optional({ ...Type.Union([schema, Type.Null()]), default: value } as TSchema);
}

/** Free-form data that belongs to the user: keys are never renamed, values never converted. */
export function freeMap(): TSchema {
  return Type.Object({}, { additionalProperties: true, 'x-read': 'map' satisfies ReadAs });
}

/** A map from the user's names to values of one kind. */
export function mapOf(schema: TSchema): TSchema {
  return Type.Object({}, { additionalProperties: schema, 'x-read': 'map' satisfies ReadAs });
}

/** Base64 in JSON. */
export function bytes(): TSchema {
  return Type.String({ contentEncoding: 'base64', 'x-read': 'bytes' satisfies ReadAs });
}

/** A name out of a list that may grow: any case is accepted, unknown names are kept as they are. */
export function openEnum(...names: string[]): TSchema {
  return Type.String({ examples: names, 'x-read': 'open_enum' satisfies ReadAs });
}

/** Something with a rule of its own in the reader. */
export function special(readAs: ReadAs, schema: TSchema): TSchema {
  return { ...schema, 'x-read': readAs };
}

/** An object that is kept as it is found. */
export function opaqueObject(): TSchema {
  return Type.Object({}, { additionalProperties: true, 'x-read': 'opaque_object' satisfies ReadAs });
}
