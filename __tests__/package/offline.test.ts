import { createProject, removeProjects } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

/** Loaded before anything else in every process of the run: whoever reaches for the network leaves a line. */
const noNetwork = `
const { appendFileSync } = require('node:fs');
const told = (what) => function () { appendFileSync(process.env.NETWORK_LOG, what + '\\n'); throw new Error('no network here: ' + what); };
require('node:net').Socket.prototype.connect = told('connect');
require('node:dns').lookup = told('lookup');
require('node:dgram').Socket.prototype.send = told('send');
globalThis.fetch = told('fetch');
`;

const evalSet = {
  eval_set_id: 'offline',
  eval_cases: [{ eval_id: 'answers', conversation: [{ user_content: { role: 'user', parts: [{ text: 'hello there' }] }, final_response: { role: 'model', parts: [{ text: 'hello there, friend' }] } }] }],
};

describe('without keys and without a network', () => {
  it('E72 response_match_score needs neither, and nothing tries to reach anybody', async () => {
    const project = createProject({
      files: {
        'no-network.cjs': noNetwork,
        'network.log': '',
        'jest.config.js': "module.exports = { preset: 'jest-adk' };",
        'evals/offline.test.json': evalSet,
        'evals/test_config.json': { criteria: { response_match_score: 0.7 } },
        'a.test.js': "test('scored', async () => { await expect((turn) => turn.text).toPassEvalSet('./evals/offline.test.json'); });",
        'b.test.js': "test('scored too', async () => { await expect((turn) => turn.text).toPassEvalSet('./evals/offline.test.json'); });",
      },
    });
    const env = { NODE_OPTIONS: `--require ${project.dir}/no-network.cjs`, NETWORK_LOG: `${project.dir}/network.log` };
    const run = await project.jest(['--maxWorkers=2'], { env, json: true });
    expect(run.json).toMatchObject({ success: true, numPassedTests: 2 });
    expect(project.read('network.log')).toBe('');
  });
});
