// Runs golden files against the built package under the google-adk profile: `npm run conformance -- FILE…`.
// The subject of a file is its base name; scripts/conformance/<subject>.mjs maps its JSON to the functions the product itself calls.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const adapters = join(root, 'scripts', 'conformance');
const tolerance = 1e-12;

/** Golden files that are about nothing of ours: no adapter, and no failure either. */
const withoutSubject = new Map([['pretty_print', 'the layout in which google-adk prints results, which jest-adk does not imitate']]);

/** Deep equality; numbers within 1e-12, key order ignored. Returns the first difference as text, or undefined. */
export function difference(actual, expected, path = '$') {
  if (typeof actual === 'number' && typeof expected === 'number') {
    if (Object.is(actual, expected) || Math.abs(actual - expected) <= tolerance) return undefined;
    return `${path}: expected ${expected}, got ${actual}`;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) return `${path}: expected ${expected.length} items, got ${actual.length}`;
    for (let i = 0; i < expected.length; i += 1) {
      const found = difference(actual[i], expected[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObject(actual) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (!(key in expected)) return `${path}.${key}: unexpected ${show(actual[key])}`;
      if (!(key in actual)) return `${path}.${key}: missing, expected ${show(expected[key])}`;
      const found = difference(actual[key], expected[key], `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isDeepStrictEqual(actual, expected) ? undefined : `${path}: expected ${show(expected)}, got ${show(actual)}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value) {
  const text = JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}n` : item)) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Golden integers beyond 2^53 must survive, so the file is read with the product's own reader where it exists. */
function parseGolden(text) {
  const reader = join(root, 'dist/src/support/json.js');
  if (!existsSync(reader)) return JSON.parse(text);
  try {
    return require(reader).parseJson(text);
  } catch {
    return JSON.parse(text); // half a surrogate pair, or very deep: data of a golden file, though no file of the product's may have it
  }
}

async function runFile(file) {
  const subject = basename(file, '.json');
  const known = readdirSync(adapters).filter((name) => name.endsWith('.mjs')).map((name) => basename(name, '.mjs'));
  if (withoutSubject.has(subject)) {
    console.log(`${subject}: no subject here, skipped (${withoutSubject.get(subject)})`);
    return { passed: 0, failed: 0 };
  }
  if (!known.includes(subject)) {
    console.log(`FAIL ${file}: unknown subject "${subject}"; known: ${known.join(', ')}`);
    return { passed: 0, failed: 1 };
  }
  let golden;
  try {
    golden = parseGolden(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`FAIL ${file}: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
  if (!Array.isArray(golden?.cases) || golden.cases.length === 0) {
    console.log(`FAIL ${file}: no cases`);
    return { passed: 0, failed: 1 };
  }
  const adapter = await import(pathToFileURL(join(adapters, `${subject}.mjs`)).href);
  let passed = 0;
  let failed = 0;
  for (const item of golden.cases) {
    let problem;
    try {
      const actual = await adapter.run(item.input, { root, require, core: (path) => require(join(root, 'dist/src', path)) });
      problem = adapter.compare === undefined ? difference(actual, item.expected) : adapter.compare(actual, item.expected, { difference, show });
      if (problem !== undefined) problem += `\n     expected ${show(item.expected)}\n     actual   ${show(actual)}`;
    } catch (error) {
      problem = `the adapter threw ${error?.stack ?? error}`;
    }
    if (problem === undefined) passed += 1;
    else {
      failed += 1;
      console.log(`FAIL ${subject} › ${item.name}\n  ${problem}`);
    }
  }
  console.log(`${subject}: ${passed} of ${passed + failed}`);
  return { passed, failed };
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run conformance -- FILE…');
  process.exit(2);
}
const total = { passed: 0, failed: 0 };
for (const file of files) {
  const result = await runFile(file);
  total.passed += result.passed;
  total.failed += result.failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
