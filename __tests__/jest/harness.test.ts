import { createProject, removeProjects, type JestMajor } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

describe.each<JestMajor>(['29', '30'])('a project with Jest %s', (major) => {
  it('runs that Jest, with a scrubbed environment, and gives back what it said', async () => {
    const project = createProject({
      jest: major,
      files: {
        'plain.test.js': `
          test('passes', () => { expect(require('jest/package.json').version).toMatch(/^${major}[.]/); });
          test('fails', () => { expect(process.env.NODE_OPTIONS).toBe('seen'); });`,
        'package.json': { name: 'project', private: true, jest: { testEnvironment: 'node' } },
      },
    });
    const run = await project.jest(['--testLocationInResults'], { json: true });
    expect(run.status).toBe(1);
    expect(run.json).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
    expect(run.json?.testResults[0]?.assertionResults[1]?.failureMessages[0]).toContain('"seen"');
    expect(run.stderr).toContain('plain.test.js');
  });
});
