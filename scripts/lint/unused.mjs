// Unused files, exports and packages by knip. Golden adapters reach the product by path, which knip cannot follow: names they mention are used.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Text of everything that loads modules of dist/ by path. */
function dynamicUsers(root) {
  const folders = [join(root, 'scripts', 'conformance'), join(root, 'bench')];
  const files = folders.filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
  return files.filter((file) => /\.(mjs|cjs|js)$/.test(file)).map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** All problems as `file:line  kind name`. */
export function unusedProblems(root, tool) {
  const printed = tool('knip', 'bin/knip.js', ['--no-progress', '--reporter', 'json']);
  if (printed.length === 0) return [];
  let report;
  try {
    report = JSON.parse(printed.find((line) => line.startsWith('{')) ?? '');
  } catch {
    return printed;
  }
  const used = dynamicUsers(root);
  const problems = [];
  for (const issue of report.issues) {
    for (const [kind, found] of Object.entries(issue)) {
      if (!Array.isArray(found) || kind === 'owners') continue;
      for (const item of found) {
        const name = item.name ?? item.symbol ?? JSON.stringify(item);
        const reached = kind === 'exports' && new RegExp(`\\b${name}\\b`).test(used);
        if (!reached) problems.push(`${issue.file}:${item.line ?? 1}  unused ${kind}: ${name}`);
      }
    }
  }
  return problems;
}
