// `npm run bench [-- NAME…]`: every promise about time and memory, each as a ratio of two sides measured in one run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

const benches = ['startup', 'reference', 'pool', 'judge', 'heap', 'cli'];
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown bench ${unknown.join(', ')}. Benches: ${benches.join(', ')}.`);
  process.exit(2);
}
if (!existsSync(join(root, 'dist'))) {
  console.error('dist/ is missing: npm run build');
  process.exit(2);
}
for (const name of benches) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n== ${name}`);
  const flags = name === 'heap' ? ['--expose-gc'] : [];
  const child = spawnSync(process.execPath, [...flags, join(root, 'bench', `${name}.mjs`)], { cwd: root, stdio: 'inherit' });
  if (child.status !== 0) process.exitCode = 1;
}
