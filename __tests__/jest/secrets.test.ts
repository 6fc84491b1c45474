import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, removeProjects } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

/** In the environment of the run, in that of the test file alone, and nowhere but in an error. */
const secrets = { run: 'run-Env-v4lue', file: 'file-Env-v4lue', error: 'AIzaSyFAKE0123456789abcdefghijklmnop' };

const files = {
  'evals/s.test.json': { eval_set_id: 's', eval_cases: ['answers', 'throws', 'reports', 'scores'].map((id) => ({ eval_id: id, conversation: [{ user_content: { parts: [{ text: id }] }, final_response: { parts: [{ text: 'nothing of the kind' }] } }] })) },
  'evals/test_config.json': { criteria: { response_match_score: 0.9, leaky: 0.5 }, custom_metrics: { leaky: { code_config: { name: './leaky.js#leaky' } } } },
  'evals/leaky.js': `exports.leaky = () => ({ score: 0, reason: 'compared with ' + process.env.MY_API_KEY });`,
  's.test.js': `
    const { describeEvalSet } = require('jest-adk');
    process.env.OTHER_TOKEN = '${secrets.file}';
    const agent = ({ text }, session) => {
      session.state.seen = process.env.OTHER_TOKEN;
      if (text === 'throws') throw new Error('POST https://api.example.com/v1?key=${secrets.error} failed with ' + process.env.MY_API_KEY);
      if (text === 'reports') return [{ author: 'a', errorCode: '500', errorMessage: 'Authorization: Bearer ${secrets.error}' }];
      return 'my key is ' + process.env.MY_API_KEY + ' and ' + process.env.OTHER_TOKEN;
    };
    test('matcher', async () => { await expect(agent).toPassEvalSet('./evals/s.test.json'); });
    test('evaluator', async () => { await AgentEvaluator.evaluate({ agent: agent, evalDatasetFilePathOrDir: 'evals' }); });
    describeEvalSet(agent, './evals/s.test.json');`,
};

function textsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/node_modules|jest-transform-cache/.test(entry.parentPath)) // Jest keeps the sources
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !Object.keys(files).some((name) => file.endsWith(name)))
    .map((file) => readFileSync(file, 'latin1'));
}

test('a secret of the environment, of an error or of an answer is in nothing that a run prints or writes', async () => {
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files });
  const run = await project.jest(['--no-cache'], { env: { MY_API_KEY: secrets.run, TMPDIR: project.dir } });
  expect(run.status).toBe(1);
  expect(run.output).toContain('[redacted]');
  const written = textsBelow(project.dir);
  expect(written.some((text) => text.includes('"eval_set_id": "s"') && text.includes('my key is [redacted] and [redacted]'))).toBe(true);
  for (const [name, secret] of Object.entries(secrets)) {
    expect({ name, printed: run.output.includes(secret) }).toEqual({ name, printed: false });
    expect({ name, files: written.filter((text) => text.includes(secret)).length }).toEqual({ name, files: 0 });
  }
});
