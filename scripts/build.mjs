// Compiles the package into dist/. A failed build leaves no half-written dist behind: it is compiled beside and swapped in.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { emitSchemas } from './emit-schemas.mjs';
import { pruneDeclarations } from './prune-declarations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const staged = `${root}dist.next`;
const previous = `${root}dist.previous`;

rmSync(staged, { recursive: true, force: true });
try {
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', 'dist.next'], {
    cwd: root,
    stdio: 'inherit',
  });
  cpSync(`${root}src/judge/prompts`, `${staged}/src/judge/prompts`, { recursive: true });
  await emitSchemas(staged);
  const { exports: entries } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  pruneDeclarations(staged, Object.values(entries).flatMap(({ types }) => (types === undefined ? [] : [types.replace('./dist/', '')])));
} catch (error) {
  console.error(error.message);
  rmSync(staged, { recursive: true, force: true });
  process.exit(1);
}
if (existsSync(`${root}dist`)) renameSync(`${root}dist`, previous);
renameSync(staged, `${root}dist`);
rmSync(previous, { recursive: true, force: true });
