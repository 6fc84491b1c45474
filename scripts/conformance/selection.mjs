// Eval set arguments of a command line. The files that exist are made in an empty folder, which is where relative paths start.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export async function run(input, { core }) {
  const { parseSelections, selectionConfigFile } = core('evalset/selection');
  const { googleAdkProfile } = core('support/profile');
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-selection-'));
  try {
    for (const file of input.existing) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '{}');
    }
    const exists = (path) => existsSync(resolve(folder, path));
    const selections = parseSelections(input.args, googleAdkProfile, exists);
    return {
      selection: selections.map(({ path, caseIds }) => [path, caseIds]),
      config_file: selectionConfigFile(selections, exists) ?? null,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
