// Counts a Jest JSON report. What may be skipped on a plain clone must run here: suites whose reason to skip does not hold count as failed.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * @returns numbers of tests passed, failed and skipped, and lines that say which suites did not load or were skipped wrongly
 */
export function readJestReport(root, file, available) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, notes: ['Jest wrote no report.'] };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const notes = [];
  const passed = report.numPassedTests;
  let { numFailedTests: failed, numPendingTests: skipped } = report;
  failed += report.numRuntimeErrorTestSuites;
  for (const suite of report.testResults) {
    const name = relative(root, suite.name);
    if (suite.assertionResults.length === 0 && suite.status === 'failed') notes.push(`FAIL ${name}: did not load`);
    const pending = suite.assertionResults.filter((test) => test.status === 'pending');
    if (pending.length === 0) continue;
    const source = readFileSync(suite.name, 'utf8');
    const mandatory = (available.python && /JEST_ADK_PYTHON/.test(source)) || (available.shared && /\bshared\b/.test(source)) || /JEST_ADK_INSTALL_TESTS/.test(source);
    for (const test of pending) notes.push(`${mandatory ? 'FAIL' : 'skip'} ${name}: skipped "${test.fullName}"`);
    if (mandatory) {
      failed += pending.length;
      skipped -= pending.length;
    }
  }
  return { passed, failed, skipped, notes };
}
