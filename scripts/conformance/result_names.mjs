// Names of results, and whether anything can be saved under these ids.
export async function run(input, { core }) {
  const { adkResultName, isSafeSegment } = core('support/ids');
  const names = adkResultName(input.app_name, input.eval_set_id, Number(input.timestamp));
  const safe = isSafeSegment(input.app_name) && isSafeSegment(input.eval_set_id);
  return { ...names, save: safe ? { saved: true } : { raises: 'ValueError' } };
}
