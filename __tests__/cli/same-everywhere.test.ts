import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, removeProjects } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

const turn = (text: string, answer: string, tools: readonly object[] = []): object => ({ user_content: { role: 'user', parts: [{ text }] }, intermediate_data: { tool_uses: tools }, final_response: { role: 'model', parts: [{ text: answer }] } });
const call = { name: 'set_lamp', args: { room: 'hall', on: true } };
const files = {
  'evals/lamps/a.test.json': { eval_set_id: 'lamps', eval_cases: [{ eval_id: 'right', conversation: [turn('on', 'the lamp is on', [call]), turn('off', 'the lamp is off')] }, { eval_id: 'wrong', conversation: [turn('on', 'penguins swim', [call])] }, { eval_id: 'broken', conversation: [turn('break', 'x')] }] },
  // Found by its stem, before test_config.json.
  'evals/lamps/a.config.json': { criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.7, tone: 0.5 }, custom_metrics: { tone: { code_config: { name: './tone.cjs#tone' } } } },
  'evals/lamps/test_config.json': { criteria: { response_match_score: 1 } },
  'evals/lamps/tone.cjs': 'exports.tone = (metric, actual) => ({ score: actual.length / 4, reason: "counted" });',
  'agent.cjs': `exports.agent = (turn) => {
    if (turn.text === 'break') throw new Error('the fuse is out');
    return [{ author: 'lamps', content: { role: 'model', parts: [{ functionCall: { name: 'set_lamp', args: { room: 'hall', on: true } } }] } }, { author: 'lamps', content: { role: 'model', parts: [{ text: 'the lamp is ' + turn.text }] } }].slice(turn.text === 'on' ? 0 : 1);
  };`,
  'api.cjs': "require('jest-adk').AgentEvaluator.evaluate({ agentModule: './agent.cjs', evalDatasetFilePathOrDir: 'evals', appName: 'house', userId: 'u', passPolicy: 'all', resultsDir: 'by-api', throwOnFailure: false });",
  'in-jest.test.js': "const { agent } = require('./agent.cjs');\ntest('lamps', async () => { await expect(agent).toPassEvalSet('evals', { appName: 'house', userId: 'u', passPolicy: 'all', resultsDir: 'by-jest' }); });",
};

/** The result file without what differs from run to run: times, and ids made anew. */
function resultBelow(folder: string): unknown {
  const history = join(folder, 'house', '.adk', 'eval_history');
  const [name, ...more] = readdirSync(history);
  expect(more).toEqual([]);
  const text = readFileSync(join(history, name ?? ''), 'utf8');
  return JSON.parse(text, (key, value: unknown) => (/time|duration|At$|Ms$|_id$|^id$|Id$|_name$|resultFile/i.test(key) && !/^(eval_id|evalId|eval_set_id|app_name|metric_name)$/.test(key) ? undefined : key === 'invocation_duration_v1' ? undefined : value));
}

/** The one metric that measures time. */
function withoutClock(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (Array.isArray(item) ? item.filter((each) => !/^invocation_duration/.test(String((each as { metric_name?: string; metricName?: string } | null)?.metric_name ?? (each as { metricName?: string } | null)?.metricName))) : item), 1);
}

test('C45 the same files give the same scores, config and result file by Jest, by the API and by the command', async () => {
  const project = createProject({ packageJson: { jest: { preset: 'jest-adk' } }, files });
  const run = await project.jest([], { json: true });
  expect(run.json?.numFailedTests).toBe(1);
  await project.node(['api.cjs']);
  const launcher = join(project.dir, 'node_modules', 'jest-adk', 'bin', 'jest-adk.js');
  const code = await new Promise((resolve) => execFile(process.execPath, [launcher, 'eval', './agent.cjs', 'evals', '--app-name', 'house', '--user-id', 'u', '--results-dir', 'by-command'], { cwd: project.dir }, (error) => resolve(error?.code ?? 0)));
  expect(code).toBe(2);
  const [byJest, byApi, byCommand] = ['by-jest', 'by-api', 'by-command'].map((folder) => withoutClock(resultBelow(join(project.dir, folder))));
  expect(byJest).toContain('a.config.json');
  expect(byJest).toContain('the fuse is out');
  expect(byJest).toMatch(/"eval_id": "wrong"/);
  expect(byApi).toBe(byJest);
  expect(byCommand).toBe(byJest);
});
