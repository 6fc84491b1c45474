import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../support/package-under-test';

describe('docs/promises.md', () => {
  it('has a test for every row, and names it', () => {
    const run = spawnSync(process.execPath, [join(repoRoot, 'scripts', 'promises.mjs')], { encoding: 'utf8' });
    expect(run.stdout.trim()).toBe('every row has a test');
    const unnamed = readFileSync(join(repoRoot, 'docs', 'promises.md'), 'utf8').split('## Later')[0]?.match(/^\| [A-H]\d+ \|.*\| +\|$/gm) ?? [];
    expect(unnamed).toEqual([]);
  });
});
