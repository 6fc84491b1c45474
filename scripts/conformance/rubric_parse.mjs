export function run({ rubrics, judge_output: output }, { core }) {
  const { parseVerdictLines } = core('metrics/judged/rubric-parse');
  const { exactMean } = core('support/exact-mean');
  const scope = rubrics.map(({ rubric_id: rubricId, text }) => ({ rubricId, rubricContent: { textProperty: text ?? `Property of ${rubricId}.` } }));
  const verdicts = output === null ? [] : (parseVerdictLines(output, scope) ?? []);
  return {
    rubric_scores: verdicts.map(({ rubricId, score, rationale }) => ({ rubric_id: rubricId, score, rationale: rationale ?? null })),
    sample_score: exactMean(verdicts.flatMap(({ score }) => (score === null ? [] : [score]))),
  };
}
