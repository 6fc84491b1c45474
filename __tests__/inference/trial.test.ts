import { JestAdkError } from '../../src/support/errors';
import { explainMissingState, runTrial } from '../../src/inference/trial';
import type { TrialOptions } from '../../src/inference/trial-options';
import type { TrialRecord } from '../../src/inference/types';
import { type AgentFunction, functionTarget } from '../../src/target/function-target';
import type { Target } from '../../src/target/types';
import { evalCase, manualClock, settle, user } from './helpers';

const info = { evalSetId: 's', evalId: 'c', trial: 0 };
const none = (): AbortSignal => new AbortController().signal;

function run(fn: AgentFunction | Target, texts: readonly string[], options: TrialOptions = {}, more = {}): Promise<TrialRecord> {
  return runTrial(typeof fn === 'function' ? functionTarget(fn) : fn, evalCase('c', texts, more), info, options, none());
}

test('each turn is one send; the session lives for the whole trial', async () => {
  const record = await run(
    (turn, session) => {
      session.state.turns = turn.index + 1;
      return `${turn.index}: ${turn.text}`;
    },
    ['hello', 'again'],
  );
  expect(record.invocations.map((turn) => turn.finalResponse?.parts?.[0]?.text)).toEqual(['0: hello', '1: again']);
  expect(record).toMatchObject({ endReason: 'completed', finalState: { turns: 2 }, warnings: [] });
  expect(record.error).toBeUndefined();
});

describe('D57 ids: defaults are documented and the ids used are echoed', () => {
  test.each([
    ['no session input', undefined, {}, { appName: 'EvaluationGenerator', userId: 'test_user_id' }],
    ['empty texts', { appName: '', userId: '', state: {} }, {}, { appName: 'EvaluationGenerator', userId: 'test_user_id' }],
    ['the case says', { appName: 'shop', userId: 'bo', state: {} }, { appName: 'other', userId: 'al' }, { appName: 'shop', userId: 'bo' }],
    ['the options say', undefined, { appName: 'other', userId: 'al' }, { appName: 'other', userId: 'al' }],
  ])('D57 %s', async (_name, sessionInput, options, ids) => {
    const record = await run(() => 'ok', ['hi'], options, { sessionInput });
    expect(record.ids).toEqual({ ...ids, sessionId: expect.stringMatching(/^adk-eval-session-[0-9a-f-]{36}$/) });
  });

  test('a pinned session id is used as it is', async () => {
    const record = await run((_turn, session) => session.sessionId, ['hi'], {}, { sessionInput: { appName: '', userId: '', sessionId: 'pinned', state: {} } });
    expect(record.ids.sessionId).toBe('pinned');
    expect(record.invocations[0]?.finalResponse?.parts?.[0]?.text).toBe('pinned');
  });
});

test('state is there before the first turn, and no trial sees the changes of another', async () => {
  const state = { list: [1] };
  const seen: unknown[] = [];
  const fn: AgentFunction = (_turn, session) => {
    seen.push(structuredClone(session.state.list));
    (session.state.list as number[]).push(2);
    return 'ok';
  };
  const records = await Promise.all([0, 1].map(() => run(fn, ['hi'], {}, { sessionInput: { appName: '', userId: '', state } })));
  expect(seen).toEqual([[1], [1]]);
  expect(records.map((record) => record.finalState)).toEqual([{ list: [1, 2] }, { list: [1, 2] }]);
  expect(state).toEqual({ list: [1] });
});

