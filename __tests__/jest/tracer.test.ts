import { createProject, removeProjects, type JestMajor } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(removeProjects);

const turn = (user: string, answer: string): object => ({
  invocation_id: 'turn-1',
  user_content: { role: 'user', parts: [{ text: user }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});

const evalSet = {
  eval_set_id: 'greetings',
  eval_cases: [
    { eval_id: 'hello', conversation: [turn('hello', 'hello to you')] },
    { eval_id: 'bye', conversation: [turn('bye', 'goodbye to you')] },
  ],
};

describe.each<JestMajor>(['29', '30'])('Jest %s', (major) => {
  it('scores a function with an eval set: passes, fails with every failure, saves results', async () => {
    const project = createProject({
      jest: major,
      packageJson: { jest: { preset: 'jest-adk' } },
      files: {
        'evals/greetings.test.json': evalSet,
        'evals/test_config.json': { criteria: { response_match_score: 0.8 } },
        'greetings.test.js': `
          const polite = async (turn, session) => (turn.text === 'hello' ? 'hello to you' : 'goodbye to you');
          test('a polite agent', async () => { await expect(polite).toPassEvalSet('./evals/greetings.test.json'); });
          test('a rude agent', async () => { await expect(async (turn) => 'go away').toPassEvalSet('evals/greetings.test.json'); });
          test('not a rude agent', async () => { await expect(async (turn) => 'go away').not.toPassEvalSet('evals/greetings.test.json'); });`,
      },
    });
    const run = await project.jest([], { json: true });
    expect(run.json?.testResults[0]?.assertionResults.map(({ title, status }) => `${title}: ${status}`)).toEqual(['a polite agent: passed', 'a rude agent: failed', 'not a rude agent: passed']);
    const [message = ''] = run.json?.testResults[0]?.assertionResults[1]?.failureMessages ?? [];
    expect(message).toContain('expect(agent).toPassEvalSet("evals/greetings.test.json")');
    expect(message).toContain('2 of 2 cases failed');
    expect(message).toContain('✗ hello › response_match_score');
    expect(message).toContain('.evalset_result.json');
    expect(run.stderr).toContain('ADK eval results');
    expect(run.status).toBe(1);
  });
});
