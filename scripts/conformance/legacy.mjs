// Old formats converted. Fresh ids and times become "<uuid>" and "<now>"; of a refusal google-adk reports the first problem alone.
import { compareRefusal } from '../conformance-support/refusals.mjs';

export async function run(input, { core }) {
  const { readEvalSetText } = core('evalset/reader');
  const { evalSetText } = core('evalset/writer');
  const { parseJson, stringifyJson } = core('support/json');
  const { googleAdkProfile: profile } = core('support/profile');
  const isManager = input.reader === 'eval_sets_manager';
  const options = {
    profile,
    legacyReader: input.reader,
    givenPath: isManager ? input.eval_set_id : input.file,
    ...(isManager ? {} : { criteria: Object.keys(input.criteria), initialSession: input.initial_session }),
  };
  try {
    const { value } = readEvalSetText(input.text ?? stringifyJson(input.content), input.file ?? 'old.evalset.json', options);
    return { eval_set: fresh(parseJson(evalSetText(value, 'with_defaults', profile)), Date.now() / 1000) };
  } catch (error) {
    if (error?.name !== 'JestAdkError') throw error;
    const raised = (Array.isArray(error.cause) ? error.cause : []).map(({ raises, kind, relative }) => ({ raises, type: kind, loc: relative ?? [] }));
    const ofSession = error.code === 'invalid_initial_session' ? error.problems.map(({ path }) => ({ raises: 'ValidationError', loc: path })) : [];
    const errors = [...raised, ...ofSession];
    return { raises: errors[0]?.raises ?? error.code, message: error.message, errors };
  }
}

export function compare(actual, expected, { difference }) {
  return compareRefusal(actual, expected) ?? (expected.raises === undefined ? difference(actual, expected) : undefined);
}

function fresh(value, now) {
  if (Array.isArray(value)) return value.map((item) => fresh(item, now));
  if (typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(value)) return '<uuid>';
  if (typeof value === 'number' && Math.abs(value - now) < 60) return '<now>';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fresh(item, now)]));
}
