import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repoRoot } from './package-under-test';

/** Links this checkout's SDK into a folder, as an installation would have it. */
export function linkSdk(dir: string): void {
  for (const name of ['@google/adk', '@google/genai', 'zod']) {
    mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true });
    symlinkSync(join(repoRoot, 'node_modules', name), join(dir, 'node_modules', name));
  }
}
