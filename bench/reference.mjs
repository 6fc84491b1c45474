// 500 cases, two trials each, with an agent that answers at once, against google-adk's own AgentEvaluator on the same files: wall time with
// imports, and per case without. Our side twice: a function, and an agent of @google/adk. The floor is that agent's SDK alone: its import, and its
// runner making the same sessions and turns, with nothing of ours.
// Needs a Python with `google-adk[eval]` 2.13.0: JEST_ADK_PYTHON, or `python3`.
import { join } from 'node:path';
import { writeWorkload } from './reference/eval_set.mjs';
import { cleanEnv, inScratch, median, promise, root, timed } from './lib.mjs';

const cases = Number(process.env.BENCH_CASES ?? 500);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const folder = join(root, 'bench', 'reference');
const python = process.env.JEST_ADK_PYTHON ?? 'python3';

const sides = {
  'google-adk': (file) => timed(python, ['run.py', file], { cwd: folder, env: cleanEnv({ PYTHONDONTWRITEBYTECODE: '1' }) }),
  'jest-adk, function': (file) => timed(process.execPath, ['run.mjs', file, 'function'], { cwd: folder }),
  'jest-adk, SDK agent': (file) => timed(process.execPath, ['run.mjs', file, 'sdk'], { cwd: folder }),
  'the SDK alone': () => timed(process.execPath, ['floor.cjs', String(cases * 2)], { cwd: folder }),
};

await inScratch(async (scratch) => {
  const file = writeWorkload(join(scratch, 'evals'), cases);
  const runs = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, run] of Object.entries(sides)) {
      const { wallMs, stdout } = run(file);
      runs[side].push({ wallMs, innerMs: Number(/evaluated in ([\d.]+) ms/.exec(stdout)[1]) });
    }
  }
  const middle = (side, field) => median(runs[side].map((run) => run[field]));
  for (const side of Object.keys(sides)) {
    console.log(`${side.padEnd(20)} ${(middle(side, 'wallMs') / 1000).toFixed(2)} s in all, ${(middle(side, 'innerMs') / cases).toFixed(2)} ms per case without imports`);
  }
  const ratio = (side, field) => middle(side, field) / middle('google-adk', field);
  promise(`wall time of ${cases} cases over google-adk's, imports counted, a function`, ratio('jest-adk, function', 'wallMs'), 0.1);
  promise("time per case over google-adk's, without imports, a function", ratio('jest-adk, function', 'innerMs'), 1);
  promise("time per case over google-adk's, without imports, an SDK agent", ratio('jest-adk, SDK agent', 'innerMs'), 1);
  promise('wall time of an SDK agent over that of its SDK alone', middle('jest-adk, SDK agent', 'wallMs') / middle('the SDK alone', 'wallMs'), 2);
  console.log(`for information: over google-adk's wall time an SDK agent takes ${ratio('jest-adk, SDK agent', 'wallMs').toFixed(3)}, its SDK alone ${ratio('the SDK alone', 'wallMs').toFixed(3)}`);
});
