// Heap after gc with the result of 5,000 cases (2 turns, 2 calls each) in hand, less that with 500, per case. Each size in a process of its own.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inScratch, promise, root } from './lib.mjs';

const script = fileURLToPath(import.meta.url);
const numRuns = Number(process.env.BENCH_RUNS ?? 2);

function evalSet(cases) {
  const turn = (caseIndex, turnIndex) => ({
    invocation_id: `inv-${caseIndex}-${turnIndex}`,
    user_content: { role: 'user', parts: [{ text: `turn on the lamp in room ${caseIndex}` }] },
    final_response: { role: 'model', parts: [{ text: `The lamp in room ${caseIndex} is on.` }] },
    intermediate_data: { tool_uses: [{ name: 'turn_on', args: { device: 'lamp', room: caseIndex } }] },
  });
  return { eval_set_id: 'heap', eval_cases: Array.from({ length: cases }, (_unused, index) => ({ eval_id: `case_${index}`, conversation: [turn(index, 0), turn(index, 1)] })) };
}

const lamp = async (turn, session) => {
  const room = Number(turn.text.split(' ').at(-1));
  const id = `call-${session.sessionId}-${turn.index}`;
  return [
    { author: 'home', content: { role: 'model', parts: [{ functionCall: { id, name: 'turn_on', args: { device: 'lamp', room } } }] }, usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 5, totalTokenCount: 35 } },
    { author: 'home', content: { role: 'user', parts: [{ functionResponse: { id, name: 'turn_on', response: { status: 'on' } } }] } },
    { author: 'home', content: { role: 'model', parts: [{ text: `The lamp in room ${room} is on.` }] }, usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 8, totalTokenCount: 58 } },
  ];
};

async function child(cases, resultsDir) {
  const { AgentEvaluator } = createRequire(import.meta.url)(`${root}/dist/index.js`);
  const result = await AgentEvaluator.evaluateEvalSet({ agent: lamp, evalSet: evalSet(cases), numRuns, concurrency: 16, resultsDir });
  if (result.outcome !== 'passed' || result.sets[0].cases.length !== cases) throw new Error('not every case passed');
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(JSON.stringify({ heap: process.memoryUsage().heapUsed, held: result.sets[0].cases.length }));
}

const [size, resultsDir] = process.argv.slice(2);
if (size !== undefined) await child(Number(size), resultsDir);
else {
  await inScratch(async (scratch) => {
    const heapOf = (cases) => {
      const run = spawnSync(process.execPath, ['--expose-gc', script, String(cases), scratch], { encoding: 'utf8', maxBuffer: 1 << 26 });
      if (run.status !== 0) throw new Error(run.stderr);
      return JSON.parse(run.stdout.trim().split('\n').at(-1)).heap;
    };
    const [few, many] = [500, 5000];
    const perCase = (heapOf(many) - heapOf(few)) / (many - few) / 1024;
    promise(`heap per case (2 turns, 2 calls, ${numRuns} trials), result and eval set in hand`, perCase, 20, ' KB');
  });
}
