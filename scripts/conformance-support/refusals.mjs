// Comparing refusals: that there is one, and the places of its errors. Names of alternatives in places, error classes, kinds and order may differ.
const alternatives = new Set(['IntermediateData', 'InvocationEvents', 'float', 'BaseCriterion', 'llm_backed', 'llm_audio', 'str', 'SpeechConfig']);

/** Text of the first difference, or undefined. */
export function compareRefusal(actual, expected) {
  if (expected.raises === undefined) return 'raises' in actual ? `refused, but should be accepted: ${actual.message ?? ''}` : undefined;
  if (!('raises' in actual)) return 'accepted, but should be refused';
  if (expected.errors === undefined) return undefined;
  const seen = placesOf(actual.errors);
  const wanted = placesOf(expected.errors);
  return seen.join('\n') === wanted.join('\n') ? undefined : `errors at ${seen.join(' | ')}, expected ${wanted.join(' | ')}`;
}

function placesOf(errors) {
  const places = errors.map(({ loc }) => loc.map(String).filter((step) => !alternatives.has(step)).join(' → '));
  return [...new Set(places)].sort();
}

/** What `act` throws as a JestAdkError becomes `{raises, message}`; any other error passes through. */
export function refusalOf(act) {
  try {
    act();
  } catch (error) {
    if (error?.name === 'JestAdkError') return { raises: error.code, message: error.message };
    throw error;
  }
  return undefined;
}
