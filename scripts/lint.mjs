// Every check that needs no test run: `npm run lint [-- STEP…]`. All steps run; each prints all its problems.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageProblems } from './lint/package.mjs';
import { textProblems } from './lint/text.mjs';
import { unusedProblems } from './lint/unused.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a tool of node_modules and gives what it printed, one problem per line, when it was not content. */
function tool(packageName, bin, args) {
  const run = spawnSync(process.execPath, [join(root, 'node_modules', packageName, bin), ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status === 0) return [];
  const lines = `${run.stdout}${run.stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 ? lines : [`${packageName} ended with ${run.status ?? run.signal}`];
}

const cruised = ['index.ts', 'src', 'environment', 'matchers'].filter((path) => existsSync(join(root, path)));
const steps = {
  types: () => tool('typescript', 'bin/tsc', ['-p', 'tsconfig.json']),
  eslint: () => tool('eslint', 'bin/eslint.js', ['.']),
  directions: () => tool('dependency-cruiser', 'bin/dependency-cruise.mjs', ['--output-type', 'err-long', ...cruised]),
  unused: () => unusedProblems(root, tool),
  text: () => textProblems(root),
  package: () => packageProblems(root, tool),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`Unknown step ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}
let failed = 0;
for (const [name, run] of Object.entries(steps)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const started = Date.now();
  let problems;
  try {
    problems = await run();
  } catch (error) {
    problems = [`the step itself broke: ${error.stack}`];
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  for (const line of problems) console.log(`     ${line}`);
  if (problems.length > 0) failed += 1;
}
console.log(failed === 0 ? 'lint: no problems' : `lint: ${failed} steps with problems`);
process.exitCode = failed === 0 ? 0 : 1;
