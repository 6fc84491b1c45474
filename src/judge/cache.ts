/** Answers of models, kept in a folder so that the same question is not paid for twice. Off unless asked for. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishFile } from '../support/files';
import { parseJson, stringifyJson } from '../support/json';
import type { ModelAnswer, ModelRequest } from './types';

/** Part of every key: a new one leaves the answers of older versions behind. */
const version = 1;

/** A folder of answers, one file each, named by everything that was asked. */
export class AnswerCache {
  constructor(private readonly folder: string) {}

  /** Key of a question: SHA-256 of the model, its settings, the schema, the whole prompt (which holds its version) and the sample's number. */
  keyOf(model: string, { prompt, schema, config, sample }: ModelRequest): string {
    return createHash('sha256').update(stringifyJson([version, model, sorted(config ?? {}), sorted(schema ?? null), prompt, sample], 0)).digest('hex');
  }

  /** A kept answer; undefined when there is none, or none that can be read. */
  read(key: string): ModelAnswer | undefined {
    try {
      return parseJson(readFileSync(this.fileOf(key), 'utf8')) as ModelAnswer;
    } catch {
      return undefined;
    }
  }

  /** Keeps an answer. */
  write(key: string, { content, finishReason, modelVersion, usage }: ModelAnswer): void {
    publishFile(this.fileOf(key), stringifyJson({ content, ...(finishReason === undefined ? {} : { finishReason }), ...(modelVersion === undefined ? {} : { modelVersion }), ...(usage === undefined ? {} : { usage }) }), { overwrite: true });
  }

  private fileOf(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key}.json`);
  }
}

/** The same settings in another order are the same question. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