describe('answers of a function', () => {
  async function* stream(): AsyncGenerator<unknown> {
    yield { author: 'helper', content: { parts: [{ functionCall: { name: 't', args: { a: 1 } } }] } };
    yield 'done';
  }
  test.each<[string, AgentFunction, string | undefined]>([
    ['a text', () => 'hi', 'hi'],
    ['a promise of a text', async () => 'hi', 'hi'],
    ['a content', () => ({ parts: [{ text: 'hi' }] }), 'hi'],
    ['an event', () => ({ author: 'x', content: { parts: [{ text: 'hi' }] } }), 'hi'],
    ['an event in snake_case', () => ({ author: 'x', content: { parts: [{ text: 'hi' }] }, usage_metadata: { total_token_count: 3 } }), 'hi'],
    ['a list', () => ['one', { parts: [{ text: 'two' }] }], 'two'],
    ['a generator', function* () { yield 'one'; yield 'two'; }, 'two'],
    ['an async generator', () => stream(), 'done'],
  ])('%s', async (_name, fn, text) => {
    const record = await run(fn, ['hi']);
    expect(record.invocations[0]).toMatchObject({ outcome: 'answered', finalResponse: { parts: [{ text }] } });
  });

  test.each<[string, unknown, string]>([
    ['a number', 7, 'number 7'],
    ['some object', { answer: 'x' }, 'an object with the keys "answer"'],
    ['a function', () => 'x', 'function'],
  ])('%s is refused, and the legal shapes are named', async (_name, answer, seen) => {
    const record = await run(() => answer, ['hi']);
    expect(record.error).toEqual({ code: 'bad_answer', message: expect.stringContaining(seen) });
    expect(record.error?.message).toContain('Return a text, a content');
  });

  test('nothing is an unanswered turn: kept, without an error', async () => {
    const record = await run((turn) => (turn.index === 0 ? undefined : 'ok'), ['hi', 'there']);
    expect(record.invocations.map((turn) => turn.outcome)).toEqual(['unanswered', 'answered']);
    expect(record).toMatchObject({ endReason: 'completed' });
  });
});

describe('F80 a turn that ends in an error ends the trial', () => {
  test('F80 the turns after it are not run, the ones before it are kept', async () => {
    const record = await run((turn) => {
      if (turn.index === 1) throw new Error('reauth');
      return 'ok';
    }, ['one', 'two', 'three']);
    expect(record.invocations.map((turn) => turn.outcome)).toEqual(['answered', 'error', 'not_run']);
    expect(record).toMatchObject({ endReason: 'error', error: { code: 'inference_error', message: 'turn 2: reauth' } });
    expect(record.invocations[2]?.userContent).toEqual(user('three'));
  });

  test('D46 the real text and code of what was thrown, whatever its kind', async () => {
    class RefreshError extends Error {
      override name = 'RefreshError';
      code = 'ECONNREFUSED';
    }
    const thrown: [unknown, object][] = [
      [new RefreshError('reauth'), { code: 'ECONNREFUSED', message: 'turn 1: RefreshError: reauth' }],
      ['plain text', { code: 'inference_error', message: 'turn 1: plain text' }],
      [new JestAdkError('some_code', [{ code: 'x', message: 'said' }]), { code: 'some_code', message: 'turn 1: said' }],
    ];
    for (const [value, error] of thrown) {
      const record = await run(() => Promise.reject(value), ['hi']);
      expect(record.error).toEqual(error);
    }
  });

  test('an error event without an answer is an error; beside an answer it is a warning', async () => {
    const failed = { author: 'a', errorCode: '429', errorMessage: 'slow down' };
    expect((await run(() => failed, ['hi'])).invocations[0]).toMatchObject({ outcome: 'error', error: { code: '429', message: 'slow down' } });
    const record = await run(() => [failed, 'ok'], ['hi']);
    expect(record.invocations[0]?.outcome).toBe('answered');
    expect(record.warnings).toEqual(['turn 1: the agent reported 429: slow down, and answered']);
  });

  test('an answer that was cut short is an answer', async () => {
    const record = await run(() => ({ author: 'a', errorCode: 'MAX_TOKENS', content: { parts: [{ text: 'half' }] } }), ['hi']);
    expect(record.invocations[0]).toMatchObject({ outcome: 'answered', finalResponse: { parts: [{ text: 'half' }] } });
  });
});

