import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv } from '../support/command';

const root = join(__dirname, '..', '..');
const fixtures = join(root, '__tests__', 'fixtures', 'remote');
const runner = join(root, '__tests__', 'support', 'scenario-runner.mjs');

interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly dialects?: readonly string[];
}

interface Row {
  readonly id: string;
  readonly verdict: string;
  readonly problems: readonly string[];
  readonly out: string;
  readonly err: string;
}

const own = execFileSync(process.execPath, [join(fixtures, 'own.mjs')], { encoding: 'utf8' });
const files = [
  { name: 'given', text: readFileSync(join(fixtures, 'given.json'), 'utf8') },
  { name: 'own', text: own },
];

describe.each(files)('scenarios of the command against a server: $name', ({ text }) => {
  const { scenarios } = JSON.parse(text) as { readonly scenarios: readonly Scenario[] };
  const ids = scenarios.flatMap(({ id, title, dialects }) => (dialects ?? ['']).map((dialect) => ({ id: dialect === '' ? id : `${id}@${dialect}`, title })));
  let rows: ReadonlyMap<string, Row>;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jest-adk-scenarios-'));
    try {
      writeFileSync(join(folder, 'scenarios.json'), text);
      const report = join(folder, 'rows.json');
      const args = [runner, '--scenarios', join(folder, 'scenarios.json'), '--jobs', '3', '--json', report, '--tool', 'jest-adk', '--', process.execPath, join(root, 'bin', 'jest-adk.js'), 'eval'];
      await new Promise((resolve) => execFile(process.execPath, args, { env: cleanEnv(), maxBuffer: 1 << 26 }, resolve));
      rows = new Map((JSON.parse(readFileSync(report, 'utf8')) as readonly Row[]).map((row) => [row.id, row]));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 300_000);

  test.each(ids)('$id: $title', ({ id }) => {
    const row = rows.get(id);
    expect({ problems: row?.problems, ...(row?.verdict === 'pass' ? {} : { out: row?.out, err: row?.err }) }).toEqual({ problems: [] });
  });
});
