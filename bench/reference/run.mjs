// Scores the workload with jest-adk in plain Node; the last line says how long it took without the imports. The twin of run.py.
// usage: run.mjs EVAL_SET function|sdk
import { AgentEvaluator } from '../../dist/index.js';

const answer = { role: 'model', parts: [{ text: 'There are twelve parts in the box you asked about.' }] };
const call = { role: 'model', parts: [{ functionCall: { name: 'count_parts', args: { box: 7 } } }] };
const agents = {
  function: () => [call, answer].map((content) => ({ author: 'parts', content })),
  sdk: process.argv[3] === 'sdk' ? (await import('./agent.cjs')).rootAgent : undefined,
};

const started = performance.now();
const result = await AgentEvaluator.evaluate({ agent: agents[process.argv[3]], evalDatasetFilePathOrDir: process.argv[2] });
console.log(`outcome ${result.outcome}, ${result.sets[0].cases.length} cases, ${result.sets[0].numRuns} trials each`);
console.log(`evaluated in ${(performance.now() - started).toFixed(1)} ms`);
