import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test('docs/compatibility.md says what src/support/profile.ts says', () => {
  const run = spawnSync(process.execPath, [join(__dirname, '../../scripts/compatibility.mjs'), '--check'], { encoding: 'utf8' });
  expect(run.stdout + run.stderr).toBe('docs/compatibility.md is up to date\n');
});
