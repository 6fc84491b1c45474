// Writes the file formats, which are described once in src/schema/source, as JSON: model.json for our reader and writer, *.schema.json for editors.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Emits all schemas into `<outDir>/schemas`. */
export async function emitSchemas(outDir) {
  const { createJiti } = require('jiti');
  const { $defs, published } = await createJiti(import.meta.url).import(join(root, 'src/schema/source/index.ts'));
  const folder = join(outDir, 'schemas');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.json'), JSON.stringify({ $defs }));
  for (const [file, schema] of Object.entries(published)) writeFileSync(join(folder, file), `${JSON.stringify(schema, null, 2)}\n`);
}
