import fc from 'fast-check';
import { readEventLines } from '../../src/results/event-file';
import { writeEventLine } from '../../src/results/event-line';
import { createRunFold, foldEvents } from '../../src/results/fold';
import type { CaseResult, EvalSetResult } from '../../src/results/model';
import { caseResult, eventsOf, setResult, trialResult } from '../fixtures/results/samples';

const id = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('a', 'b', '__proto__', 'constructor', '日本', 'x\ny'));

const evalCase = (evalSetId: string): fc.Arbitrary<CaseResult> =>
  fc.record({ evalId: id, outcome: fc.constantFrom('passed' as const, 'failed' as const, 'error' as const), trials: fc.integer({ min: 0, max: 2 }) })
    .map(({ evalId, outcome, trials }) => caseResult({ evalSetId, evalId, outcome, trials: Array.from({ length: trials }, () => trialResult()) }));

const evalSet: fc.Arbitrary<EvalSetResult> = id.chain((evalSetId) =>
  fc.array(evalCase(evalSetId), { maxLength: 4 }).map((cases) => setResult({ evalSetId, cases })));

describe('folding', () => {
  test('however the lines of several workers interleave, every evaluation comes out whole', () => {
    fc.assert(fc.property(fc.array(evalSet, { minLength: 1, maxLength: 3 }), fc.infiniteStream(fc.nat()), (sets, picks) => {
      const queues = sets.map((set, index) => eventsOf(set, '1', { testName: String(index) }));
      const fold = createRunFold('r');
      for (const pick of picks) {
        const open = queues.flatMap((queue, index) => (queue.length > 0 ? [index] : []));
        if (open.length === 0) break;
        const source = open[pick % open.length] as number;
        fold.add(`worker ${source}`, queues[source]?.shift() as ReturnType<typeof eventsOf>[number]);
      }
      const found = fold.result().evaluations;
      expect([...found].sort((a, b) => Number(a.testName) - Number(b.testName)).map(({ result }) => result.sets)).toEqual(sets.map((set) => [set]));
      expect(fold.progress()).toMatchObject({ running: [], cases: sets.reduce((sum, set) => sum + set.cases.length, 0) });
    }));
  });

  test('wherever a process is killed, what ended stays and the rest is named or counted', () => {
    fc.assert(fc.property(evalSet, fc.nat(), (set, cut) => {
      const text = eventsOf(set).map((event) => `${writeEventLine(event)}\n`).join('');
      const bytes = Buffer.from(text);
      const { events } = readEventLines(bytes.subarray(0, cut % (bytes.length + 1)).toString('utf8'));
      const run = foldEvents('r', events);
      const ended = events.filter((event) => event.type === 'case_ended');
      const cases = run.evaluations.flatMap(({ result }) => result.sets).flatMap((each) => each.cases);
      expect(cases.filter(({ error }) => error?.code !== 'unfinished')).toHaveLength(ended.length);
      if (events.some(({ type }) => type === 'run_started')) expect(cases).toHaveLength(set.cases.length);
      if (events.every(({ type }) => type !== 'run_ended')) expect(run.evaluations.every(({ result }) => result.outcome === 'error')).toBe(true);
    }));
  });
});
