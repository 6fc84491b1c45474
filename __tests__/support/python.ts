import { spawnSync } from 'node:child_process';

let found: string | null | undefined;

/** A Python that can import google-adk: `JEST_ADK_PYTHON`, else `python3`; null when neither can. */
export function pythonWithAdk(): string | null {
  found ??= [process.env['JEST_ADK_PYTHON'], 'python3'].find((python) => python !== undefined && python !== '' && spawnSync(python, ['-c', 'import google.adk.evaluation.eval_result']).status === 0) ?? null;
  return found;
}

/** Runs a script with its argument as JSON on stdin; gives what it prints as JSON. @throws with Python's own words when it fails */
export function runPython(script: string, input: unknown): unknown {
  const child = spawnSync(pythonWithAdk() ?? 'python3', ['-c', script], { input: JSON.stringify(input), encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONWARNINGS: 'ignore' } });
  if (child.status !== 0) throw new Error(`Python failed:\n${child.stderr}`);
  return JSON.parse(child.stdout) as unknown;
}
