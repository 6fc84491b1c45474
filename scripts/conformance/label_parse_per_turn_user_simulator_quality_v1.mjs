import { labelOf } from './lib/labels.mjs';

export const run = ({ judge_output: output }, { core }) => labelOf(output, core, core('metrics/judged/label-parse').parseTurnValidity);

export { compare } from './lib/labels.mjs';
