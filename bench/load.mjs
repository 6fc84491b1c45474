// What each dependency costs to load: median time of its first `require` in a fresh Node, bare Node taken off. Figures of docs/dependencies.md.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { median, root, timed } from './lib.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const { dependencies } = createRequire(import.meta.url)(join(root, 'package.json'));
const entries = [...Object.keys(dependencies), '@google/adk', join(root, 'dist')];

/** Milliseconds inside the process, so that starting Node is not counted. */
function loadMs(name) {
  const script = `const t = performance.now(); require(${JSON.stringify(name)}); console.log(performance.now() - t)`;
  return Number(timed(process.execPath, ['-e', script], { cwd: root }).stdout);
}

/** ES module only: `require` works on Node >= 20.19 and outside Jest's sandbox. */
function format(name) {
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return manifest.type === 'module' && !JSON.stringify(manifest.exports ?? {}).includes('require') ? 'ESM' : 'CJS';
  } catch {
    return 'CJS';
  }
}

for (const name of entries) {
  const times = Array.from({ length: rounds }, () => loadMs(name));
  console.log(`${name.replace(root, './').padEnd(28)} ${format(name)}  ${median(times).toFixed(0)} ms`);
}
