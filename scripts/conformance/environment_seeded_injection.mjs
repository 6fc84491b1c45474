export { run } from './environment_injection.mjs';
