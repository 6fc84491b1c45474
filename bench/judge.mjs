// 40 verdicts of 5 samples each, a judge that takes 100 ms, 20 requests at once: the whole evaluation over the ideal ⌈200 / 20⌉ × 100 ms. Start-up is not counted.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median, promise, root } from './lib.mjs';

const require = createRequire(import.meta.url);
const { createAgentEvaluator } = require(join(root, 'dist/src/agent-evaluator'));
const { createNodeLoader } = require(join(root, 'dist/src/target/module-loader'));

const [verdicts, samples, atOnce, judgeMs] = [40, 5, 20, 100];
const requests = verdicts * samples;
const ideal = Math.ceil(requests / atOnce) * judgeMs;
const wait = () => new Promise((resolve) => setTimeout(resolve, judgeMs));

const text = (said) => ({ parts: [{ text: said }] });
const turn = { user_content: text('What does it cost?'), final_response: text('5 euros') };
/** 40 verdicts as cases of one turn, and as the rubrics of one conversation. */
const sides = {
  '40 cases': { cases: verdicts, turns: 1 },
  'one case of 40 turns': { cases: 1, turns: verdicts },
};

async function timers() {
  const started = performance.now();
  let left = requests;
  await Promise.all(Array.from({ length: atOnce }, async () => { while (left-- > 0) await wait(); }));
  return performance.now() - started;
}

async function measure({ cases, turns }) {
  let [asked, now, peak] = [0, 0, 0];
  const judge = async () => {
    asked += 1;
    peak = Math.max(peak, (now += 1));
    await wait();
    now -= 1;
    return '{"reasoning": "the same", "is_the_agent_response_valid": "valid"}';
  };
  const host = { rootDir: root, callerDir: root, loader: createNodeLoader(), listeners: [] };
  const evalSet = { eval_set_id: 'bench', eval_cases: Array.from({ length: cases }, (_unused, index) => ({ eval_id: `case${index}`, conversation: Array.from({ length: turns }, () => turn) })) };
  const config = { criteria: { final_response_match_v2: { threshold: 1, early_stop: false, judge_model_options: { num_samples: samples } } } };
  const started = performance.now();
  const result = await createAgentEvaluator(host).evaluateEvalSet({ agent: () => 'It is 5 euros.', evalSet, config, judge, judgeConcurrency: atOnce, numRuns: 1 });
  const taken = performance.now() - started;
  if (result.outcome !== 'passed' || asked !== requests || peak > atOnce) throw new Error(`outcome ${result.outcome}, ${asked} requests, ${peak} at once`);
  return taken;
}

await measure({ cases: 4, turns: 10 });
const bare = [];
for (let run = 0; run < 3; run += 1) bare.push(await timers());
console.log(`plain timers: ${(median(bare) / ideal).toFixed(3)} × ideal`);
for (const [name, side] of Object.entries(sides)) {
  const times = [];
  for (let run = 0; run < 3; run += 1) times.push(await measure(side));
  promise(`${requests} requests to a judge, ${name}, wall time over the ideal`, median(times) / ideal, 1.1);
}
