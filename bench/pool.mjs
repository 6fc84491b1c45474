// 200 cases × 2 trials at concurrency 16, each turn 50 ms long: wall time over the ideal ⌈400 / 16⌉ × 50 ms. Start-up is not counted.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median, promise, root } from './lib.mjs';

const require = createRequire(import.meta.url);
const core = (path) => require(join(root, 'dist/src', path));
const { runTrials } = core('inference/run-trials');
const { resolveTarget } = core('target/resolve-target');
const { functionTarget } = core('target/function-target');

const [cases, numRuns, concurrency, turnMs] = [200, 2, 16, 50];
const ideal = Math.ceil((cases * numRuns) / concurrency) * turnMs;
const wait = () => new Promise((resolve) => setTimeout(resolve, turnMs));

const jobs = (count) =>
  Array.from({ length: count * numRuns }, (_unused, index) => ({
    evalCase: {
      evalId: `case${Math.floor(index / numRuns)}`,
      creationTimestamp: 0,
      conversation: [{ invocationId: '', creationTimestamp: 0, userContent: { role: 'user', parts: [{ text: 'hi' }] } }],
    },
    info: { evalSetId: 'bench', evalId: `case${Math.floor(index / numRuns)}`, trial: index % numRuns },
  }));

async function timers() {
  const started = performance.now();
  let left = cases * numRuns;
  await Promise.all(Array.from({ length: concurrency }, async () => { while (left-- > 0) await wait(); }));
  return performance.now() - started;
}

async function measure(target, count = cases) {
  let answered = 0;
  const started = performance.now();
  await runTrials(target, jobs(count), { concurrency, turnTimeoutMs: 300_000 }, (record) => {
    if (record.endReason === 'completed') answered += 1;
  });
  const taken = performance.now() - started;
  if (answered !== count * numRuns) throw new Error(`${answered} of ${count * numRuns} trials were answered`);
  return taken;
}

async function adkTarget() {
  const adk = require('@google/adk');
  adk.setLogLevel(adk.LogLevel.ERROR);
  class Slow extends adk.BaseLlm {
    async *generateContentAsync() {
      await wait();
      yield { content: { role: 'model', parts: [{ text: 'ok' }] } };
    }
    async connect() {
      throw new Error('no live connection');
    }
  }
  return resolveTarget(new adk.LlmAgent({ name: 'bench', model: new Slow({ model: 'slow' }), instruction: 'Answer.' }), { rootDir: root, callerDir: root });
}

const sides = { 'plain timers': timers };
const fn = functionTarget(async () => { await wait(); return 'ok'; });
sides['function target'] = () => measure(fn);
const agent = await adkTarget();
sides['SDK agent'] = () => measure(agent);
await measure(fn, 40);
await measure(agent, 40);
for (const [name, side] of Object.entries(sides)) {
  const times = [];
  for (let run = 0; run < 3; run += 1) times.push(await side());
  const ratio = median(times) / ideal;
  if (name === 'plain timers') console.log(`plain timers: ${ratio.toFixed(3)} × ideal`);
  else promise(`${name}, wall time over the ideal`, ratio, name === 'SDK agent' ? 1.1 : 1.05);
}
