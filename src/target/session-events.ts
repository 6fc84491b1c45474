import { problemsOf } from '../evalset/loaded';
import { readOptions } from '../evalset/reader';
import { readModel } from '../schema/read';
import { JestAdkError, type Problem } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import { secondsFrom } from './event-json';
import type { AgentEvent } from './types';

/**
 * Reads the events of a stored or exported session, in either spelling. Sessions of the TypeScript SDK count time in milliseconds,
 * those of Python in seconds; both become seconds (under google-adk numbers are taken as they are).
 *
 * @param events   what the session's `events` holds
 * @param profile  whose rules of reading apply
 * @throws {JestAdkError} `bad_event` with every problem of every event
 */
export function sessionEvents(events: readonly unknown[], profile: Profile = defaultProfile): readonly AgentEvent[] {
  const problems: Problem[] = [];
  const read = events.map((event, index) => {
    const { value, issues } = readModel('Event', event, readOptions(profile));
    problems.push(...problemsOf(issues, undefined).map((problem) => ({ ...problem, path: ['events', index, ...(problem.path ?? [])] })));
    return value as AgentEvent;
  });
  if (problems.length > 0) throw new JestAdkError('bad_event', problems);
  return profile.name === 'google-adk' ? read : read.map((event) => (event.timestamp === undefined ? event : { ...event, timestamp: secondsFrom(event.timestamp) }));
}
