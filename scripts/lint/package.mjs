// Checks on the packed file, not on the folder: what is in it, publint, and the types as each module system resolves them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that never belong in the package. */
const unwanted = /\.map$|\.tsbuildinfo$|(^|\/)(__tests__|scripts|bench|examples|testkit|coverage)\/|\.test\.|^(src|environment|matchers)\/|tsconfig|eslint|knip/;
const required = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'jest-preset.js', 'ts/jest-preset.js', 'js/jest-preset.js'];

/** Packs the package (its `prepare` builds it) into a folder of its own. */
function pack(root, folder) {
  const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(printed.slice(printed.indexOf('[\n')));
  return { file: join(folder, packed.filename), paths: packed.files.map((entry) => entry.path) };
}

function contentProblems(root, paths) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const targets = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry))).map((path) => path.slice(2));
  const missing = [...required, ...targets].filter((path) => (path.includes('*') ? !paths.some((known) => known.startsWith(path.split('*')[0])) : !paths.includes(path)));
  return [
    ...paths.filter((path) => unwanted.test(path)).map((path) => `${path}  does not belong in the package`),
    ...missing.map((path) => `${path}  is missing in the package`),
  ];
}

/** All problems of the packed file. */
export function packageProblems(root, tool) {
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-pack-'));
  try {
    const { file, paths } = pack(root, folder);
    return [
      ...contentProblems(root, paths),
      ...tool('publint', 'src/cli.js', ['run', file, '--strict', '--level', 'warning']),
      // named-exports also reports names that are exported as types only; that ES modules find ours is tested in the packed install.
      ...tool('@arethetypeswrong/cli', 'dist/index.js', [file, '--format', 'ascii', '--no-color', '--no-emoji', '--profile', 'node16', '--ignore-rules', 'named-exports', '--exclude-entrypoints', './jest-preset', './ts/jest-preset', './js/jest-preset']),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
