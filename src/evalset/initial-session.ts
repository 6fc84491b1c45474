import { readDocument } from '../support/document';
import { JestAdkError } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import { sessionInputOf } from './legacy';
import { problemsOf, type Source } from './loaded';
import type { SessionInput } from './types';

/**
 * Reads an *initial session* file: a session export (`*.session.json`, either spelling) or an object with `app_name`, `user_id` and `state`.
 * Everything else in it, such as the events of an export, is not used.
 *
 * @param file  absolute path, JSON or TOML
 * @returns undefined for an empty object
 * @throws {JestAdkError} `invalid_initial_session` with every problem, or what reading the file throws
 */
export function readInitialSession(file: string, profile: Profile = defaultProfile): SessionInput | undefined {
  const document = readDocument(file);
  return checkInitialSession(document.value, profile, document);
}

/** The same for a value that is there already. */
export function checkInitialSession(value: unknown, profile: Profile, source?: Source): SessionInput | undefined {
  const { sessionInput, issues } = sessionInputOf(value, { reference: profile.name === 'google-adk' });
  if (issues.length > 0) throw new JestAdkError('invalid_initial_session', problemsOf(issues, source));
  return sessionInput;
}
