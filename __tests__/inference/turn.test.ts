import type { InvocationEvents } from '../../src/evalset/types';
import { functionCallsOf } from '../../src/inference/fold';
import { foldTurn } from '../../src/inference/turn';
import type { ActualInvocation } from '../../src/inference/types';
import { eventFromJson } from '../../src/target/event-json';
import { user } from './helpers';

const text = (author: string, said: string, more: object = {}): object => ({ author, content: { role: 'model', parts: [{ text: said }] }, ...more });
const call = (author: string, name: string, args: object = {}, more: object = {}): object => ({ author, content: { role: 'model', parts: [{ functionCall: { name, args } }] }, ...more });
const response = (author: string, name: string, value: object, more: object = {}): object => ({ author, content: { role: 'user', parts: [{ functionResponse: { name, response: value } }] }, ...more });

function fold(events: readonly object[], finalResponseFrom?: string): ActualInvocation {
  return foldTurn({
    content: user('hi'),
    events: events.map((event, index) => eventFromJson({ invocationId: 'i', ...event }, `events[${index}]`)),
    startedAt: 1_700_000_000_000,
    latencyMs: 1234.5678,
    finalResponseFrom,
  });
}
const recordedCalls = (turn: ActualInvocation): unknown[] =>
  (turn.intermediateData as InvocationEvents).invocationEvents.flatMap((event) => functionCallsOf(event).map((one) => one.name));

test('A1 a call in an event that skips summarization is in the trajectory, and the answer is filled in', () => {
  const turn = fold([call('a', 'execute_sql', { q: 1 }, { actions: { skipSummarization: true } })]);
  expect(recordedCalls(turn)).toEqual(['execute_sql']);
  expect(turn.toolCalls).toMatchObject([{ name: 'execute_sql', args: { q: 1 } }]);
  expect(turn.finalResponse?.parts).toHaveLength(1);
});

test('A10 calls inside an AgentTool are listed after the call of the tool, with their author', () => {
  const turn = fold([
    call('root', 'math', { request: '1+2' }),
    call('math', 'add', { a: 1, b: 2 }, { nestedIn: 'math' }),
    response('math', 'add', { result: 3 }, { nestedIn: 'math' }),
    text('math', '3', { nestedIn: 'math' }),
    response('root', 'math', { result: '3' }),
    text('root', 'three'),
  ]);
  expect(turn.toolCalls).toMatchObject([
    { name: 'math', author: 'root', response: { response: { result: '3' } } },
    { name: 'add', author: 'math', nestedIn: 'math', response: { response: { result: 3 } } },
  ]);
  expect(recordedCalls(turn)).toEqual(['math']);
  expect(turn.responses.map((said) => said.author)).toEqual(['root']);
});

test('A16 what a tool returned is there', () => {
  const turn = fold([call('a', 'query'), response('a', 'query', { rows: 3 }), text('a', 'ok')]);
  expect(turn.toolResponses?.[0]?.response?.rows).toBe(3);
  expect(turn.toolCalls[0]?.response?.response).toEqual({ rows: 3 });
});

test('parallel calls of one event share a group; responses find their call by id, else by name in order', () => {
  const both = { author: 'a', content: { parts: [{ functionCall: { name: 't', id: '1' } }, { functionCall: { name: 't', id: '2' } }] } };
  const answers = { author: 'a', content: { parts: [{ functionResponse: { name: 't', id: '2', response: { n: 2 } } }, { functionResponse: { name: 't', id: '1', response: { n: 1 } } }] } };
  const turn = fold([both, answers, call('a', 'u'), call('a', 'u'), response('a', 'u', { n: 3 }), response('a', 'u', { n: 4 })]);
  expect(turn.toolCalls.map((one) => [one.name, one.group, one.response?.response?.n])).toEqual([['t', 0, 1], ['t', 0, 2], ['u', 1, 3], ['u', 2, 4]]);
});

test('requests of the framework to the user are no tool calls, but they wait', () => {
  const turn = fold([
    call('a', 'delete_all'),
    { author: 'a', longRunningToolIds: ['c'], content: { parts: [{ functionCall: { name: 'adk_request_confirmation', args: {}, id: 'c' } }] } },
  ]);
  expect(turn.toolCalls.map((one) => one.name)).toEqual(['delete_all']);
  expect(turn.pendingTools).toEqual(['adk_request_confirmation']);
});

