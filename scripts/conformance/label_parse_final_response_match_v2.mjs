import { labelOf } from './lib/labels.mjs';

export const run = ({ judge_output: output }, { core }) => labelOf(output, core, (text) => core('metrics/judged/label-parse').parseResponseValidity(text, false));

export { compare } from './lib/labels.mjs';
