import { createProject, removeProjects, type Project } from '../support/run-jest';

jest.setTimeout(60_000);
afterAll(removeProjects);

/** What a run that evaluates nothing must not pay for. Jest's own packages and its helpers are loaded already. */
const heavy = [
  '@google/adk', '@google/genai', '@huggingface/jinja', '@iarna/toml', '@sinclair/typebox', 'ajv', 'eta', 'fastest-levenshtein', 'jiti', 'jsonc-parser', 'munkres-js', 'p-queue',
  'string-width', 'toml-eslint-parser', 'ts-jest', 'typescript', 'zod',
];

/** Packages, and rooms of the core, that are in memory after an entry was required. */
const script = `
  require(process.argv[1]);
  const { sep } = require('node:path');
  const packages = new Set();
  const rooms = new Set();
  for (const file of Object.keys(require.cache)) {
    const parts = file.split(sep);
    const last = parts.lastIndexOf('node_modules');
    const name = parts[last + 1].startsWith('@') ? parts[last + 1] + '/' + parts[last + 2] : parts[last + 1];
    if (name === 'jest-adk') { const at = parts.indexOf('src', last); if (at > 0 && parts.length > at + 2) rooms.add(parts[at + 1] + '/' + parts[at + 2]); }
    else packages.add(name);
  }
  console.log(JSON.stringify({ packages: [...packages].sort(), rooms: [...rooms].sort() }));
`;

describe('what an entry loads', () => {
  let project: Project;
  beforeAll(() => {
    project = createProject({ packages: ['@google/adk', '@google/genai', 'zod', 'ts-jest', 'typescript'] });
  });

  it.each(['jest-adk', 'jest-adk/jest-preset', 'jest-adk/ts/jest-preset', 'jest-adk/js/jest-preset', 'jest-adk/matchers', 'jest-adk/environment', 'jest-adk/runner', 'jest-adk/reporter'])(
    '%s loads nothing heavy',
    async (entry) => {
      const run = await project.node(['-e', script, entry]);
      expect(run.stderr).toBe('');
      const { packages } = JSON.parse(run.stdout) as { packages: string[] };
      expect(packages.filter((name) => heavy.includes(name))).toEqual([]);
    },
  );

  it.each(['jest-adk/environment', 'jest-adk/matchers', 'jest-adk/jest-preset'])('%s leaves the metrics and the pipeline alone', async (entry) => {
    const run = await project.node(['-e', script, entry]);
    const { rooms } = JSON.parse(run.stdout) as { rooms: string[] };
    expect(rooms.filter((file) => /^(metrics|evaluation|inference|target)\//.test(file))).toEqual([]);
  });
});
