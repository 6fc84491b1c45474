export { run } from './scenario_ids.mjs';
