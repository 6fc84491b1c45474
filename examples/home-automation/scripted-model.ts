/** Stands in for a language model: understands the few sentences of the example and calls the tools a real model would call. */
import { BaseLlm, type LlmRequest, type LlmResponse } from '@google/adk';

type Call = { name: string; args: Record<string, unknown> };

/** The tool call that a sentence asks for, if it asks for one. */
function callFor(text: string): Call | undefined {
  const room = /kitchen|bedroom|hall/.exec(text)?.[0];
  const level = /(\d+) ?(?:%|per cent)/.exec(text)?.[1];
  if (/which|what/i.test(text)) return { name: 'list_lamps', args: {} };
  if (room === undefined) return undefined;
  if (level !== undefined) return { name: 'set_brightness', args: { room, level: Number(level) } };
  return { name: 'set_lamp', args: { room, on: !/\boff\b/i.test(text) } };
}

/** The sentence that follows a tool's answer. */
function sentenceFor(tool: string | undefined, answer: Record<string, unknown>): string {
  if (tool === 'list_lamps') {
    const on = answer['on'] as string[];
    return on.length === 0 ? 'No lamp is on.' : `The lamp is on in the ${on.join(' and the ')}.`;
  }
  if (tool === 'set_brightness') return `The ${String(answer['room'])} lamp is at ${String(answer['level'])} per cent.`;
  return `The ${String(answer['room'])} lamp is ${answer['on'] === true ? 'on' : 'off'}.`;
}

export class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const parts = request.contents.at(-1)?.parts ?? [];
    const response = parts.find((part) => part.functionResponse !== undefined)?.functionResponse;
    const call = response === undefined ? callFor(parts.map((part) => part.text ?? '').join(' ')) : undefined;
    const text = response === undefined ? 'I only know about lamps.' : sentenceFor(response.name, response.response ?? {});
    yield {
      content: { role: 'model', parts: [call === undefined ? { text } : { functionCall: call }] },
      usageMetadata: { promptTokenCount: 40 + 10 * request.contents.length, candidatesTokenCount: 12, totalTokenCount: 52 + 10 * request.contents.length },
    };
  }

  override connect(): Promise<never> {
    return Promise.reject(new Error('the scripted model has no live connection'));
  }
}
