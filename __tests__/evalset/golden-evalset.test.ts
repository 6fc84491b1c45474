import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, stringifyJson } from '../../src/support/json';
import { googleAdkProfile } from '../../src/support/profile';
import { JestAdkError } from '../../src/support/errors';
import { toReferenceError, type Issue } from '../../src/schema/issues';
import { readConfigModel } from '../../src/config/reader';
import { decode, readEvalSetResultModel } from '../../src/results/adk-format';
import { readEvalSetModel, readEvalSetText } from '../../src/evalset/reader';
import { evalSetText } from '../../src/evalset/writer';

/** Figures of google-adk 2.13, compared as strictly as they are written: kinds, order and the names of alternatives included. */
interface Golden {
  readonly name: string;
  readonly input: { readonly json?: unknown; readonly text?: string };
  readonly expected: { readonly raises?: string; readonly errors?: unknown; readonly saved?: unknown };
}

function golden(subject: string): [string, Golden][] {
  return ['core', 'extra'].flatMap((folder) => {
    const { cases } = parseJson(readFileSync(join(__dirname, '../fixtures/golden', folder, `${subject}.json`), 'utf8')) as { cases: Golden[] };
    return cases.map((item): [string, Golden] => [`${item.name} (${folder})`, item]);
  });
}

function errorsOf(text: string, read: (text: string) => readonly Issue[]): unknown {
  try {
    return read(text).map(toReferenceError);
  } catch (error) {
    if (error instanceof JestAdkError && error.code === 'not_json') return [{ loc: [], type: 'json_invalid' }];
    throw error;
  }
}

const textOf = ({ input }: Golden): string => input.text ?? stringifyJson(input.json);

describe('errors of google-adk, in its order and under its names', () => {
  test.each(golden('evalset_invalid').filter(([, { expected }]) => expected.errors !== undefined))('eval set: %s', (_, item) => {
    expect(errorsOf(textOf(item), (text) => readEvalSetModel(parseJson(text), googleAdkProfile).issues)).toEqual(item.expected.errors);
  });

  test.each(golden('config').filter(([, { expected }]) => expected.errors !== undefined))('config: %s', (_, item) => {
    expect(errorsOf(textOf(item), (text) => readConfigModel(parseJson(text), googleAdkProfile).issues)).toEqual(item.expected.errors);
  });

  test.each(golden('results').filter(([, { expected }]) => expected.errors !== undefined))('results: %s', (_, item) => {
    expect(errorsOf(textOf(item), (text) => readEvalSetResultModel(decode(text).value, googleAdkProfile).issues)).toEqual(item.expected.errors);
  });
});

describe('eval sets that google-adk accepts', () => {
  test.each(golden('evalset'))('%s is saved as it saves it, in its key order', (_, item) => {
    const { value } = readEvalSetText(textOf(item), 'set.json', { profile: googleAdkProfile });
    expect(stringifyJson(parseJson(evalSetText(value, 'manager', googleAdkProfile)))).toBe(stringifyJson(item.expected.saved));
  });
});
