// EvalSet JSON that is accepted: what is saved, what is there with defaults, and whether saving again gives the same text. Key order counts.
import { refusalOf } from '../conformance-support/refusals.mjs';

export async function run(input, { core }) {
  const { readEvalSetText } = core('evalset/reader');
  const { evalSetText } = core('evalset/writer');
  const { parseJson, stringifyJson } = core('support/json');
  const { googleAdkProfile: profile } = core('support/profile');
  const load = (text) => readEvalSetText(text, 'set.evalset.json', { profile }).value;
  const evalSet = load(input.text ?? stringifyJson(input.json));
  const saved = evalSetText(evalSet, 'manager', profile);
  return {
    saved: parseJson(saved),
    with_defaults: parseJson(evalSetText(evalSet, 'with_defaults', profile)),
    stable_on_resave: refusalOf(() => load(saved)) === undefined && evalSetText(load(saved), 'manager', profile) === saved,
  };
}

export function compare(actual, expected, { difference }) {
  return difference(actual, expected) ?? differentOrder(actual, expected, '$');
}

/** The first object whose keys are the same but stand in another order. */
function differentOrder(actual, expected, path) {
  if (typeof actual !== 'object' || actual === null) return undefined;
  const keys = Object.keys(actual);
  if (path !== '$' && keys.join('\n') !== Object.keys(expected).join('\n')) return `${path}: keys in the order ${keys}, expected ${Object.keys(expected)}`;
  for (const key of keys) {
    const found = differentOrder(actual[key], expected[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
