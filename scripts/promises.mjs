// Which rows of docs/promises.md have tests: titles of tests start with the row (`A4 ignores arguments …`).
// `--write` fills the page's last column. Exit code 1 when a row has no test.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'promises.md');

/** Rows mentioned at the start of a test's or block's title, by test file. Several may lead a title: `C37, C38 …`, `A1/A2 …`. */
export function rowsByFile() {
  const found = new Map();
  const files = readdirSync(join(root, '__tests__'), { recursive: true }).filter((name) => name.endsWith('.test.ts') && !name.startsWith('fixtures'));
  for (const file of files.sort()) {
    const text = readFileSync(join(root, '__tests__', file), 'utf8');
    for (const [, rows] of text.matchAll(/['"`]((?:[A-H]\d{1,3}(?:, |\/| and | )?)+)[^'"`\n]/g)) {
      for (const row of rows.match(/[A-H]\d{1,3}/g)) found.set(row, (found.get(row) ?? new Set()).add(`__tests__/${file.replaceAll('\\', '/')}`));
    }
  }
  return found;
}

/** Row lines of the page that promise a test. */
export function promisedRows(text) {
  return [...text.split('## Later')[0].matchAll(/^\| ([A-H]\d+) \|/gm)].map((match) => match[1]);
}

const found = rowsByFile();
const text = readFileSync(page, 'utf8');
const without = promisedRows(text).filter((row) => !found.has(row));
if (process.argv.includes('--write')) {
  const [head, tail] = text.split('## Later');
  const filled = head.replace(/^\| ([A-H]\d+) \| (.*) \| [^|]*\|$/gm, (_line, row, complaint) => {
    const files = [...(found.get(row) ?? [])].map((file) => `[${file.replace('__tests__/', '').replace('.test.ts', '')}](../${file})`);
    return `| ${row} | ${complaint} | ${files.join(', ')} |`;
  });
  writeFileSync(page, `${filled}## Later${tail}`);
}
console.log(without.length === 0 ? 'every row has a test' : `without a test: ${without.join(', ')}`);
process.exitCode = without.length === 0 ? 0 : 1;
