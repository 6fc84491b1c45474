import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { repoRoot } from '../support/package-under-test';

/** The counting is an ES module of the scripts: it is run where it lives, in plain Node. */
function count(report: unknown, available: { python: boolean; shared: boolean }): { passed: number; failed: number; skipped: number; notes: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-walls-'));
  try {
    writeFileSync(join(folder, 'suite.test.ts'), "process.env['JEST_ADK_PYTHON']");
    writeFileSync(join(folder, 'plain.test.ts'), '');
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report).replaceAll('FOLDER', folder.replaceAll('\\', '/')));
    const script = `import { readJestReport } from ${JSON.stringify(`${repoRoot}/scripts/ci/jest-report.mjs`)}; console.log(JSON.stringify(readJestReport(${JSON.stringify(folder)}, ${JSON.stringify(join(folder, 'report.json'))}, ${JSON.stringify(available)})));`;
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })) as ReturnType<typeof count>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const suite = (name: string, status: string, tests: readonly string[]) => ({ name: `FOLDER/${name}`, status, assertionResults: tests.map((test, index) => ({ status: test, fullName: `test ${index}` })) });
const report = (suites: ReturnType<typeof suite>[], numbers: object) => ({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numRuntimeErrorTestSuites: 0, ...numbers, testResults: suites });

describe('what .ci/run counts', () => {
  it('counts a suite that did not load as failed', () => {
    const counted = count(report([suite('plain.test.ts', 'failed', [])], { numPassedTests: 3, numRuntimeErrorTestSuites: 1 }), { python: true, shared: false });
    expect(counted).toMatchObject({ passed: 3, failed: 1, skipped: 0 });
    expect(counted.notes).toEqual(['FAIL plain.test.ts: did not load']);
  });

  it('lets a test be skipped only where what it needs is missing', () => {
    const skipping = report([suite('suite.test.ts', 'passed', ['pending', 'passed']), suite('plain.test.ts', 'passed', ['pending'])], { numPassedTests: 1, numPendingTests: 2 });
    expect(count(skipping, { python: true, shared: false })).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
    expect(count(skipping, { python: false, shared: false })).toMatchObject({ passed: 1, failed: 0, skipped: 2 });
  });
});
