import type { SchemaDocument } from './vocabulary';

let loaded: SchemaDocument | undefined;

/** The models of all file formats, as the build emitted them; read when the first file is. */
export function schemaDocument(): SchemaDocument {
  loaded ??= require('../../schemas/model.json') as SchemaDocument;
  return loaded;
}
