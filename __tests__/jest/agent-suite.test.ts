import { createProject, removeProjects, type JestMajor, type Project } from '../support/run-jest';

jest.setTimeout(240_000);
afterAll(removeProjects);

const modules = {
  CommonJS: `const adk = require('@google/adk'); const { z } = require('zod'); const { makeCases } = require('./agents.js'); const { runCases } = require('./run-cases.js');`,
  'ES modules': `import * as adk from '@google/adk'; import { z } from 'zod'; import agents from './agents.js'; import cases from './run-cases.js'; const { makeCases } = agents; const { runCases } = cases;`,
};

/** The suite of agents that the target room runs in plain Node, in a project of its own. */
function suite(major: JestMajor): Project {
  return createProject({
    jest: major,
    fixture: 'agent-suite',
    packages: ['@google/adk', '@google/genai', 'zod'],
    packageJson: { jest: { preset: 'jest-adk', testEnvironment: '<rootDir>/environment.js', testMatch: ['**/suite.test.*js'] } },
    files: {
      // The core of the worker, module by module: a test file sees only what the package exports.
      'environment.js': `
        const Environment = require('jest-adk/environment');
        module.exports = class extends Environment {
          constructor(...args) { super(...args); this.global.core = (path) => require(require('path').join(__dirname, 'node_modules/jest-adk/dist/src', path)); }
        };`,
      'plain.cjs': `${modules.CommonJS}
        adk.setLogger(null);
        const core = (path) => require(require('path').join(__dirname, 'node_modules/jest-adk/dist/src', path));
        runCases(makeCases({ adk, z }), { core, rootDir: __dirname }).then((outcomes) => process.stdout.write(JSON.stringify(outcomes)));`,
    },
  });
}

const body = (file: string): string => `
  test('the suite', async () => {
    adk.setLogger(null);
    const outcomes = await runCases(makeCases({ adk, z }), { core, rootDir: process.cwd() });
    fs.writeFileSync('${file}', JSON.stringify(outcomes));
  });`;

describe.each<JestMajor>(['29', '30'])('Jest %s', (major) => {
  it('gives for every agent what plain Node gives, in both kinds of modules', async () => {
    const project = suite(major);
    const plain = JSON.parse((await project.node(['plain.cjs'])).stdout) as Record<string, unknown>;
    expect(Object.keys(plain).length).toBeGreaterThan(10);
    for (const kind of ['CommonJS', 'ES modules'] as const) {
      const esm = kind === 'ES modules';
      const name = esm ? 'suite.test.mjs' : 'suite.test.js';
      const fs = esm ? `import fs from 'node:fs';` : `const fs = require('node:fs');`;
      project.write({ [name]: `${modules[kind]}\n${fs}\n${body(`${kind}.json`)}` });
      const run = await project.jest(['-i', '--runTestsByPath', name], esm ? { env: { NODE_OPTIONS: '--experimental-vm-modules' } } : {});
      expect({ kind, status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ kind, status: 0, output: '' });
      expect({ kind, outcomes: JSON.parse(project.read(`${kind}.json`)) as unknown }).toEqual({ kind, outcomes: plain });
    }
  });
});