describe('D49 limits', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  test('D49 a promise that never settles: the turn is named, the signal fires, no timer stays', async () => {
    const clock = manualClock();
    let signal: AbortSignal | undefined;
    const running = run((turn) => {
      signal = turn.signal;
      return never();
    }, ['hi', 'there'], { clock, caseTimeoutMs: 200, turnTimeoutMs: 300_000 });
    await settle();
    expect(signal?.aborted).toBe(false);
    clock.advance(200);
    const record = await running;
    expect(record).toMatchObject({ endReason: 'case_limit', error: { code: 'case_limit', message: expect.stringContaining('timed out in turn 1') } });
    expect(record.invocations.map((turn) => turn.outcome)).toEqual(['error', 'not_run']);
    expect(signal?.aborted).toBe(true);
    expect(clock.timers).toBe(0);
  });

  test('D49 the turn limit counts from the start of each turn; what came before it is kept', async () => {
    const clock = manualClock();
    const running = run(
      async function* (turn) {
        if (turn.index === 0) clock.advance(900);
        yield 'so far';
        if (turn.index === 1) await never();
      },
      ['one', 'two'],
      { clock, turnTimeoutMs: 1000 },
    );
    await settle();
    clock.advance(1000);
    const record = await running;
    expect(record.endReason).toBe('turn_limit');
    expect(record.error?.message).toBe('timed out in turn 2: no end within 1 s, the turn limit (turnTimeoutMs; --timeout on the command line).');
    expect(record.invocations[1]).toMatchObject({ outcome: 'error', responses: [{ content: { parts: [{ text: 'so far' }] } }] });
    expect(clock.timers).toBe(0);
  });

  test('D49 a session that does not open is given up on too', async () => {
    const clock = manualClock();
    const target: Target = { ...functionTarget(() => 'ok'), openSession: never };
    const running = run(target, ['hi'], { clock, turnTimeoutMs: 50 });
    await settle();
    clock.advance(50);
    const record = await running;
    expect(record.error?.message).toBe('timed out in opening the session: no end within 50 ms, the turn limit (turnTimeoutMs; --timeout on the command line).');
    expect(record.invocations.map((turn) => turn.outcome)).toEqual(['not_run']);
  });

  test('D49 an agent that talks without end, and without a pause, does not outrun them', async () => {
    const clock = manualClock();
    const talk = async function* (): AsyncGenerator<string> {
      for (;;) yield 'and another thing';
    };
    // The limit comes from a macrotask, as it does from a real timer.
    setImmediate(() => clock.advance(200));
    const record = await run(() => talk(), ['hi'], { clock, caseTimeoutMs: 200, turnTimeoutMs: 300_000 });
    expect(record.endReason).toBe('case_limit');
  });

  test('under a debugger there are none', async () => {
    const clock = manualClock();
    let answer: (text: string) => void = () => undefined;
    const running = run(() => new Promise<string>((resolve) => (answer = resolve)), ['hi'], { clock, turnTimeoutMs: 1, caseTimeoutMs: 1, unlimited: true });
    await settle();
    clock.advance(1e9);
    answer('late');
    expect(await running).toMatchObject({ endReason: 'completed' });
  });

  test.each<[string, unknown, string]>([
    ['with a reason', new Error('the test ended before this call did'), 'The evaluation was aborted: the test ended before this call did.'],
    ['with a text', 'enough.', 'The evaluation was aborted: enough.'],
    ['by a time limit', AbortSignal.timeout(0), 'The evaluation was aborted: TimeoutError: The operation was aborted due to timeout.'],
    ['without a reason', undefined, 'The evaluation was aborted.'],
  ])('the caller can abort %s, which is told', async (_name, reason, message) => {
    const controller = new AbortController();
    const running = runTrial(functionTarget(never), evalCase('c', ['hi']), info, {}, controller.signal);
    await settle();
    if (reason instanceof AbortSignal) await new Promise((resolve) => (reason.aborted ? resolve(undefined) : reason.addEventListener('abort', resolve)));
    controller.abort(reason instanceof AbortSignal ? reason.reason : reason);
    expect(await running).toMatchObject({ endReason: 'aborted', error: { code: 'aborted', message } });
  });
});

