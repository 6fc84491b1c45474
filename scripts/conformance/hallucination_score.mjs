import { scoreHallucinations } from './lib/hallucinations.mjs';

export const run = (input, { core }) => scoreHallucinations(core, input);
