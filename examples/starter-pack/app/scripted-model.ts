/** Stands in for a language model, so that the example needs no key and no network: asks the tool for a city's weather and repeats what it said. */
import { BaseLlm, type LlmRequest, type LlmResponse } from '@google/adk';

export class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const parts = request.contents.at(-1)?.parts ?? [];
    const answer = parts.find((part) => part.functionResponse !== undefined)?.functionResponse?.response;
    const city = /\b(Bern|Oslo|Lima)\b/.exec(parts.map((part) => part.text ?? '').join(' '))?.[0];
    const part =
      answer !== undefined ? { text: `It is ${String(answer['weather'])} in ${String(answer['city'])}.` } : city !== undefined ? { functionCall: { name: 'get_weather', args: { city } } } : { text: 'Which city do you mean?' };
    yield { content: { role: 'model', parts: [part] } };
  }

  override connect(): Promise<never> {
    return Promise.reject(new Error('the scripted model has no live connection'));
  }
}
