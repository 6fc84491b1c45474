import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventWriter, readEventFile, readEventLines } from '../../src/results/event-file';
import { parseEventLine, writeEventLine } from '../../src/results/event-line';
import { followEvents } from '../../src/results/event-tail';
import { createRunFold, foldEvents } from '../../src/results/fold';
import type { EvaluationEvent } from '../../src/results/model';
import { caseResult, eventsOf, invocation, setResult, startedAt, trial, trialResult } from '../fixtures/results/samples';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'events-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const two = setResult({ cases: [caseResult({ evalId: 'a' }), caseResult({ evalId: 'b', outcome: 'failed' })], outcome: 'failed' });

describe('events file', () => {
  test('what was written is read and folds to the result of the run', () => {
    const file = join(folder, 'events-1.ndjson');
    const writer = openEventWriter(file);
    for (const event of eventsOf(two, '1', { testFile: '/p/a.test.ts', testName: 'scores' })) writer.write(event);
    writer.close();
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(8 + 1);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(foldEvents('r1', readEventFile(file).events)).toEqual({
      schemaVersion: 1,
      runId: 'r1',
      evaluations: [{
        testFile: '/p/a.test.ts', testName: 'scores', startedAt, durationMs: 80,
        result: { schemaVersion: 1, outcome: 'failed', sets: [two] },
      }],
    });
  });

  test('a finished set is not written twice', () => {
    const ended = eventsOf(two).find((event) => event.type === 'set_ended') as EvaluationEvent;
    expect(writeEventLine(ended).length).toBeLessThan(500);
  });

  test('keeps the order of the file though cases end in another', () => {
    const events = eventsOf(two);
    const [first, second] = events.filter((event) => event.type === 'case_ended') as [EvaluationEvent, EvaluationEvent];
    const swapped = events.map((event) => (event === first ? second : event === second ? first : event));
    const lines = readEventLines(swapped.map(writeEventLine).join('\n')).events;
    expect(foldEvents('r', lines).evaluations[0]?.result.sets[0]?.cases.map((each) => each.evalId)).toEqual(['a', 'b']);
  });

  test('half a surrogate does not make a line unreadable', () => {
    const event = { evaluation: 'e', at: 1234567890.1234567, type: 'run_ended', outcome: 'passed', note: 'ok \ud800 \\ud800', n: 2n ** 70n } as unknown as EvaluationEvent;
    expect(parseEventLine(writeEventLine(event))).toMatchObject({ note: 'ok \ufffd \\ud800', n: 2n ** 70n });
    const plain = { ...event, n: 1 } as unknown as EvaluationEvent;
    expect(parseEventLine(writeEventLine(plain))).toMatchObject({ note: 'ok \ufffd \\ud800' });
  });

  test('integers beyond 2^53 keep their digits', () => {
    const big = caseResult({ trials: [trialResult({ trial: trial({ invocations: [invocation({ toolCalls: [{ name: 't', args: { n: 12345678901234567890n, text: '日本語\n' }, author: 'a', group: 0 }] })] }) })] });
    const event: EvaluationEvent = { evaluation: '1', at: 1, type: 'case_ended', result: big };
    expect(readEventLines(writeEventLine(event)).events).toEqual([event]);
  });

  test('a line that was cut off is counted and skipped', () => {
    const file = join(folder, 'events-1.ndjson');
    const writer = openEventWriter(file);
    for (const event of eventsOf(two)) writer.write(event);
    writer.close();
    appendFileSync(file, '{"evaluation":"2","at":1,"ty');
    expect(readEventFile(file)).toMatchObject({ damaged: 1, events: { length: 9 } });
  });

  test('H100 two processes append to one file and no line is lost or mixed', async () => {
    const file = join(folder, 'events.ndjson');
    const line = `${'x'.repeat(20_000)}`;
    // The same calls as the writer's: one file opened for appending, one write per line.
    const script = `const fs=require('fs');const fd=fs.openSync(${JSON.stringify(file)},'a');for(let i=0;i<200;i++){fs.writeSync(fd,Buffer.from(JSON.stringify({evaluation:process.argv[1],at:i,type:'run_ended',outcome:'passed',pad:'${line}'})+'\\n'))}`;
    await Promise.all(['a', 'b'].map((name) => new Promise((done) => spawn(process.execPath, ['-e', script, name]).on('close', done))));
    const { events, damaged } = readEventFile(file);
    expect(damaged).toBe(0);
    for (const name of ['a', 'b']) expect(events.filter((event) => event.evaluation === name).map((event) => event.at)).toEqual([...Array(200).keys()]);
  });
});

