/** Eval sets for tests, in the file format. */

/** One turn: what the user says, what is expected, which calls. */
export function turn(user: string, answer?: string, toolUses: readonly object[] = []): object {
  return {
    invocation_id: `turn ${user}`,
    user_content: { role: 'user', parts: [{ text: user }] },
    ...(answer !== undefined && { final_response: { role: 'model', parts: [{ text: answer }] } }),
    intermediate_data: { tool_uses: toolUses, intermediate_responses: [] },
  };
}

/** An eval set of one-turn cases: the case `hello` says "hello" and expects the answer given. */
export function evalSet(id: string, cases: Readonly<Record<string, string>>): { readonly eval_set_id: string; readonly eval_cases: object[] } {
  return { eval_set_id: id, eval_cases: Object.entries(cases).map(([name, answer]) => ({ eval_id: name, conversation: [turn(name, answer)] })) };
}

/** Config that looks at answers alone. */
export const answersOnly = { criteria: { response_match_score: 0.8 } };
