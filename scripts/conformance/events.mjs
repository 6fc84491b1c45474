// Runtime events as invocations, which of them may be answers, and the calls of each invocation.
export async function run(input, { core }) {
  const { sessionEvents } = core('target/session-events');
  const { invocationsFromEvents, isFinalResponse } = core('inference/fold');
  const { toolCallsOf } = core('metrics/tool-calls');
  const { invocationFromJson, invocationToJson } = core('evalset/parts');
  const { parseJson, stringifyJson } = core('support/json');
  const { googleAdkProfile: profile } = core('support/profile');
  const events = sessionEvents(input.events, profile);
  const appDetails = Object.fromEntries(
    Object.entries(input.app_details ?? {}).map(([id, details]) => [id, invocationFromJson({ user_content: {}, app_details: details }, profile).appDetails]),
  );
  const { durations, model_durations: modelDurations, tool_durations: toolDurations } = input;
  const invocations = invocationsFromEvents(events, { appDetails, durations, modelDurations, toolDurations });
  return {
    invocations: invocations.map((invocation) => parseJson(stringifyJson(invocationToJson(invocation)))),
    is_final_response: events.map(isFinalResponse),
    tool_calls: invocations.map((invocation) => toolCallsOf(invocation, profile).map((call) => call.name ?? null)),
  };
}
