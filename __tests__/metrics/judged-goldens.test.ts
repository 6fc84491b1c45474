import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, repoRoot } from '../support/package-under-test';

jest.setTimeout(240_000);
beforeAll(() => ensureBuilt());

const goldens = join(repoRoot, '__tests__/fixtures/golden');
const files = ['judged', 'judged-extra'].flatMap((kind) => readdirSync(join(goldens, kind)).map((name) => join(kind, name)));

test.each(files)('%s agrees with the reference under google-adk', async (file) => {
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, [join(repoRoot, 'scripts/conformance.mjs'), join(goldens, file)], { maxBuffer: 1 << 26 }, (_error, stdout) => resolve(stdout));
  });
  expect(printed.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
});
