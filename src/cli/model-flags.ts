/** Models behind an address, as flags name them. */
import type { JudgeSource } from '../judge/types';
import { refusal } from '../support/errors';

/** What the flags say: a name, where it is asked, and where its key is. */
export interface ModelFlags {
  readonly model: JudgeSource | undefined;
  readonly url: string | undefined;
  readonly keyEnv: string | undefined;
}

/**
 * The model that the flags name.
 *
 * @param names  of the flags, for messages
 * @throws {JestAdkError} `usage` for an address without the name of a model, and for a key without an address
 */
export function modelOfFlags({ model, url, keyEnv }: ModelFlags, names: Readonly<Record<keyof ModelFlags, string>>): JudgeSource | undefined {
  if (url === undefined) {
    if (keyEnv !== undefined) throw refusal('usage', `${names.keyEnv} belongs to ${names.url}, which is not given.`);
    return model;
  }
  if (typeof model !== 'string') throw refusal('usage', `${names.url} needs ${names.model}: the name of the model that is asked for there.`);
  return { baseUrl: url, model, ...(keyEnv === undefined ? {} : { apiKeyEnv: keyEnv }) };
}
