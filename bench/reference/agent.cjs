// An agent that answers at once: one tool call, then the answer. The twin of parts_agent/agent.py. CommonJS, as ts-jest gives it to most users.
const { BaseLlm, FunctionTool, LlmAgent } = require('@google/adk');
const { z } = require('zod');

class InstantModel extends BaseLlm {
  async *generateContentAsync(request) {
    const last = request.contents.at(-1)?.parts ?? [];
    const part = last.some((item) => item.functionResponse !== undefined)
      ? { text: 'There are twelve parts in the box you asked about.' }
      : { functionCall: { name: 'count_parts', args: { box: 7 } } };
    yield { content: { role: 'model', parts: [part] } };
  }

  async connect() {
    throw new Error('no live connection');
  }
}

const countParts = new FunctionTool({
  name: 'count_parts',
  description: 'Counts the parts in a box.',
  parameters: z.object({ box: z.number().int() }),
  execute: ({ box }) => ({ count: 12, box }),
});

exports.rootAgent = new LlmAgent({ name: 'parts', model: new InstantModel({ model: 'instant' }), instruction: 'Count parts.', tools: [countParts] });
