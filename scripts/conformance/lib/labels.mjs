/** The label of a raw judge answer, and its score. */
export function labelOf(output, core, parse) {
  const { textOf } = core('judge/client');
  const { contentFromJson } = core('evalset/parts');
  const { googleAdkProfile } = core('support/profile');
  const content = output === null ? undefined : typeof output === 'string' ? { parts: [{ text: output }] } : contentFromJson(output, googleAdkProfile);
  const verdict = parse(textOf(content, true));
  return { label: verdict === undefined ? 'NOT_FOUND' : verdict.toUpperCase(), score: verdict === undefined ? null : verdict === 'valid' ? 1 : 0 };
}

/** "Nothing to parse" and "nothing usable" are both unparsed. */
export function compare(actual, expected, { difference }) {
  return difference(actual, { ...expected, label: expected.label ?? 'NOT_FOUND' });
}
