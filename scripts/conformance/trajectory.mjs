export { run, compare } from './lib/metric.mjs';