describe('B24 empty contents', () => {
  test.each([
    ['no parts', { author: 'a', content: { parts: [] } }],
    ['no content', { author: 'a' }],
    ['a content without parts', { author: 'a', content: { role: 'model' } }],
    ['an empty part', { author: 'a', content: { parts: [{}] } }],
  ])('B24 %s: no crash, no answer', (_name, event) => {
    const turn = fold([event]);
    expect(turn).toMatchObject({ outcome: 'answered', responses: [], toolCalls: [] });
  });
});

describe('B25 several final responses in a turn', () => {
  const events = [text('A', 'draft'), text('B', 'final')];
  test('B25 the last counts, the earlier ones are kept with their authors', () => {
    const turn = fold(events);
    expect(turn.finalResponse?.parts).toEqual([{ text: 'final' }]);
    expect(turn.responses).toEqual([
      { author: 'A', content: { role: 'model', parts: [{ text: 'draft' }] } },
      { author: 'B', content: { role: 'model', parts: [{ text: 'final' }] } },
    ]);
    expect(turn.intermediateData).toEqual({ invocationEvents: [{ author: 'A', content: { role: 'model', parts: [{ text: 'draft' }] } }, { author: 'B' }] });
  });
  test('B25 finalResponseFrom chooses the author', () => {
    const turn = fold(events, 'A');
    expect(turn.finalResponse?.parts).toEqual([{ text: 'draft' }]);
    expect(fold(events, 'nobody').finalResponse).toBeUndefined();
  });
});

describe('B28 streamed answers', () => {
  const partial = (said: string, more: object = {}): object => text('a', said, { partial: true, ...more });
  test.each<[string, object[], string]>([
    ['pieces, then the whole', [partial('Hel'), partial('Hello'), text('a', 'Hello')], 'Hello'],
    ['an empty last chunk', [partial('Hel'), partial('lo'), { author: 'a', content: { parts: [] } }], 'Hello'],
    ['the text so far, and no whole', [partial('Hel'), partial('Hello')], 'Hello'],
    ['thoughts are no text', [partial('Hm', { content: { parts: [{ text: 'Hm', thought: true }] } }), partial('Hi')], 'Hi'],
  ])('B28 %s: once, and not lost', (_name, events, said) => {
    const turn = fold(events);
    expect(turn.finalResponse?.parts).toEqual([{ text: said }]);
    expect(turn.responses).toHaveLength(1);
  });
  test('B28 a streamed call with another id than the complete one is one call', () => {
    const streamed = { author: 'a', partial: true, content: { parts: [{ functionCall: { name: 't', id: 'x' } }] } };
    const turn = fold([streamed, { author: 'a', content: { parts: [{ functionCall: { name: 't', id: 'y' } }] } }]);
    expect(recordedCalls(turn)).toEqual(['t']);
    expect(turn.toolCalls).toMatchObject([{ name: 't', id: 'y' }]);
  });
  test('B28 a stream that an error cut short is an error', () => {
    expect(fold([partial('Hel'), { author: 'a', errorCode: '503', errorMessage: 'overloaded' }])).toMatchObject({ outcome: 'error', error: { code: '503', message: 'overloaded' } });
  });
});

test('tokens are summed by model, without what partial events repeat', () => {
  const usage = (model: string, tokens: number, more: object = {}): object => text('a', 'x', { modelVersion: model, usageMetadata: { promptTokenCount: tokens, totalTokenCount: tokens + 1, trafficType: 'ON_DEMAND' }, ...more });
  const turn = fold([usage('m1', 5, { partial: true }), usage('m1', 5), usage('m1', 7), usage('m2', 1, { nestedIn: 'inner' })]);
  expect(turn.usageByModel).toEqual([
    { model: 'm1', calls: 2, usage: { promptTokenCount: 12, totalTokenCount: 14 } },
    { model: 'm2', calls: 1, usage: { promptTokenCount: 1, totalTokenCount: 2 } },
  ]);
  expect(turn.duration).toBe(1.235);
});
