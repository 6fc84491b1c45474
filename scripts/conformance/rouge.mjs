export async function run(input, { core }) {
  const { rouge1 } = core('metrics/rouge');
  const score = rouge1(input.candidate, input.reference);
  return {
    precision: score.precision,
    recall: score.recall,
    fmeasure: score.fmeasure,
    candidate_tokens: score.candidateTokens,
    reference_tokens: score.referenceTokens,
  };
}
