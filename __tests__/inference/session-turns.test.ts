import { turnsFromSession } from '../../src/inference/session-turns';
import { eventFromJson } from '../../src/target/event-json';

test('D58 an invocation without a message of the user is no turn, and a note says so', () => {
  const events = [
    { author: 'bot', invocationId: 'greeting', content: { parts: [{ text: 'hello' }] } },
    { author: 'user', invocationId: 'i1', timestamp: 10, content: { role: 'user', parts: [{ text: 'hi' }] } },
    { author: 'bot', invocationId: 'i1', partial: true, content: { parts: [{ text: 'wel' }] } },
    { author: 'bot', invocationId: 'i1', content: { parts: [{ text: 'welcome' }] } },
    { author: 'user', invocationId: 'empty', content: { parts: [] } },
  ].map((event, index) => eventFromJson(event, `events[${index}]`));
  const { turns, notes } = turnsFromSession(events);
  expect(turns).toEqual([
    {
      invocationId: 'i1',
      userContent: { role: 'user', parts: [{ text: 'hi' }] },
      finalResponse: { parts: [{ text: 'welcome' }] },
      intermediateData: { invocationEvents: [{ author: 'bot' }] },
      creationTimestamp: 10,
    },
  ]);
  expect(notes).toEqual([
    'invocation "greeting" was skipped: it has no message of the user',
    'invocation "empty" was skipped: it has no message of the user',
  ]);
});
