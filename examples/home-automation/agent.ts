/**
 * A small house: lamps that can be switched and dimmed. The agent, its tools and its session state are what you would ship;
 * only the model is scripted, so that the example needs no key and no network.
 */
import { FunctionTool, LlmAgent, type Context } from '@google/adk';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model';

type Lamp = { on: boolean; level: number };
const rooms = ['kitchen', 'bedroom', 'hall'] as const;
const room = z.enum(rooms).describe('the room the lamp is in');

/** The lamps live in the session's state: every session, and so every trial, has a house of its own. */
function lamps(context: Context | undefined): Record<string, Lamp> {
  return context?.state.get<Record<string, Lamp>>('lamps') ?? Object.fromEntries(rooms.map((name) => [name, { on: false, level: 100 }]));
}

function change(context: Context | undefined, name: string, lamp: Lamp): Lamp & { room: string } {
  context?.state.set('lamps', { ...lamps(context), [name]: lamp });
  return { room: name, ...lamp };
}

const setLamp = new FunctionTool({
  name: 'set_lamp',
  description: 'Switches the lamp of a room on or off.',
  parameters: z.object({ room, on: z.boolean() }),
  execute: (input, context) => change(context, input.room, { on: input.on, level: lamps(context)[input.room]?.level ?? 100 }),
});

const setBrightness = new FunctionTool({
  name: 'set_brightness',
  description: 'Dims the lamp of a room and switches it on.',
  parameters: z.object({ room, level: z.number().int().min(1).max(100).describe('per cent') }),
  execute: (input, context) => change(context, input.room, { on: true, level: input.level }),
});

const listLamps = new FunctionTool({
  name: 'list_lamps',
  description: 'Says which lamps are on.',
  parameters: z.object({}),
  execute: (_input, context) => ({ on: Object.entries(lamps(context)).filter(([, lamp]) => lamp.on).map(([name]) => name) }),
});

export const rootAgent = new LlmAgent({
  name: 'home_automation',
  description: 'Switches and dims the lamps of a house.',
  instruction: 'You look after the lamps of a house. Use the tools; answer in one short sentence.',
  model: new ScriptedModel(),
  tools: [setLamp, setBrightness, listLamps],
});
