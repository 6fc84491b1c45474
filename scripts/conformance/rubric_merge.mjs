const types = { rubric_based_final_response_quality_v1: 'FINAL_RESPONSE_QUALITY', rubric_based_tool_use_quality_v1: 'TOOL_USE_QUALITY', rubric_based_multi_turn_trajectory_quality_v1: 'TRAJECTORY_QUALITY' };

export function run({ metric, config = [], case: ofCase, invocations = [[]] }, { core }) {
  const { withRubrics } = core('evaluation/rubrics');
  const { rubricsOfTurn } = core('metrics/judged/rubric-scope');
  const rubric = (one) => (typeof one === 'string' ? { rubricId: one } : { rubricId: one.rubric_id, ...(one.type === undefined ? {} : { type: one.type }), rubricContent: {} });
  const list = (given) => (given === undefined || given === null ? undefined : given.map(rubric));
  const conversation = invocations.map((given) => ({ invocationId: '', userContent: {}, creationTimestamp: 0, ...(given === null ? {} : { rubrics: list(given) }) }));
  let turns;
  try {
    turns = withRubrics({ evalId: 'c', conversation, creationTimestamp: 0, ...(ofCase === undefined ? {} : { rubrics: list(ofCase) }) }, conversation.map(() => ({ invocationId: '', userContent: {}, creationTimestamp: 0 })));
  } catch (error) {
    return { error: 'duplicate_rubric_id', stage: 'merge_into_invocation', rubric_id: /"([^"]*)" on turn/.exec(error.message)?.[1] ?? null };
  }
  const scopes = turns.map((turn) => rubricsOfTurn(list(config), turn, types[metric]));
  const broken = scopes.find((scope) => scope.error !== undefined);
  if (broken !== undefined) return { error: broken.error, stage: 'metric', rubric_id: broken.rubricId };
  return { effective_rubric_ids: scopes.map(({ rubrics }) => rubrics.map(({ rubricId }) => rubricId)) };
}
