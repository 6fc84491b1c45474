// Takes away the declarations that no entry of the package leads to: half of them, which nobody could import.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Deletes unreachable `.d.ts` files of a build; `entries` are relative to it. Throws where an entry is missing. */
export function pruneDeclarations(folder, entries) {
  const reached = new Set();
  const open = entries.map((entry) => resolve(folder, entry));
  for (const entry of open) if (!existsSync(entry)) throw new Error(`the build lacks ${entry}, which package.json names`);
  while (open.length > 0) {
    const file = open.pop();
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import|path=)\s*\(?\s*["'](\.{1,2}(?:\/[^"']*)?)["']/g)) {
      const target = resolve(dirname(file), specifier);
      const found = [`${target}.d.ts`, join(target, 'index.d.ts'), target].find((path) => path.endsWith('.d.ts') && existsSync(path));
      if (found !== undefined) open.push(found);
    }
  }
  for (const path of readdirSync(folder, { recursive: true })) if (path.endsWith('.d.ts') && !reached.has(resolve(folder, path))) rmSync(join(folder, path));
}
