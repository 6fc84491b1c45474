import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppDetails } from '../../src/evalset/types';
import { functionCallsOf, invocationsFromEvents, isFinalResponse } from '../../src/inference/fold';
import { eventFromJson } from '../../src/target/event-json';

interface GoldenCase {
  readonly name: string;
  readonly input: { readonly events: readonly unknown[]; readonly durations?: Record<string, number>; readonly app_details?: Record<string, unknown> };
  readonly expected: { readonly invocations: readonly Record<string, unknown>[]; readonly is_final_response: readonly boolean[]; readonly tool_calls: readonly (readonly string[])[] };
}

const golden = JSON.parse(readFileSync(join(__dirname, '../fixtures/golden/core/events.json'), 'utf8')) as { cases: GoldenCase[] };

/** Keys of data are left alone: only the levels that the formats name are re-spelled. */
function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [name, ['args', 'response', 'agentDetails', 'groundingMetadata'].includes(key) ? item : snake(item)];
    }),
  );
}

describe('events become invocations as the reference makes them', () => {
  test.each(golden.cases.map((item) => [item.name, item] as const))('%s', (_name, item) => {
    const events = item.input.events.map((event, index) => eventFromJson(event, `events[${index}]`));
    const plain = item.input.app_details === undefined;
    const invocations = invocationsFromEvents(events, item.input.durations === undefined ? {} : { durations: item.input.durations });
    if (plain) {
      const actual = invocations.map(({ invocationId, userContent, finalResponse, intermediateData, creationTimestamp, ...rest }) =>
        snake({ invocationId, userContent, ...(finalResponse && { finalResponse }), intermediateData, creationTimestamp, ...rest }),
      );
      expect(actual).toEqual(item.expected.invocations);
    }
    expect(events.map(isFinalResponse)).toEqual(item.expected.is_final_response);
    expect(
      invocations.map((invocation) =>
        (invocation.intermediateData as { invocationEvents: [] }).invocationEvents.flatMap((event) => functionCallsOf(event).map((call) => call.name)),
      ),
    ).toEqual(item.expected.tool_calls);
  });
});

test('what was observed is attached by invocation id; another id is no match', () => {
  const details: AppDetails = { agentDetails: { root: { name: 'root', instructions: 'Be kind.', toolDeclarations: [] } } };
  const event = eventFromJson({ author: 'root', invocation_id: 'constructor', content: { parts: [{ text: 'ok' }] } }, 'event');
  const [bare] = invocationsFromEvents([event], { durations: { other: 1 } });
  expect(bare).not.toHaveProperty('duration');
  const [full] = invocationsFromEvents([event], {
    appDetails: { constructor: details },
    durations: { constructor: 1.25 },
    modelDurations: { constructor: 1 },
    toolDurations: { constructor: 0.125 },
  } as never);
  expect(full).toMatchObject({ appDetails: details, duration: 1.25, modelDuration: 1, toolDuration: 0.125 });
});

describe('reading events', () => {
  test('every field that is not of its kind is named at once', () => {
    expect(() => eventFromJson({ author: 7, content: { parts: [{ text: 5 }, 'hi'] } }, 'events[0]')).toThrow(
      expect.objectContaining({ code: 'bad_event', problems: [expect.anything(), expect.anything(), expect.anything()] }),
    );
  });

  test('keys of tool arguments and of state keep their spelling', () => {
    const event = eventFromJson(
      { author: 'a', actions: { state_delta: { my_key: { inner_key: 1 } } }, content: { parts: [{ function_call: { name: 't', args: { my_arg: 1 } } }] } },
      'event',
    );
    expect(event.actions?.stateDelta).toEqual({ my_key: { inner_key: 1 } });
    expect(event.content?.parts?.[0]?.functionCall?.args).toEqual({ my_arg: 1 });
  });
});
