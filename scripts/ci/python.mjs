// A Python that has google-adk at the version whose figures we promise, set up by pip in a virtual environment when there is none.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const version = '2.13.0';

function has(python) {
  const probe = 'from importlib.metadata import version; import google.adk.evaluation.eval_result; print(version("google-adk"))';
  const child = spawnSync(python, ['-c', probe], { encoding: 'utf8' });
  return child.status === 0 && child.stdout.trim() === version;
}

function run(command, args) {
  console.log(`$ ${command} ${args.join(' ')}`);
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

/** `python3 -m venv` needs ensurepip, which Debian packs apart. */
function makeVenv(folder) {
  if (run('python3', ['-m', 'venv', '--clear', folder])) return true;
  if (process.getuid?.() !== 0) return false;
  return run('apt-get', ['update', '-q']) && run('apt-get', ['install', '-q', '-y', 'python3-venv']) && run('python3', ['-m', 'venv', '--clear', folder]);
}

/** Path of a Python with google-adk, or undefined when none could be set up. */
export function findPython() {
  const given = process.env.JEST_ADK_PYTHON;
  if (given !== undefined && given !== '' && has(given)) return given;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'jest-adk');
  const folder = join(cache, `google-adk-${version}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python) && has(python)) return python;
  mkdirSync(cache, { recursive: true });
  if (!makeVenv(folder)) return undefined;
  // The `eval` extra is what google-adk's own evaluator imports.
  if (!run(python, ['-m', 'pip', 'install', '--quiet', `google-adk[eval]==${version}`])) return undefined;
  return has(python) ? python : undefined;
}
