import { JestAdkError } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import { readModel } from '../schema/read';
import { writeModel, type Shape } from '../schema/write';
import { problemsOf } from './loaded';
import { readOptions } from './reader';
import type { AppDetails, Content, ConversationScenario, EvalCase, Invocation, SessionInput } from './types';

/**
 * Pieces of eval sets by themselves: what result files, sessions and tests consist of. Each reader takes either spelling and gives the canonical form.
 *
 * @throws {JestAdkError} `invalid_value` with every problem
 */
function readPiece<T>(model: string, value: unknown, profile: Profile): T {
  const read = readModel(model, value, readOptions(profile));
  if (read.issues.length > 0) throw new JestAdkError('invalid_value', problemsOf(read.issues, undefined));
  return read.value as T;
}

/** A turn from JSON. */
export function invocationFromJson(value: unknown, profile: Profile = defaultProfile): Invocation {
  return readPiece('Invocation', value, profile);
}

/** A content (`{parts, role}`) from JSON. */
export function contentFromJson(value: unknown, profile: Profile = defaultProfile): Content {
  return readPiece('Content', value, profile);
}

/** A case from JSON. */
export function evalCaseFromJson(value: unknown, profile: Profile = defaultProfile): EvalCase {
  return readPiece('EvalCase', value, profile);
}

/** A conversation scenario from JSON; the name of a built-in persona becomes that persona. */
export function conversationScenarioFromJson(value: unknown, profile: Profile = defaultProfile): ConversationScenario {
  return readPiece('ConversationScenario', value, profile);
}

/** A file of scenarios: `{ "scenarios": [...] }`. */
export function conversationScenariosFromJson(value: unknown, profile: Profile = defaultProfile): { readonly scenarios: readonly ConversationScenario[] } {
  return readPiece('ConversationScenarios', value, profile);
}

/** A session input from JSON. */
export function sessionInputFromJson(value: unknown, profile: Profile = defaultProfile): SessionInput {
  return readPiece('SessionInput', value, profile);
}

/** The agents of an app from JSON. */
export function appDetailsFromJson(value: unknown, profile: Profile = defaultProfile): AppDetails {
  return readPiece('AppDetails', value, profile);
}

/** A case as snake_case JSON. */
export function evalCaseToJson(evalCase: EvalCase, shape: Shape = 'saved'): Record<string, unknown> {
  return writeModel('EvalCase', evalCase, { shape, keepEmptyEvents: true });
}

/** A turn as snake_case JSON; what the formats have no field for is left out. Floats are `JsonFloat`. */
export function invocationToJson(invocation: Invocation, shape: Shape = 'with_defaults'): Record<string, unknown> {
  return writeModel('Invocation', invocation, { shape, keepEmptyEvents: true });
}

/** A content as snake_case JSON. */
export function contentToJson(content: Content, shape: Shape = 'with_defaults'): Record<string, unknown> {
  return writeModel('Content', content, { shape });
}
