import Ajv2020 from 'ajv/dist/2020';
import { foldEvents } from '../../src/results/fold';
import { publishedResults } from '../../src/schema/source/run';
import { caseResult, eventsOf, metric, setResult, trial, trialResult } from '../fixtures/results/samples';

const check = (file: string) => new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(publishedResults[file] as object);
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const error = { code: 'e', message: 'no answer' };
const full = setResult({
  outcome: 'error',
  evalSetFile: '/p/home.test.json',
  passPolicy: { passRate: 0.5 },
  config: { file: '/p/test_config.json', reason: 'test_config' },
  resultFile: '/r/x',
  cases: [
    caseResult({ place: { file: '/p/home.test.json', line: 3, column: 5 } }),
    caseResult({
      evalId: 'b', outcome: 'error', error, expected: null, failures: [{ kind: 'inference_error', message: 'no answer' }],
      trials: [trialResult({ status: 'error', error, metrics: [metric({ threshold: null, criterion: null, score: null, status: 'error', error, perInvocation: [] })], trial: trial({ error, endReason: 'error', artifacts: ['a.txt'] }) })],
    }),
  ],
});

describe('published schemas of results', () => {
  test('accept what an evaluation and a run give', () => {
    const result = check('result.schema.json');
    expect([result(json({ schemaVersion: 1, outcome: 'error', sets: [full] })), result.errors]).toEqual([true, null]);
    const run = check('run.schema.json');
    expect([run(json(foldEvents('r', eventsOf(full, '1', { testFile: '/a.test.ts', testName: 't' })))), run.errors]).toEqual([true, null]);
    expect([run(json(foldEvents('r', eventsOf(full).slice(0, 5)))), run.errors]).toEqual([true, null]);
  });

  test.each([
    ['another version', { schemaVersion: 2 }],
    ['an outcome that is none', { outcome: 'PASSED' }],
    ['a set without cases', { sets: [{ ...full, cases: undefined }] }],
    ['a status that is none', { sets: [{ ...full, cases: [caseResult({ trials: [trialResult({ status: 'ok' as never })] })] }] }],
  ])('refuse %s', (_title, wrong) => {
    expect(check('result.schema.json')(json({ schemaVersion: 1, outcome: 'error', sets: [full], ...wrong }))).toBe(false);
  });
});
