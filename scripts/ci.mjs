// The second half of .ci/run, after `npm ci`: lint, all tests (those that need Python's google-adk or a package registry too),
// the golden files, the demo. Prints one closing line; the exit code is 0 only if nothing failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJestReport } from './ci/jest-report.mjs';
import { findPython } from './ci/python.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'jest-adk-ci-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const started = Date.now();

function add({ passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

function heading(text) {
  console.log(`\n== ${text} (${Math.round((Date.now() - started) / 1000)} s)`);
}

/** Runs a command with its output shown, and gives its exit code and, when asked for, what it printed. */
function run(command, args, { env = {}, capture = false } = {}) {
  const child = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (capture) process.stdout.write(child.stdout);
  return { code: child.status ?? 1, text: child.stdout ?? '' };
}

function lint() {
  heading('lint');
  const { text, code } = run(process.execPath, ['scripts/lint.mjs'], { capture: true });
  const passed = (text.match(/^ok {3}/gm) ?? []).length;
  const failed = (text.match(/^FAIL /gm) ?? []).length;
  add({ passed, failed: code === 0 ? failed : Math.max(1, failed) });
}

function tests(python) {
  heading('tests');
  const report = join(scratch, 'jest.json');
  const env = { JEST_ADK_INSTALL_TESTS: '1', JEST_ADK_FULL_DISK: 'required', ...(python === undefined ? {} : { JEST_ADK_PYTHON: python }) };
  const { code } = run('npm', ['test', '--', '--ci', '--json', `--outputFile=${report}`], { env });
  const counted = readJestReport(root, report, { python: true, shared: existsSync(join(root, '..', 'shared')) });
  for (const line of counted.notes) console.log(line);
  add({ ...counted, failed: code === 0 ? counted.failed : Math.max(1, counted.failed) });
}

function sameFile(one, other) {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}

function goldens() {
  heading('golden files');
  for (const [own, folder] of ['core', 'judged'].flatMap((kind) => {
    const mine = join(root, '__tests__', 'fixtures', 'golden', kind);
    return [[mine, mine], [mine, join(root, '..', 'shared', 'golden', kind)]];
  })) {
    if (!existsSync(folder)) continue;
    // pretty_print is google-adk's console layout, which we do not imitate; reference_divergences is no golden file. What is shared counts only where it says something else.
    const files = readdirSync(folder).filter((name) => name.endsWith('.json') && !['pretty_print.json', 'reference_divergences.json'].includes(name) && (folder === own || !sameFile(join(own, name), join(folder, name))));
    if (files.length === 0) continue;
    const { text } = run(process.execPath, ['scripts/conformance.mjs', ...files.map((name) => join(folder, name))], { capture: true });
    const last = /^(\d+) passed, (\d+) failed\s*$/m.exec(text.trimEnd().split('\n').at(-1) ?? '');
    add(last === null ? { failed: 1 } : { passed: Number(last[1]), failed: Number(last[2]) });
  }
}

function demo() {
  heading('demo');
  const { code } = run('npm', ['run', 'demo']);
  add(code === 0 ? { passed: 1 } : { failed: 1 });
}

try {
  lint();
  heading('python');
  const python = findPython();
  if (python === undefined) {
    console.log('No Python with google-adk 2.13.0 could be set up: the suites that let google-adk read our results count as failed.');
    add({ failed: 1 });
  } else {
    console.log(`google-adk 2.13.0: ${python}`);
  }
  tests(python);
  goldens();
  demo();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
heading('done');
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped === 0 ? '' : `, ${total.skipped} skipped`}`);
process.exitCode = total.failed === 0 ? 0 : 1;
