// 500 cases with an agent that answers at once, against google-adk's own AgentEvaluator on the same files: wall time with imports, and per case without.
// Needs a Python with `google-adk[eval]` 2.13.0: JEST_ADK_PYTHON, or `python3`.
import { join } from 'node:path';
import { writeWorkload } from './reference/eval_set.mjs';
import { cleanEnv, inScratch, median, promise, root, timed } from './lib.mjs';

const cases = Number(process.env.BENCH_CASES ?? 500);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const folder = join(root, 'bench', 'reference');
const python = process.env.JEST_ADK_PYTHON ?? 'python3';

function withoutImports(stdout) {
  return Number(/evaluated in ([\d.]+) ms/.exec(stdout)[1]);
}

await inScratch(async (scratch) => {
  const file = writeWorkload(join(scratch, 'evals'), cases);
  const runs = { theirs: [], ours: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of ['theirs', 'ours']) {
      const run =
        side === 'theirs'
          ? timed(python, ['run.py', file], { cwd: folder, env: cleanEnv({ PYTHONDONTWRITEBYTECODE: '1' }) })
          : timed(process.execPath, ['run.mjs', file], { cwd: folder });
      runs[side].push({ wallMs: run.wallMs, innerMs: withoutImports(run.stdout) });
    }
  }
  const wall = Object.fromEntries(Object.entries(runs).map(([side, list]) => [side, median(list.map((run) => run.wallMs))]));
  const inner = Object.fromEntries(Object.entries(runs).map(([side, list]) => [side, median(list.map((run) => run.innerMs))]));
  console.log(`google-adk: ${(wall.theirs / 1000).toFixed(2)} s in all, ${(inner.theirs / cases).toFixed(2)} ms per case without imports`);
  console.log(`jest-adk:   ${(wall.ours / 1000).toFixed(2)} s in all, ${(inner.ours / cases).toFixed(2)} ms per case without imports`);
  promise(`wall time of ${cases} cases over google-adk's, imports counted`, wall.ours / wall.theirs, 0.1);
  promise("time per case over google-adk's, without imports", inner.ours / inner.theirs, 1);
});