describe('hooks and sessions', () => {
  test('hooks run around the trial; the session is closed in any case', async () => {
    const log: string[] = [];
    const inner = functionTarget(() => Promise.reject(new Error('boom')));
    const target: Target = {
      ...inner,
      async openSession(input, signal) {
        log.push('open');
        const session = await inner.openSession(input, signal);
        return { ...session, close: async () => void log.push('close') };
      },
    };
    await run(target, ['hi'], { beforeTrial: (trial) => void log.push(`before ${trial.evalId}`), afterTrial: (_trial, record) => void log.push(`after ${record.endReason}`) });
    expect(log).toEqual(['before c', 'open', 'close', 'after error']);
  });

  test('a hook that throws makes the trial an error', async () => {
    const before = await run(() => 'ok', ['hi'], { beforeTrial: () => Promise.reject(new Error('no database')) });
    expect(before).toMatchObject({ error: { code: 'before_trial_failed', message: 'the beforeTrial hook failed: no database' }, invocations: [{ outcome: 'not_run' }] });
    const after = await run(() => 'ok', ['hi'], { afterTrial: () => { throw new Error('left over'); } });
    expect(after).toMatchObject({ endReason: 'error', error: { code: 'after_trial_failed', message: 'the afterTrial hook failed: left over' }, invocations: [{ outcome: 'answered' }] });
  });

  test('a session that cannot be closed or read is a warning', async () => {
    const inner = functionTarget(() => 'ok');
    const target: Target = {
      ...inner,
      openSession: async (input, signal) => ({
        ...(await inner.openSession(input, signal)),
        state: () => Promise.reject(new Error('gone')),
        close: () => Promise.reject(new Error('still busy')),
      }),
    };
    const record = await run(target, ['hi']);
    expect(record).toMatchObject({ endReason: 'completed', warnings: ['reading the final state failed: gone', 'closing the session failed: still busy'] });
  });
});

test('A12 state that was written only in the session of an AgentTool is told apart from state that was never written', async () => {
  const record = await run(
    () => [
      { author: 'root', content: { parts: [{ functionCall: { name: 'reader', args: {} } }] } },
      { author: 'reader', nestedIn: 'reader', content: { parts: [{ text: 'x' }] }, actions: { stateDelta: { ds: 'x', shared: 1 } } },
      { author: 'root', content: { parts: [{ text: 'done' }] }, actions: { stateDelta: { shared: 1 } } },
    ],
    ['hi'],
  );
  expect(record.childState).toEqual({ ds: 'reader' });
  expect(explainMissingState(record, 'ds')).toBe('written only in child session of AgentTool reader');
  expect(explainMissingState(record, 'shared')).toBeUndefined();
});

describe('D62 a long-running tool that has not answered is a state of the turn, not an error', () => {
  const job = { author: 'a', longRunningToolIds: ['id-1'], content: { parts: [{ functionCall: { name: 'job', args: {}, id: 'id-1' } }] } };
  test('D62 the tool is named, and a scripted answer gets the id of the call', async () => {
    const seen: unknown[] = [];
    const record = await runTrial(
      functionTarget((turn) => {
        seen.push(turn.content);
        return turn.index === 0 ? job : 'resumed';
      }),
      evalCase('c', [], {
        conversation: [
          { invocationId: '', userContent: user('start'), creationTimestamp: 0 },
          { invocationId: '', userContent: { role: 'user', parts: [{ functionResponse: { name: 'job', response: { ok: true } } }] }, creationTimestamp: 0 },
        ],
      }),
      info,
      {},
      none(),
    );
    expect(record.invocations.map((turn) => turn.pendingTools)).toEqual([['job'], []]);
    expect(record.invocations[0]?.toolCalls).toMatchObject([{ name: 'job', pending: true }]);
    expect(seen[1]).toMatchObject({ parts: [{ functionResponse: { id: 'id-1', name: 'job' } }] });
    expect(record).toMatchObject({ endReason: 'completed' });
  });
});

test('what is sent may be prepared; the record keeps what the case says', async () => {
  const seen: string[] = [];
  const record = await run((turn) => {
    seen.push(turn.text);
    return 'ok';
  }, ['one', 'two', 'three'], {
    prepareContent: (content) => {
      const text = content.parts?.[0]?.text ?? '';
      if (text === 'two') throw new JestAdkError('content_file', [{ code: 'content_file', message: 'There is no file lamp.png.' }]);
      return { ...content, parts: [{ text: `prepared ${text}` }] };
    },
  });
  expect(seen).toEqual(['prepared one']);
  expect(record.invocations.map((turn) => [turn.outcome, turn.userContent.parts?.[0]?.text])).toEqual([['answered', 'one'], ['error', 'two'], ['not_run', 'three']]);
  expect(record.error).toMatchObject({ code: 'content_file', message: expect.stringContaining('There is no file lamp.png.') });
});
