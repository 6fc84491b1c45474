// `adk eval shop ARGS` in a temporary folder, against a scripted agent: exit code, summary and the result files that were written.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const statuses = [undefined, 'PASSED', 'FAILED', 'NOT_EVALUATED', 'INFORMATIONAL'];

/** Options and sets of the command line; the option's value may stand behind `=`. */
function parseArguments(args) {
  const parsed = { sets: [] };
  for (let i = 0; i < args.length; i += 1) {
    const [name, value] = args[i].split('=', 2);
    if (name === '--config_file_path') parsed.configFilePath = value ?? args[(i += 1)];
    else if (!args[i].startsWith('--')) parsed.sets.push(args[i]);
  }
  return parsed;
}

export async function run(input, { core }) {
  const { adkEval } = core('evaluation/adk-eval');
  const { functionTarget } = core('target/function-target');
  const { contentFromJson } = core('evalset/parts');
  const { googleAdkProfile } = core('support/profile');
  const { createNodeLoader } = core('target/module-loader');
  const { readEvalSetResult } = core('results/adk-format');
  const { stringifyJson } = core('support/json');
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-cli-eval-'));
  try {
    mkdirSync(join(folder, 'shop'));
    for (const [name, content] of Object.entries(input.files)) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : stringifyJson(content));
    }
    async function* root({ text }) {
      for (const entry of Object.hasOwn(input.script, text) ? input.script[text] : []) {
        if (entry === 'raise') throw new Error('scripted');
        yield { author: 'root', content: contentFromJson(entry, googleAdkProfile) };
      }
    }
    const host = { rootDir: folder, callerDir: folder, loader: createNodeLoader(), listeners: [] };
    const outcome = await adkEval({ target: functionTarget(root), appName: 'shop', agentsDir: folder, ...parseArguments(input.args) }, host);
    const saved = join(folder, 'shop', '.adk', 'eval_history');
    const files = existsSync(saved) ? readdirSync(saved).sort() : [];
    const results = files.map((name) => readEvalSetResult(readFileSync(join(saved, name), 'utf8'), name, googleAdkProfile));
    return {
      exit_code: outcome.exitCode,
      crashed: outcome.error?.kind === 'uncaught' ? String(outcome.error.cause?.code ?? outcome.error.cause) : null,
      summary_printed: outcome.summary !== undefined,
      summary: Object.fromEntries(outcome.summary ?? []),
      result_files: results.map(({ evalSetId, evalCaseResults }) => ({ eval_set_id: evalSetId, cases: evalCaseResults.map(({ evalId, finalEvalStatus }) => [evalId, statuses[finalEvalStatus]]).sort(byId) })),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Order of [case id, status] pairs. */
function byId(left, right) {
  const [one, other] = [left.join('\n'), right.join('\n')];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether it crashed must agree; the class of the error has another name here. */
export function compare(actual, expected, { difference }) {
  if ((actual.crashed === null) !== (expected.crashed === null)) return `crashed: ${actual.crashed}, expected ${expected.crashed}`;
  return difference({ ...actual, crashed: expected.crashed }, expected);
}
