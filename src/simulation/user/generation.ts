/** What is asked of a model that makes up scenarios (ADK `ConversationGenerationConfig`). */
import { toProblem } from '../../schema/issues';
import { readModel } from '../../schema/read';
import { JestAdkError } from '../../support/errors';
import { defaultProfile, type Profile } from '../../support/profile';

/** How many scenarios, by whom, and about what. */
export interface GenerationConfig {
  readonly count: number;
  readonly modelName: string;
  readonly generationInstruction?: string;
  readonly environmentContext?: string;
}

/** Reads such a config, in either spelling. @throws {JestAdkError} `invalid_config` with every problem */
export function generationConfigFromJson(value: unknown, profile: Profile = defaultProfile): GenerationConfig {
  const { value: read, issues } = readModel('ConversationGenerationConfig', value, { reference: profile.name === 'google-adk' });
  if (issues.length > 0) throw new JestAdkError('invalid_config', issues.map((issue) => toProblem(issue)));
  return { ...(read as GenerationConfig), count: Number((read as GenerationConfig).count) };
}