describe('fold', () => {
  test('a run that was cut short lists what is missing', () => {
    const events = eventsOf(two).slice(0, 5); // until the second case's trial started
    const run = foldEvents('r', events);
    expect(run.evaluations[0]).toMatchObject({
      result: { outcome: 'error', sets: [{ evalSetId: 'home', appName: 'home', outcome: 'error', cases: [{ evalId: 'a', outcome: 'passed' }, { evalId: 'b', outcome: 'error', error: { code: 'unfinished' } }] }] },
      unfinished: [{ evalSetId: 'home', evalIds: ['b'], cases: 1 }],
    });
  });

  test('without ids in the plan, names the cases under way and counts the rest', () => {
    const events = eventsOf(two).slice(0, 2).map((event) => (event.type === 'run_started' ? { ...event, sets: [{ evalSetId: 'home', cases: 2, numRuns: 1 }] } : event));
    expect(foldEvents('r', events).evaluations[0]?.unfinished).toEqual([{ evalSetId: 'home', evalIds: ['a'], cases: 2 }]);
  });

  test('H100 two workers and two eval sets: nothing lost, nothing mixed', () => {
    const [left, right] = [setResult({ evalSetId: 'left', cases: [caseResult({ evalSetId: 'left' })] }), setResult({ evalSetId: 'right', cases: [caseResult({ evalSetId: 'right' })] })];
    const fold = createRunFold('r');
    const [one, other] = [eventsOf(left, '1', { testFile: '/l.test.js' }), eventsOf(right, '1', { testFile: '/r.test.js' })];
    one.forEach((event, index) => {
      fold.add('worker 1', event);
      fold.add('worker 2', other[index] as EvaluationEvent);
    });
    expect(fold.result().evaluations.map(({ testFile, result }) => [testFile, result.sets])).toEqual([['/l.test.js', [left]], ['/r.test.js', [right]]]);
  });

  test('a worker that was replaced counts from the start again', () => {
    const fold = createRunFold('r');
    for (const event of eventsOf(two).slice(0, 3)) fold.add('w', event);
    for (const event of eventsOf(two)) fold.add('w', event);
    expect(fold.result().evaluations.map(({ result }) => result.outcome)).toEqual(['error', 'failed']);
  });

  test('progress counts cases, trials and what is under way', () => {
    const fold = createRunFold('r');
    for (const event of eventsOf(two).slice(0, 5)) fold.add('w', event);
    expect(fold.progress()).toEqual({ cases: 2, passed: 1, failed: 0, errors: 0, trials: 2, trialsEnded: 1, running: [{ evalId: 'b', trial: 0 }] });
  });
});

describe('following a run', () => {
  const lines = eventsOf(two).map((event) => `${writeEventLine(event)}\n`);

  test('a folder that is not there yet, files that grow by pieces, characters that are cut', () => {
    const run = join(folder, 'run');
    const fold = createRunFold('r');
    const tail = followEvents(run, fold);
    tail.read();
    mkdirSync(run);
    const bytes = Buffer.from(lines.join('').replaceAll('"a"', '"é日"'));
    const [ours, others] = [join(run, 'events-1.ndjson'), join(run, 'events-2.ndjson')];
    for (let at = 0; at < bytes.length; at += 97) {
      appendFileSync(ours, bytes.subarray(at, at + 97));
      tail.read();
    }
    appendFileSync(others, lines.slice(0, 3).join(''));
    appendFileSync(join(run, 'else.txt'), 'not ours');
    tail.read(true);
    expect(tail.damaged).toBe(0);
    expect(fold.result().evaluations.map(({ result }) => result.sets[0]?.cases.map((each) => each.evalId))).toEqual([['é日', 'b'], ['a', 'b']]);
  });

  test('a last line without its end counts only at the end', () => {
    const fold = createRunFold('r');
    const tail = followEvents(folder, fold);
    appendFileSync(join(folder, 'events-1.ndjson'), `${lines[0]}{"evaluation":"1","type":"run_`);
    tail.read();
    expect(tail.damaged).toBe(0);
    tail.read(true);
    expect(tail.damaged).toBe(1);
  });
});
