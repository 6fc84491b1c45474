export async function run(input, { core }) {
  const { tokenize } = core('metrics/tokenizers');
  return { tokens: input.words.map((word) => tokenize(word)) };
}
