export function run({ validator_output: output }, { core }) {
  const labels = output === null ? [] : core('metrics/judged/hallucination-parse').parseLabelBlocks(output);
  return {
    parsed: labels.map(({ sentence, label, supportingExcerpt, contradictingExcerpt }) => ({ sentence, label, supporting_excerpt: supportingExcerpt, contradicting_excerpt: contradictingExcerpt })),
    score: core('metrics/judged/hallucinations').scoreOfLabels(labels),
  };
}
