/** Asks several samples of one question, and no more than the vote needs. */
import { toErrorInfo, type ErrorInfo } from '../support/errors';
import { excerptOf, ModelError, textOf, type ModelClient } from './client';
import type { ModelAnswer, ModelRequest } from './types';

/** What came of one sample. `unparsed`: it was answered, with nothing usable. `error`: it was not answered. */
export type Sample<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly modelVersion?: string | undefined }
  | { readonly kind: 'unparsed'; readonly reason: string; readonly excerpt?: string | undefined; readonly modelVersion?: string | undefined }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

/** One question, asked several times. */
export interface Question<T> {
  /** The prompt of a sample: the same for all, unless their order is shuffled. */
  readonly request: (sample: number) => Omit<ModelRequest, 'sample'>;
  readonly samples: number;
  /** Makes something of an answer's text; undefined when there is nothing usable in it. */
  readonly parse: (text: string) => T | undefined;
  /** Whether the vote is settled whatever the others say; without it every sample is asked. */
  readonly decided?: ((samples: readonly Sample<T>[]) => boolean) | undefined;
  /** As google-adk: an answer that cannot be used is not asked for again, and thoughts are read as text. */
  readonly plain: boolean;
  /** At most so many samples at once. */
  readonly parallel?: number | undefined;
}

/**
 * Asks the samples of a question: as many at once as could settle the vote, and the others only if it is open.
 *
 * @returns in the order of the samples; those that were not needed are missing at the end
 */
export async function askSamples<T>(client: ModelClient, question: Question<T>, signal: AbortSignal): Promise<readonly Sample<T>[]> {
  const { samples, decided, parallel = Infinity } = question;
  const done: Sample<T>[] = [];
  while (done.length < samples) {
    const enough = decided === undefined ? samples : done.length === 0 ? Math.floor(samples / 2) + 1 : done.length + 1;
    const next = Math.min(Math.max(enough, done.length + 1), done.length + parallel, samples);
    done.push(...(await Promise.all(Array.from({ length: next - done.length }, (_, index) => askOne(client, question, done.length + index, signal)))));
    if (decided?.(done) === true) break;
  }
  return done;
}

async function askOne<T>(client: ModelClient, { request, parse, plain }: Question<T>, sample: number, signal: AbortSignal): Promise<Sample<T>> {
  try {
    const asked = request(sample);
    const first = await client.ask({ ...asked, sample }, signal, plain ? 'return' : 'retry');
    const read = readAnswer(first, parse, plain);
    if (read.kind === 'answer' || plain) return read;
    const again = await client.ask({ ...asked, prompt: withReminder(asked.prompt), sample }, signal);
    return readAnswer(again, parse, plain);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    // A model that was asked and gave no text has answered nothing: google-adk counts that as an answer without a verdict.
    if (thrown instanceof ModelError && thrown.code === 'model_silent' && plain) return { kind: 'unparsed', reason: thrown.message };
    return { kind: 'error', error: toErrorInfo(thrown, 'judge_error') };
  }
}

function readAnswer<T>(answer: ModelAnswer, parse: (text: string) => T | undefined, thoughts: boolean): Sample<T> {
  const { modelVersion } = answer;
  const text = textOf(answer.content, thoughts);
  const value = text === '' ? undefined : parse(text);
  if (value !== undefined) return { kind: 'answer', value, modelVersion };
  return { kind: 'unparsed', reason: text === '' ? 'the judge gave no text' : 'the judge did not answer in the form that was asked for', excerpt: text === '' ? undefined : excerptOf(text), modelVersion };
}

/** Asked once more after an answer that could not be read. */
function withReminder(prompt: string): string {
  return `${prompt}\n\nYour last answer could not be read. Answer with the JSON object that is described above and with nothing else.`;
}
