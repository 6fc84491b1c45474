// What the preset costs a test file, in one run beside plain Jest: ten files that import the SDK, and ten that evaluate nothing.
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inScratch, median, promise, root, timed } from './lib.mjs';

const files = 10;
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

const bodies = {
  sdk: "const { LlmAgent } = require('@google/adk');\ntest('knows the SDK', () => { expect(typeof LlmAgent).toBe('function'); });\n",
  nothing: "test('adds', () => { expect(1 + 1).toBe(2); });\n",
};

/** lodash-es is the one ES module in the SDK's tree that plain Jest cannot load from CommonJS; the SDK uses three of its functions. */
const plainMapping = { '^lodash-es$': '<rootDir>/lodash-es.cjs' };
const configs = {
  plain: { testEnvironment: 'node', moduleNameMapper: plainMapping },
  preset: { preset: 'jest-adk' },
};

/** Beside this checkout's packages, linked, the package itself: a copy of what is published, as an install has it. */
function installPackages(folder) {
  const installed = join(folder, 'node_modules');
  mkdirSync(join(installed, 'jest-adk'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(installed, name), 'junction');
  }
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files]) cpSync(join(root, name), join(installed, 'jest-adk', name), { recursive: true });
}

/** Writes a project of ten test files. */
function writeProject(folder, body, config) {
  installPackages(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "bench", "private": true }\n');
  writeFileSync(join(folder, 'lodash-es.cjs'), 'exports.cloneDeep = structuredClone;\nexports.isEmpty = (value) => value == null || Object.keys(value).length === 0;\nexports.isEqual = require("node:util").isDeepStrictEqual;\n');
  writeFileSync(join(folder, 'times.cjs'), reporter);
  for (let index = 0; index < files; index += 1) writeFileSync(join(folder, `file${index}.test.js`), body);
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify({ ...config, reporters: ['<rootDir>/times.cjs'] }));
}

/** Measures a file from Jest's decision to run it to its result: environment, setup and tests, everything. */
const reporter = `
module.exports = class {
  started = new Map();
  times = [];
  onTestFileStart(test) { this.started.set(test.path, performance.now()); }
  onTestFileResult(test, result) {
    if (result.numFailingTests > 0 || result.testExecError) { console.log(result.failureMessage); }
    this.times.push(performance.now() - this.started.get(test.path));
  }
  onRunComplete() { console.log('TIMES ' + JSON.stringify(this.times)); }
};
`;

function fileTimes(folder) {
  const { stdout } = timed(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '--runInBand', '--config', 'jest.config.json'], { cwd: folder });
  return JSON.parse(/^TIMES (.*)$/m.exec(stdout)[1]);
}

await inScratch(async (scratch) => {
  const times = {};
  for (const [name, body] of Object.entries(bodies)) {
    for (const [kind, config] of Object.entries(configs)) writeProject(join(scratch, `${name}-${kind}`), body, config);
  }
  for (let round = -1; round < rounds; round += 1) {
    for (const name of Object.keys(bodies)) {
      for (const kind of Object.keys(configs)) {
        const measured = fileTimes(join(scratch, `${name}-${kind}`));
        // The first round fills Jest's caches.
        if (round >= 0) (times[`${name}-${kind}`] ??= []).push(median(measured));
      }
    }
  }
  const figures = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(15)} ${value.toFixed(1)} ms per file`);
  promise('median file with the preset and the SDK over plain Jest with the same SDK', figures['sdk-preset'] / figures['sdk-plain'], 1);
  promise('a file that evaluates nothing, more than plain Jest', figures['nothing-preset'] - figures['nothing-plain'], 15, ' ms');
});
