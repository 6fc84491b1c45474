export const run = ({ segmenter_output: output }, { core }) => ({ sentences: output === null ? [] : core('metrics/judged/hallucination-parse').taggedSentences(output) });
