/** Chunks of one scripted answer. */
const chunksOf = (output) => (Array.isArray(output) ? output : [output]);

export async function run({ starting_prompt: startingPrompt, model_outputs: outputs = [], config = {}, static_messages: messages }, { core }) {
  const { llmUser, staticUser } = core('simulation/user/llm-user');
  const { simulatorConfigOf } = core('simulation/user/config');
  const { ModelClient } = core('judge/client');
  const { ModelLimit } = core('judge/limit');
  const { UsageLedger } = core('judge/usage');
  const { resolveModel } = core('judge/source');
  let modelCalls = 0;
  const queue = [...outputs];
  const llm = {
    model: 'fake-user',
    async *generateContentAsync() {
      modelCalls += 1;
      for (const chunk of chunksOf(queue.shift())) {
        if (chunk === 'error') throw new Error('scripted');
        if (chunk === 'nothing') continue;
        if (chunk === 'blocked') yield { errorCode: 'SAFETY' };
        else if (chunk === 'no_content') yield {};
        else yield { content: typeof chunk === 'string' ? { role: 'model', parts: [{ text: chunk }] } : chunk };
      }
    },
  };
  const client = new ModelClient(await resolveModel(llm, () => Promise.reject(new Error('no SDK')), 'golden'), 'user', new ModelLimit(`fake-user-${Math.random()}`, 1), { ledger: new UsageLedger(), attempts: 1 });
  const user = messages === undefined
    ? llmUser({ scenario: { startingPrompt, conversationPlan: 'plan' }, config: simulatorConfigOf(config), client, plain: true })
    : staticUser(messages.map((text) => ({ role: 'user', parts: [{ text }] })));
  const calls = [];
  const events = [];
  for (;;) {
    let next;
    try {
      next = await user.next(events, new AbortController().signal);
    } catch {
      calls.push({ status: 'RAISES' });
      break;
    }
    calls.push({ status: next.status.toUpperCase(), ...(next.status === 'success' ? { message: next.content.parts.map(({ text }) => text).join('') } : {}) });
    if (next.status !== 'success') break;
    events.push({ author: 'user', content: next.content }, { author: 'root', content: { role: 'model', parts: [{ text: 'ok' }] } });
  }
  return { calls, user_messages: calls.filter(({ status }) => status === 'SUCCESS').length, model_calls: modelCalls };
}
