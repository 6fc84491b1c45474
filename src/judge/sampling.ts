/** Asks several samples of one question, and no more than the vote needs. */
import { toErrorInfo, type ErrorInfo } from '../support/errors';
import { excerptOf, textOf, type ModelClient } from './client';
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
  /** Ids without a verdict in an answer: they are asked for once more. */
  readonly missing?: ((value: T) => readonly string[]) | undefined;
  /** An answer completed by a second one. */
  readonly merge?: ((first: T, second: T) => T) | undefined;
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

async function askOne<T>(client: ModelClient, question: Question<T>, sample: number, signal: AbortSignal): Promise<Sample<T>> {
  const { parse, plain } = question;
  try {
    const asked = { ...question.request(sample), sample };
    const first = readAnswer(await client.ask(asked, signal, plain ? 'return' : 'retry'), parse, plain);
    return plain ? first : await completed(client, question, asked, first, signal);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { kind: 'error', error: toErrorInfo(thrown, 'judge_error') };
  }
}

/** An answer that cannot be read, or lacks verdicts, is asked for once more; then it stays as it is. */
async function completed<T>(client: ModelClient, { parse, missing, merge }: Question<T>, asked: ModelRequest, first: Sample<T>, signal: AbortSignal): Promise<Sample<T>> {
  const open = first.kind === 'answer' ? (missing?.(first.value) ?? []) : [];
  if (first.kind === 'answer' && open.length === 0) return first;
  const reminder = first.kind === 'answer' ? `Your last answer had no verdict on ${open.map((id) => JSON.stringify(id)).join(', ')}. Answer again, for every id.` : 'Your last answer could not be read. Answer with the JSON object that is described above and with nothing else.';
  const second = readAnswer(await client.ask({ ...asked, prompt: `${asked.prompt}\n\n${reminder}` }, signal, first.kind === 'answer' ? 'return' : 'retry'), parse, false);
  if (first.kind !== 'answer') return second;
  return second.kind === 'answer' && merge !== undefined ? { ...first, value: merge(first.value, second.value) } : first;
}

function readAnswer<T>(answer: ModelAnswer, parse: (text: string) => T | undefined, thoughts: boolean): Sample<T> {
  const { modelVersion } = answer;
  if (answer.none === true) return { kind: 'error', error: { code: 'model_silent', message: 'the judge gave no response' } };
  const text = textOf(answer.content, thoughts);
  const value = text === '' ? undefined : parse(text);
  if (value !== undefined) return { kind: 'answer', value, modelVersion };
  return { kind: 'unparsed', reason: text === '' ? 'the judge gave no text' : 'the judge did not answer in the form that was asked for', excerpt: text === '' ? undefined : excerptOf(text), modelVersion };
}
