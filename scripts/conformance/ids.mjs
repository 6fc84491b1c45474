// May a value name an app, set or result folder; may a set with this id be created.
export async function run(input, { core }) {
  const { checkNewEvalSetId, checkPathSegment } = core('support/ids');
  const { googleAdkProfile } = core('support/profile');
  try {
    if (input.kind === 'new_eval_set_id') checkNewEvalSetId(input.value, googleAdkProfile);
    else if (input.kind === 'path_segment') checkPathSegment(input.value, 'id');
    else return { unknown: input.kind };
    return { ok: true };
  } catch (error) {
    if (error.code === 'unsafe_id') return { ok: false, raises: 'ValueError' };
    throw error;
  }
}
