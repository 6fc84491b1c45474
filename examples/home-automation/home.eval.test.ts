import { describeEvalSet } from 'jest-adk';
import { rootAgent } from './agent';

// One Jest test per eval case: `-t`, watch mode and JUnit reporters work per case.
describeEvalSet(rootAgent, './evals/home.test.json');

test('the same eval set as one assertion', async () => {
  await expect(rootAgent).toPassEvalSet('./evals/home.test.json', { numRuns: 1 });
});

test('one sentence', async () => {
  await expect(rootAgent).toRespondTo('Turn on the lamp in the hall', { usingTools: [{ name: 'set_lamp', args: { room: 'hall', on: true } }] });
});
