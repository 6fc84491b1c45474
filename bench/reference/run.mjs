// Scores the workload with jest-adk in plain Node; the last line says how long it took without the imports. The twin of run.py.
import { AgentEvaluator } from '../../dist/index.js';
import { rootAgent } from './agent.mjs';

const started = performance.now();
const result = await AgentEvaluator.evaluate({ agent: rootAgent, evalDatasetFilePathOrDir: process.argv[2] });
console.log(`outcome ${result.outcome}, ${result.sets[0].cases.length} cases, ${result.sets[0].numRuns} trials each`);
console.log(`evaluated in ${(performance.now() - started).toFixed(1)} ms`);
