/** Tells the weather. With `model: 'gemini-2.5-flash'` in place of the scripted model it asks a real one. */
import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model';

const weather: Record<string, string> = { Bern: 'snowing', Oslo: 'sunny', Lima: 'foggy' };

const getWeather = new FunctionTool({
  name: 'get_weather',
  description: 'Says what the weather is like in a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, weather: weather[city] ?? 'unknown' }),
});

export const rootAgent = new LlmAgent({
  name: 'weather_agent',
  instruction: 'Tell the weather in the city that you are asked about. Use the tool. Answer in one short sentence.',
  model: new ScriptedModel(),
  tools: [getWeather],
});
