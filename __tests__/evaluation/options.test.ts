import { checkOptions } from '../../src/evaluation/options';

function messages(options: object): string[] {
  return checkOptions(options).problems.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}`));
}

test.each([
  [{}, []],
  [{ numRuns: 3, passPolicy: { passRate: 0.8 }, concurrency: 1, only: ['a'], compatibility: 'google-adk', caseTimeoutMs: 5 }, []],
  [{ numRuns: undefined }, []],
  [{ numRuns: 0 }, ['The option "numRuns" must be a whole number of at least 1; got 0.']],
  [{ numRuns: 1.5 }, ['The option "numRuns" must be a whole number of at least 1; got 1.5.']],
  [{ only: [] }, ['The option "only" selects no case; leave it out to run all; got [].']],
  [{ passPolicy: 'al' }, ['The option "passPolicy" must be "mean", "all", "any", "majority" or { passRate: a number above 0, at most 1 } (did you mean "all"?); got "al".']],
  [{ passPolicy: { passRate: 0 } }, ['The option "passPolicy" must be "mean", "all", "any", "majority" or { passRate: a number above 0, at most 1 }; got {"passRate":0}.']],
  [{ numruns: 2 }, ['Unknown option "numruns". Did you mean "numRuns"?']],
  [{ compatibility: 'adk' }, ['The option "compatibility" must be one of "google-adk"; got "adk".']],
  [{ turnTimeoutMs: -1, concurrency: 0, beforeTrial: 'x' }, [
    'The option "turnTimeoutMs" must be a number of milliseconds above 0; got -1.',
    'The option "concurrency" must be a whole number of at least 1; got 0.',
    'The option "beforeTrial" must be a function; got "x".',
  ]],
  [{ config: {}, configFilePath: 'a' }, ['The options "config" and "configFilePath" name two configs. Give one of them.']],
])('options %j', (options, expected) => {
  expect(messages(options)).toEqual(expected);
});

test('C32 C33 no runs and an empty selection are refused, not taken for all', () => {
  expect(messages({ numRuns: 0, only: [] })).toHaveLength(2);
});

test('defaults: two runs, mean, four at once, 300 s a turn; exclusive hooks mean one at once', () => {
  expect(checkOptions({}).checked).toMatchObject({ numRuns: 2, passPolicy: 'mean', concurrency: 4, turnTimeoutMs: 300_000, profile: { name: 'default' } });
  expect(checkOptions({ exclusive: true, concurrency: 8 }).checked.concurrency).toBe(1);
});
