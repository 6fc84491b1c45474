// The calls of a turn, each beside the response that answers it.
export async function run(input, { core }) {
  const { toolPairsOf } = core('metrics/tool-calls');
  const { invocationFromJson } = core('evalset/parts');
  const { googleAdkProfile: profile } = core('support/profile');
  const invocation = invocationFromJson({ user_content: {}, intermediate_data: input.intermediate_data }, profile);
  return { pairs: toolPairsOf(invocation).map(({ call, response }) => [call.name ?? null, response?.response ?? null]) };
}
